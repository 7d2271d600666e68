// The exchange of five-card draw: which of one's own cards are thrown away.

import { h } from "../dom.js";

let marked = new Set();
let asked = "";

export function exchange(table, act, refresh) {
  const question = `${table.id}/${table.hand}/${table.number}`;
  if (asked !== question) [asked, marked] = [question, new Set()];
  const { most } = table.choices.discard;
  const own = table.seats.find((seat) => seat.seat === table.you).cards;
  const mark = (card) => {
    if (marked.has(card)) marked.delete(card);
    else if (marked.size < most) marked.add(card);
    refresh();
  };
  const go = () => act({ discard: own.filter((card) => marked.has(card)) });
  const keys = { d: go, Enter: go };
  for (const [i, card] of own.entries()) keys[String(i + 1)] = () => mark(card);
  const many = marked.size;
  const node = h(
    "div",
    { class: "betting" },
    h(
      "div",
      { class: "moves" },
      h(
        "button",
        { class: "call", key: "trade", onclick: go },
        many ? `Exchange ${many} card${many > 1 ? "s" : ""}` : "Stand pat",
        h("kbd", { "aria-hidden": "true" }, "D"),
      ),
    ),
    h(
      "p",
      { class: "quiet" },
      `Choose up to ${most} card${most === 1 ? "" : "s"} to exchange, by mouse or with the keys 1 to 5.`,
    ),
  );
  return { node, keys, felt: { marked, mark, drop: (card) => marked.has(card) || mark(card) } };
}
