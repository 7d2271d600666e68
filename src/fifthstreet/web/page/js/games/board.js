// The table of any game: what is drawn, what may be pressed, and which keys press it.

import { h } from "../dom.js";
import { chips } from "../numbers.js";
import { bettingControls } from "./betting.js";
import { exchange } from "./exchange.js";
import { drawFelt } from "./felt.js";
import { drawFiveO } from "./five_o.js";
import { drawSquares } from "./squares.js";

/** {node, controls, keys}; without `act` it is only looked at. */
export function drawBoard(table, act = null, refresh = () => {}) {
  const asked = act && table.choices;
  if (table.five_o) return drawFiveO(table, asked ? act : null);
  if (table.squares) return drawSquares(table, asked ? act : null);
  if (asked && table.choices.discard) {
    const { node, keys, felt } = exchange(table, act, refresh);
    return { node: drawFelt(table, felt), controls: node, keys };
  }
  if (asked) {
    const { node, keys } = bettingControls(table, act, refresh);
    return { node: drawFelt(table), controls: node, keys };
  }
  return { node: drawFelt(table), keys: {} };
}

/** One line that says what is to be done, or what is being waited for. */
export function promptFor(table) {
  if (table.over) return null;
  if (table.choices) {
    if (table.five_o) return [h("b", {}, "Your turn."), " Choose a column for the card."];
    if (table.squares) return [h("b", {}, "Your turn."), " Choose a cell for the card."];
    if (table.choices.discard) return [h("b", {}, "Which cards shall go?")];
    const { call } = table.choices;
    return [
      h("b", {}, "Your turn."),
      call ? ` ${chips(call)} to call into a pot of ${chips(table.pot)}.` : " Nothing to call.",
    ];
  }
  const acting = table.seats.find((seat) => seat.to_act);
  const preparing = table.seats.find((seat) => seat.preparing);
  if (preparing) return `${preparing.name} is learning, which it does once; that may take a while …`;
  if (acting?.thinking) return `${acting.name} is thinking …`;
  return acting ? `${acting.name} is to act.` : "";
}
