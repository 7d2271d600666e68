// All cards as a grid, a suit in each row: to choose the board, or the card that comes.

import { cardInText, spoken } from "../cards.js";
import { cells } from "./cells.js";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";

export const DECK = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));

/** `chosen` are pressed, `gone` cannot be chosen; `pick(card)` is called with a card. */
export function cardGrid({ label, chosen, gone = [], at, move, pick }) {
  const act = (i) => gone.includes(DECK[i]) || pick(DECK[i]);
  return cells({
    label,
    rows: 4,
    columns: 13,
    at,
    move,
    act,
    className: "card-grid",
    cell: (i) => ({
      class: `card-cell ${chosen.includes(DECK[i]) ? "chosen" : ""} ${gone.includes(DECK[i]) ? "gone" : ""}`,
      "aria-label": spoken(DECK[i]),
      "aria-selected": String(chosen.includes(DECK[i])),
      "aria-disabled": gone.includes(DECK[i]) ? "true" : null,
      onclick: () => {
        move(i);
        act(i);
      },
      children: withoutName(cardInText(DECK[i])),
    }),
  });
}

function withoutName(card) {
  card.removeAttribute("role");
  card.removeAttribute("aria-label");
  card.setAttribute("aria-hidden", "true");
  return card;
}
