// All keys on one sheet.

import { h } from "./dom.js";
import { GAMES } from "./games/all.js";

const ELSEWHERE = [
  [
    "Everywhere",
    [
      ["N", "next hand"],
      ["B", "buy in again"],
      ["E", "reasons on or off"],
      ["?", "this sheet"],
    ],
  ],
  [
    "Replay",
    [
      ["← →", "one step back or forward"],
      ["Space", "play or pause"],
      ["Home End", "first or last step"],
    ],
  ],
  [
    "Solve",
    [
      ["1 … 9", "choose an action"],
      ["Backspace", "one step back"],
      ["← ↑ → ↓", "move over a grid"],
      ["Space", "paint a hand, or take it away"],
      ["Shift ← ↑ → ↓", "paint on"],
    ],
  ],
];

/** Each section once: games with betting share one. */
const sections = () => new Map([...GAMES.flatMap((game) => game.keys), ...ELSEWHERE]);

export function drawHelp(dialog) {
  dialog.append(
    h(
      "div",
      { class: "inside" },
      h("h2", { id: "help-title" }, "Keys"),
      h(
        "div",
        { class: "key-lists" },
        [...sections()].map(([title, keys]) =>
          h(
            "section",
            {},
            h("h3", { class: "title" }, title),
            h(
              "dl",
              { class: "figures" },
              keys.map(([key, words]) => h("div", {}, h("dt", {}, words), h("dd", {}, h("kbd", {}, key)))),
            ),
          ),
        ),
      ),
      h("form", { method: "dialog", class: "close" }, h("button", { class: "primary", autofocus: true }, "Close")),
    ),
  );
}
