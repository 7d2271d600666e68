// Range against range: who has the better of it, as figures and as a curve over all hands.

import { h } from "../dom.js";
import { percent, plain } from "../numbers.js";
import { SHORT, SIDES } from "./spot.js";

const [WIDE, HIGH] = [300, 130];

export function versusPanel(node, names) {
  const row = (label, value) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, label),
      SIDES.map((side) => h("td", { class: "number" }, value(node.sides[side], node.hands[side]))),
    );
  return h(
    "section",
    { class: "panel versus", key: "versus", "aria-label": "Range against range" },
    h("header", {}, h("h2", { class: "title" }, "Range against range")),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td", {}),
          SIDES.map((side) =>
            h("th", { scope: "col", class: "number" }, h("i", { class: `dot ${side}` }), names[side]),
          ),
        ),
      ),
      h(
        "tbody",
        {},
        row("equity", (side) => `${(100 * side.equity).toFixed(1)}\u202f%`),
        row("EV, of pot", (side) => [
          h("span", { class: "quiet fine" }, `${percent(side.ev / node.pot)}  `),
          plain(side.ev, Math.abs(side.ev) < 100 ? 2 : 1),
        ]),
        row("combos", (side) => plain(side.combos, 1)),
      ),
    ),
    curves(node, names),
  );
}

/** The equity of all hands of each side, from the worst to the best. */
function curves(node, names) {
  const lines = SIDES.map((side) => [side, points(node.hands[side])]).filter(([, found]) => found.length);
  const at = (part) => HIGH - part * HIGH;
  return h(
    "figure",
    { class: "curves" },
    h(
      "svg",
      {
        viewBox: `-1 -4 ${WIDE + 2} ${HIGH + 8}`,
        role: "img",
        "aria-label": describe(node, names),
        preserveAspectRatio: "none",
      },
      [0, 0.25, 0.5, 0.75, 1].map((part) =>
        h("line", { class: part === 0.5 ? "half" : null, x1: 0, x2: WIDE, y1: at(part), y2: at(part) }),
      ),
      lines.map(([side, found]) =>
        h("path", {
          class: side,
          d: `M${found.map(([x, y]) => `${(x * WIDE).toFixed(1)} ${at(y).toFixed(1)}`).join("L")}`,
        }),
      ),
    ),
    h("figcaption", { class: "quiet fine" }, "Equity of every hand, from the worst to the best"),
  );
}

const describe = (node, names) =>
  `Equity: ${SIDES.map((side) => `${names[side] ?? SHORT[side]} ${percent(node.sides[side].equity)}`).join(", ")}`;

function points(hands) {
  const sorted = hands.map(({ weight, equity }) => [weight, equity ?? 0]).sort((a, b) => a[1] - b[1]);
  const total = sorted.reduce((sum, [weight]) => sum + weight, 0);
  const found = [];
  let sum = 0;
  for (const [weight, equity] of sorted) {
    found.push([sum / total, equity]);
    sum += weight;
    found.push([sum / total, equity]);
  }
  return found;
}
