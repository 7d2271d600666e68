// Texas hold'em: the felt with a board of five, and the controls of a betting round.

import { betting } from "./betting.js";

export const holdem = {
  ...betting,
  name: "holdem",
  line: "Two cards of your own, five on the board. Bet, bluff or fold.",
  fan: ["Ah", "Kh"],
  watched: ["eva", "tight-aggressive"],
  draw: (table, act, refresh) => betting.draw(table, act, refresh, { boardSize: 5 }),
};
