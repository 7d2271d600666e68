// The plain board, for games without one of their own: the text that the game draws, and a button for every choice.
// It is also the list of everything that the module of a game can provide.

import { h } from "../dom.js";
import { busy, nameAt } from "../names.js";
import { signed } from "../numbers.js";

export const plain = {
  name: null, // as the server names the game
  line: "", // what the game is about, in the lobby
  fan: [], // cards shown in the lobby
  watched: null, // the agents that are watched if no others are chosen
  alone: false, // a game for one player, who scores points; agents play the same deal
  round: "hand", // what one deal is called
  parameters: {}, // the options in words
  suggested: {}, // values to choose from, for options that take any text
  keys: [["Other games", [["1 – 9", "make that choice"]]]], // for the sheet of keys: [title, [[key, meaning], …]]

  /** The board, its controls and keys. `act` sends an action; without it (a replay) there are no controls. */
  draw(table, act) {
    const choices = (act && table.choices?.actions) || [];
    const node = h(
      "section",
      { class: "plain cloth", "aria-label": "Table" },
      h("pre", {}, table.text ?? ""),
      h(
        "ul",
        { class: "players" },
        table.seats.map((seat) => drawPlayer(seat, table.you)),
      ),
    );
    if (!choices.length) return { node, keys: {} };
    const press = ({ action }) => act({ action });
    const controls = h(
      "div",
      { class: "betting" },
      h(
        "div",
        { class: "moves" },
        choices.map((choice, i) =>
          h(
            "button",
            { key: `action${choice.action}`, onclick: () => press(choice) },
            choice.label,
            i < 9 && h("kbd", { "aria-hidden": "true" }, String(i + 1)),
          ),
        ),
      ),
    );
    const keys = Object.fromEntries(choices.slice(0, 9).map((choice, i) => [String(i + 1), () => press(choice)]));
    return { node, controls, keys };
  },

  /** What the player has to do now. */
  prompt: () => [h("b", {}, "Your turn.")],

  /** How the hand ended, in one line. */
  outcome(table) {
    const results = table.seats
      .filter((seat) => seat.won !== null && seat.won !== undefined)
      .map((seat) => `${seat.seat === table.you ? "You" : seat.name} ${signed(seat.won)}`);
    return h("b", {}, `${results.join(", ")}.`);
  },

  /** What a player did, as it follows the name; `mine` if it follows "You". */
  describe: (line, mine) => `${mine ? "choose" : "chooses"} ${line.text}`,

  /** The same for the log, where it may be shorter. */
  brief: null,

  /** What a screen reader says after the deal, of the table, when it is one's turn, and at the end; null is nothing. */
  says: {
    deal: (_table) => null,
    table: (table, before) => (table.text !== before?.text ? table.text : null),
    turn: (_table) => "Your turn",
    end: (table) => winners(table).map((seat) => (seat.seat === table.you ? "You win" : `${seat.name} wins`)),
  },

  /** What is shown of an agent's values instead of bars; null keeps the bars. */
  reasons: (_thought) => null,
};

export const winners = (table) => table.seats.filter((seat) => seat.won > 0);

const drawPlayer = (seat, you) =>
  h(
    "li",
    { class: `player ${seat.to_act ? "acting" : ""}`, key: `seat${seat.seat}` },
    h("b", {}, nameAt(seat, you)),
    busy(seat) && h("span", {}, busy(seat)),
    seat.failed && h("span", { class: "said trouble", title: seat.failed }, `failed: ${seat.failed}`),
    seat.stack !== null && h("span", {}, `${seat.stack}`),
  );
