// The panel of reasons: what each agent thought at its last decision, unless that is still hidden.

import { h, icon } from "../dom.js";
import { gameNamed } from "../games/all.js";
import { drawThought } from "./thought.js";

let looked = null; // the seat whose reasons are shown; null is the one that acted last

export function reasonsPanel(table, on, toggle, refresh) {
  const thoughts = table.thoughts ?? [];
  const seats = new Map(thoughts.map((thought) => [thought.seat, thought])); // the last of each
  const shown = seats.get(looked) ?? seats.get(lastToDecide(table, seats));
  const game = gameNamed(table.game);
  const names = Object.fromEntries(table.seats.map((seat) => [seat.seat, seat.name]));
  return h(
    "section",
    { class: "panel reasons", key: "reasons", "aria-label": "Reasons" },
    h(
      "header",
      {},
      h("h2", { class: "title" }, on && shown && !shown.hidden ? `What ${shown.name} thought` : "Reasons"),
      h(
        "label",
        { class: "tick fine" },
        h("input", { type: "checkbox", role: "switch", checked: on, onchange: toggle }),
        "show",
      ),
    ),
    !on && h("p", { class: "quiet fine" }, "Switched off: you play as at a real table."),
    on &&
      !shown &&
      h(
        "p",
        { class: "quiet fine" },
        game.alone ? rivals(table) : "The reasons for each agent’s decisions appear here.",
      ),
    on && seats.size > 1 && chooser([...seats.values()], shown, refresh),
    on &&
      shown &&
      (shown.hidden
        ? sealed(shown)
        : h("div", { class: "thought", key: `thought${shown.seat}` }, drawThought(shown, names, game))),
  );
}

/** In a game for one: whether the agents have played the same deal yet. */
function rivals({ over, seats, you }) {
  const left = seats.filter(({ seat, score }) => seat !== (you ?? 0) && (score === null || score === undefined));
  if (seats.length === 1) return "Nobody else plays this deal.";
  if (!over) return "The agent plays the same deal when you are done.";
  return left.length
    ? "The agent is playing the same deal."
    : "The agent has played the same deal: see its score below.";
}

/** Of the seats with reasons, the one that acted last. */
const lastToDecide = (table, seats) =>
  (table.log ?? [])
    .flatMap((street) => street.lines)
    .map((line) => line.seat)
    .filter((seat) => seats.has(seat))
    .at(-1) ?? [...seats.keys()].at(-1);

const FEW = 4; // names that find room beside each other

function chooser(thoughts, shown, refresh) {
  const press = (seat) => () => {
    looked = seat;
    refresh();
  };
  if (thoughts.length > FEW)
    return h(
      "select",
      {
        class: "whose-reasons",
        "aria-label": "Whose reasons",
        value: String(shown.seat),
        onchange: (event) => press(Number(event.target.value))(),
      },
      thoughts.map(({ seat, name }) => h("option", { value: String(seat) }, name)),
    );
  return h(
    "div",
    { class: "tabs", role: "group", "aria-label": "Whose reasons" },
    thoughts.map((thought) =>
      h(
        "button",
        { key: `of${thought.seat}`, "aria-pressed": String(thought === shown), onclick: press(thought.seat) },
        thought.name,
      ),
    ),
  );
}

const sealed = (thought) =>
  h(
    "p",
    { class: "sealed" },
    icon("lock"),
    `${thought.name} has decided. Its reasons would give away its cards, so they open when the hand is over.`,
  );
