// Who won which pot, in words.

import { nameOf } from "../names.js";
import { chips } from "../numbers.js";

/** If several players win: each pot, who wins it, how much and with what; and what nobody called. Otherwise null. */
export function severalPots(table) {
  const called = (table.awards ?? []).filter(({ uncalled }) => !uncalled);
  const winners = new Set(called.flatMap(({ to }) => to.map(({ seat }) => seat)));
  if (winners.size < 2) return null;
  const lines = called.map((award, i) => potLine(table, award, nameOfPot(i, called.length)));
  const back = table.awards.filter(({ uncalled }) => uncalled);
  return [...lines, ...back.map((award) => takesBack(table, award))];
}

function nameOfPot(i, count) {
  if (count === 1) return "the pot";
  return i === 0 ? "the main pot" : count === 2 ? "the side pot" : `side pot ${i}`;
}

function potLine(table, { pot, to }, name) {
  const names = to.map(({ seat }) => nameOf(table, seat));
  const made = table.seats.find(({ seat }) => seat === to[0].seat)?.hand_name;
  const even = to.every((each) => each.chips === to[0].chips);
  const each = even ? `${chips(to[0].chips)} each` : to.map((part, i) => `${names[i]} ${chips(part.chips)}`).join(", ");
  const won =
    to.length > 1 ? `split ${name} of ${chips(pot)} (${each})` : `${wins(table, to[0])} ${name} of ${chips(pot)}`;
  return `${names.join(" and ")} ${won}${made ? `: ${made}` : ""}.`;
}

const wins = (table, { seat }) => (seat === table.you ? "win" : "wins");

const takesBack = (table, { pot, to: [{ seat }] }) =>
  `${nameOf(table, seat)} ${seat === table.you ? "take" : "takes"} back ${chips(pot)} that nobody called.`;
