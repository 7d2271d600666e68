// All keys on one sheet.

import { h } from "./dom.js";

const KEYS = [
  [
    "Betting",
    [
      ["F", "fold"],
      ["C", "call or check"],
      ["R", "bet or raise"],
      ["↑ ↓", "change the amount"],
      ["1 – 6", "fractions of the pot"],
      ["A", "type an amount"],
    ],
  ],
  [
    "Five-card draw",
    [
      ["1 – 5", "mark a card"],
      ["D", "exchange, or stand pat"],
    ],
  ],
  ["Five-O", [["1 – 5", "place the card in that column"]]],
  [
    "Poker Squares",
    [
      ["← ↑ ↓ →", "go to a cell"],
      ["Enter", "place the card"],
      ["U", "take back, in practice"],
    ],
  ],
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
      ["← →", "step back, step on"],
      ["Space", "play or pause"],
      ["Home End", "first, last step"],
    ],
  ],
];

export function drawHelp(dialog) {
  dialog.append(
    h(
      "div",
      { class: "inside" },
      h("h2", { id: "help-title" }, "Keys"),
      h(
        "div",
        { class: "key-lists" },
        KEYS.map(([title, keys]) =>
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
