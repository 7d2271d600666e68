// Draws cards: a face, a back, or an empty place.

import { h, icon } from "./dom.js";

export const RANKS = {
  2: "two",
  3: "three",
  4: "four",
  5: "five",
  6: "six",
  7: "seven",
  8: "eight",
  9: "nine",
  T: "ten",
  J: "jack",
  Q: "queen",
  K: "king",
  A: "ace",
};
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };

/** "Ah" in words, for screen readers: "ace of hearts". */
export const spoken = (card) => (card ? `${RANKS[card[0]]} of ${SUITS[card[1]]}` : "a face-down card");

export const spokenAll = (cards) => (cards.length ? cards.map(spoken).join(", ") : "no cards");

/** A face, or a back for null. */
export function drawCard(card, { key, className = "", label = true } = {}) {
  const named = label ? { role: "img", "aria-label": spoken(card) } : { "aria-hidden": "true" };
  if (!card) return h("span", { class: `card back ${className}`, key, ...named });
  const rank = card[0] === "T" ? "10" : card[0];
  return h(
    "span",
    { class: `card face suit-${card[1]} ${className}`, key, "data-card": card, ...named },
    h("span", { class: "corner", "aria-hidden": "true" }, h("b", {}, rank), icon(SUITS[card[1]], "pip")),
    icon(SUITS[card[1]], "centre"),
  );
}

/** An empty place on the felt. */
export const drawPlace = (className = "") => h("span", { class: `card place ${className}`, "aria-hidden": "true" });

/** A text for a screen reader, with the cards in words. */
export const spokenText = (text) => text.replace(/\b([2-9TJQKA][shdc])\b/g, spoken);

/** A text that names cards ("puts Kc in column 3", "trade 3c2h"), with the cards drawn. */
export const withCards = (text) =>
  String(text)
    .split(/\b((?:[2-9TJQKA][shdc])+)\b/)
    .map((part, i) => (i % 2 ? part.match(/../g).map(cardInText) : part));

/** A small card within a line of text: rank and suit only. */
export function cardInText(card) {
  if (!card) return h("span", { class: "inline-card" }, "▮");
  const rank = card[0] === "T" ? "10" : card[0];
  return h(
    "span",
    { class: `inline-card suit-${card[1]}`, role: "img", "aria-label": spoken(card) },
    rank,
    icon(SUITS[card[1]], "pip"),
  );
}
