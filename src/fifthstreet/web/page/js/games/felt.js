// The oval felt that hold'em and five-card draw share: seats, cards, bets, board and pot.

import { drawCard, drawPlace, spoken, spokenAll } from "../cards.js";
import { h, icon } from "../dom.js";
import { draggable } from "../drag.js";
import { busy, nameAt } from "../names.js";
import { chips, signed } from "../numbers.js";
import { places } from "./seating.js";

/** `boardSize` is the number of community cards; `marked`, `mark` and `drop` are for a player who exchanges cards. */
export function drawFelt(table, { boardSize = 0, marked, mark, drop } = {}) {
  const count = table.seats.length;
  const own = table.you ?? 0;
  const where = places(count);
  const most = Math.max(...table.seats.map((seat) => seat.cards?.length ?? 0), 2);
  const kind = `felt ${count > 6 ? "full" : ""} ${most > 2 ? "five" : ""}`;
  const ordered = table.seats.map((_, i) => table.seats[(own + i) % count]);
  return h(
    "section",
    { class: kind, "aria-label": "Table", style: { "--middle": count > 6 ? "45%" : "46%" } },
    h("div", { class: "rim" }),
    h("div", { class: "middle", ...(mark ? { "data-drop": "discard" } : {}) }, drawMiddle(table, boardSize, mark)),
    ordered.map((seat, i) => drawSeat(table, seat, where[i], i === 0 && mark ? { marked, mark, drop } : {})),
    ordered.map((seat, i) => seat.bet > 0 && !table.over && drawBet(seat, where[i])),
  );
}

function drawMiddle(table, boardSize, exchanging) {
  const board = table.board ?? [];
  return [
    boardSize > 0 &&
      h(
        "div",
        { class: "board", role: "group", "aria-label": `Board: ${spokenAll(board)}` },
        Array.from({ length: boardSize }, (_, i) => (board[i] ? drawCard(board[i], { key: board[i] }) : drawPlace())),
      ),
    exchanging && h("div", { class: "discards" }, drawPlace(), h("span", {}, "drop here to exchange")),
    (table.pot > 0 || !table.over) &&
      h(
        "div",
        { class: "pot" },
        icon("chip", "chip"),
        `Pot ${chips(table.pot ?? 0)}`,
        !table.over && table.phase && h("span", { class: "phase" }, table.phase),
      ),
    table.pots?.length > 1 &&
      table.seats.some((seat) => seat.all_in) &&
      h("div", { class: "side-pots" }, `in pots of ${table.pots.map(chips).join(", ")}`),
  ];
}

function drawSeat(table, seat, at, { marked, mark, drop }) {
  const mine = seat.seat === table.you;
  const state = [
    mine || (table.you === null && at.y > 0.8) ? "you" : "",
    (seat.folded || seat.out) && "folded",
    seat.to_act && "acting",
    seat.won > 0 && table.over && "winner",
    seat.failed && "failed",
    at.x > 0.55 && "east",
  ];
  const cards = seat.cards ?? [];
  return h(
    "div",
    {
      class: `seat ${state.filter(Boolean).join(" ")}`,
      key: `seat${seat.seat}`,
      role: "group",
      "aria-label": seatInWords(seat, table),
      style: { "--x": at.x, "--y": at.y, "--px": at.px, "--py": at.py },
    },
    h(
      "div",
      { class: `held ${cards.length === 2 ? "pair" : ""}` },
      cards.map((card, i) =>
        mark ? drawMarkable(card, i, marked, mark, drop) : drawCard(card, { key: card ?? `back${i}` }),
      ),
    ),
    h(
      "div",
      { class: "plate" },
      h("b", { title: seat.agent ?? nameAt(seat, table.you) }, nameAt(seat, table.you)),
      h("span", { class: "stack" }, seat.all_in && !table.over ? "all-in" : chips(seat.stack)),
      seat.dealer && h("span", { class: "dealer", title: "dealer" }, "D"),
    ),
    seat.bet > 0 && !table.over && h("span", { class: "bet-here" }, icon("chip", "chip"), chips(seat.bet)),
    drawSaid(seat, table),
  );
}

function drawSaid(seat, table) {
  if (seat.failed) return h("span", { class: "said trouble", title: seat.failed }, "failed");
  if (seat.out) return h("span", { class: "said lost" }, "out");
  if (seat.thinking || seat.preparing) return h("span", { class: "said" }, busy(seat));
  if (table.over && seat.won !== null && seat.won !== undefined && (seat.won !== 0 || seat.hand_name)) {
    const name = seat.hand_kind && !seat.folded ? seat.hand_kind : "";
    const gain = seat.won !== 0 && signed(seat.won, 0);
    const made = name && h("span", { class: "made" }, gain ? ` · ${name}` : name);
    return h("span", { class: `said ${seat.won > 0 ? "won" : "lost"}`, title: seat.hand_name ?? "" }, gain, made);
  }
  if (seat.folded) return h("span", { class: "said lost" }, "folded");
  if (seat.absent && !seat.stand_in && seat.to_act) return h("span", { class: "said lost" }, "not here");
  const last = lastAction(seat.seat, table);
  return last && h("span", { class: "said" }, last.text);
}

/** What the seat did last on the present street. */
function lastAction(seat, table) {
  const lines = table.log?.at(-1)?.lines ?? [];
  return lines.filter((line) => line.seat === seat).at(-1);
}

function drawBet(seat, at) {
  return h(
    "div",
    { class: "bet", key: `bet${seat.seat}`, style: { "--bx": at.bx, "--by": at.by } },
    icon("chip", "chip"),
    h("span", { class: "unseen" }, `${seat.name} has bet `),
    chips(seat.bet),
  );
}

/** One's own card during the exchange: it can be pressed, or dragged to the middle. */
function drawMarkable(card, i, marked, mark, drop) {
  const goes = marked.has(card);
  const button = h(
    "button",
    {
      class: `markable ${goes ? "goes" : ""}`,
      key: `mark${card}`,
      "aria-pressed": String(goes),
      "aria-label": `Exchange the ${spoken(card)}`,
      onclick: () => mark(card),
    },
    drawCard(card, { label: false }),
    h("kbd", { "aria-hidden": "true" }, String(i + 1)),
  );
  return draggable(button, () => drop(card));
}

function seatInWords(seat, table) {
  const parts = [nameAt(seat, table.you), seat.seat === table.you ? "your seat" : "", seat.dealer ? "dealer" : ""];
  parts.push(seat.all_in ? "all-in" : `${chips(seat.stack)} chips`);
  if (seat.folded) parts.push("folded");
  if (seat.to_act) parts.push("to act");
  if (seat.failed) parts.push(`failed: ${seat.failed}`);
  if (table.over && seat.hand_name) parts.push(seat.hand_name);
  return parts.filter(Boolean).join(", ");
}
