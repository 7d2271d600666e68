// The line below the table: what is to be done, who is being waited for, or how the hand ended.

import { h } from "../dom.js";
import { gameNamed } from "../games/all.js";
import { nameAt, short } from "../names.js";

/** For somebody without a seat: what they see, and a seat if one is free. */
export const watching = (table, sit) =>
  h(
    "div",
    { class: "watching row", role: "status" },
    h("p", {}, h("b", {}, "You are watching."), " You see the open cards only."),
    table.may.sit && h("button", { class: "primary small", onclick: sit }, "Sit down"),
  );

/** One line that says what is to be done, or who is being waited for. */
function promptFor(table) {
  if (table.choices) return gameNamed(table.game).prompt(table);
  const acting = table.seats.find((seat) => seat.to_act);
  const preparing = table.seats.find((seat) => seat.preparing);
  if (acting && acting.seat === table.you) return ""; // the choice is on its way
  if (preparing) return `${preparing.name} is learning, which it does only once; this may take a while …`;
  if (acting?.thinking) return `${nameAt(acting)} is thinking …`;
  if (acting?.absent && !acting.stand_in) return `${acting.name} is to act, and is not here.`;
  return acting ? `${nameAt(acting)} is to act.` : "";
}

export function drawPrompt(table, { next, rebuy, undo, send, replace }) {
  const game = gameNamed(table.game);
  const back =
    table.may?.undo &&
    h("button", { class: "small", key: "undo", onclick: undo }, "Take back", h("kbd", { "aria-hidden": "true" }, "U"));
  const missing = table.seats.find((seat) => seat.to_act && table.may?.stand_in?.includes(seat.seat));
  const replacing =
    missing &&
    h(
      "button",
      { class: "small", key: "replace", onclick: () => replace(missing.seat) },
      `Let ${short(table.stand_in)} play for ${missing.name}`,
    );
  if (!table.over)
    return h("div", { class: "row prompt", key: "prompt" }, h("p", {}, promptFor(table)), back, replacing);
  return h(
    "div",
    { class: "row prompt result", key: "result" },
    h("p", {}, game.outcome(table)),
    table.may?.next !== false
      ? [nextButton(game, next), replayLink(table), rebuyButton(table, rebuy)]
      : [rebuyButton(table, rebuy), replayLink(table)],
    table.you === null &&
      h(
        "label",
        { class: "tick fine" },
        h("input", {
          type: "checkbox",
          checked: table.auto,
          onchange: (event) => send({ type: "auto", on: event.target.checked }),
        }),
        "next hand automatically",
      ),
    back,
  );
}

const nextButton = (game, next) =>
  h(
    "button",
    { class: "primary", key: "next", onclick: next },
    `Next ${game.round}`,
    h("kbd", { "aria-hidden": "true" }, "N"),
  );

const replayLink = (table) =>
  table.hand_id && h("a", { class: "button", key: "replay", href: `#/hand/${table.hand_id}` }, "Replay");

const rebuyButton = (table, rebuy) =>
  table.may?.rebuy &&
  h(
    "button",
    { class: table.may.next ? "" : "primary", key: "rebuy", onclick: rebuy },
    table.may.next ? "Let the others buy in again" : "Buy in again",
    h("kbd", { "aria-hidden": "true" }, "B"),
  );
