// Five-card draw: the felt, two betting rounds, and the exchange of cards between them.

import { h } from "../dom.js";
import { betting } from "./betting.js";
import { exchange } from "./exchange.js";
import { drawFelt } from "./felt.js";

export const fiveCardDraw = {
  ...betting,
  name: "five-card-draw",
  line: "Five cards, one exchange, two rounds of bets.",
  fan: ["9s", "9d", "9c", "Qh", "Qs"],
  watched: ["loose-aggressive", "tight-aggressive"],
  parameters: { ...betting.parameters, trade: "Most cards to exchange", passes: "Passes of a betting round" },
  keys: [
    ...betting.keys,
    [
      "Five-card draw",
      [
        ["1 – 5", "mark a card"],
        ["D", "exchange, or stand pat"],
      ],
    ],
  ],

  draw(table, act, refresh) {
    if (!act || !table.choices?.discard) return betting.draw(table, act, refresh);
    const { node, keys, felt } = exchange(table, act, refresh);
    return { node: drawFelt(table, felt), controls: node, keys };
  },

  prompt: (table) =>
    table.choices.discard ? [h("b", {}, "Which cards do you want to exchange?")] : betting.prompt(table),

  describe(line, mine) {
    if (line.kind !== "exchange") return betting.describe(line, mine);
    const many = `${line.count} card${line.count === 1 ? "" : "s"}`;
    return line.count ? `${mine ? "exchange" : "exchanges"} ${many}` : `${mine ? "stand" : "stands"} pat`;
  },
};
