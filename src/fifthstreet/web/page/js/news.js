// What is new between two snapshots of a table, in words for those who listen.

import { spoken, spokenAll } from "./cards.js";
import { chips } from "./numbers.js";
import { deed } from "./panels/log.js";

export function news(before, now) {
  const said = [];
  const fresh = !before || before.hand !== now.hand || before.id !== now.id;
  const own = now.seats.find((seat) => seat.seat === now.you);
  if (fresh && own?.cards?.length) said.push(`Hand ${now.hand}. You have ${spokenAll(own.cards)}`);
  const names = Object.fromEntries(now.seats.map((seat) => [seat.seat, seat.name]));
  const heard = fresh ? 0 : lines(before).length;
  for (const line of lines(now).slice(heard))
    if (line.seat !== now.you) said.push(`${names[line.seat] ?? ""} ${inWords(deed(names[line.seat], line.text))}`);
  if ((now.board?.length ?? 0) > (fresh ? 0 : (before.board?.length ?? 0))) said.push(`Board: ${spokenAll(now.board)}`);
  const turn = now.choices && (fresh || !before.choices || before.number !== now.number);
  if (turn && now.choices.call !== undefined)
    said.push(now.choices.call ? `Your turn, ${chips(now.choices.call)} to call` : "Your turn");
  else if (turn && (now.five_o?.next ?? now.squares?.next))
    said.push(`Place the ${spokenAll([now.five_o?.next ?? now.squares?.next])}`);
  else if (turn) said.push("Your turn");
  if (now.over && !before?.over) {
    for (const seat of now.seats.filter((each) => each.won > 0))
      said.push(
        `${seat.name} ${seat.seat === now.you ? "win" : "wins"}${seat.hand_name ? ` with ${seat.hand_name}` : ""}`,
      );
    if (now.squares) said.push(`${now.squares.total} points`);
  }
  return said.join(". ");
}

const inWords = (text) => text.replace(/\b([2-9TJQKA][shdc])\b/g, spoken);

const lines = (table) => (table.log ?? []).flatMap((street) => street.lines);
