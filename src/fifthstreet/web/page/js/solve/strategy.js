// The strategy as a coloured 13 × 13 grid, and the hands of one of its classes.

import { cardInText, spokenAll } from "../cards.js";
import { h } from "../dom.js";
import { percent, plain } from "../numbers.js";
import { coloursOf, inWords, named, stripes } from "./actions.js";
import { cells } from "./cells.js";
import { CLASSES, combosWithout, placeOf, spokenClass } from "./classes.js";
import { kindOf } from "./range_grid.js";
import { cardsOf } from "./spot.js";

/** The hands of a side by class: how much they weigh, and what they average. */
export function classesOf(node, side) {
  const found = CLASSES.map(() => ({ weight: 0, ev: 0, equity: 0, frequency: node.actions.map(() => 0), hands: [] }));
  for (const hand of node.hands[side]) {
    const each = found[placeOf(hand.hand)];
    each.hands.push(hand);
    each.weight += hand.weight;
    each.equity += hand.weight * (hand.equity ?? 0);
    each.ev += hand.weight * (hand.ev ?? 0);
    hand.frequency?.forEach((share, a) => {
      each.frequency[a] += hand.weight * share;
    });
  }
  for (const each of found)
    if (each.weight > 0) {
      each.equity /= each.weight;
      each.ev /= each.weight;
      each.frequency = each.frequency.map((sum) => sum / each.weight);
    }
  return found;
}

/** `shown` is "strategy", "ev" or "equity"; `look(i)` shows the hands of a class, `settle(i)` keeps them. */
export function strategyGrid({ node, side, classes, shown, at, marked, look, settle }) {
  const colours = coloursOf(node.actions);
  const board = cardsOf(node.board);
  const shares = classes.map((each, i) => each.weight / Math.max(1, combosWithout(CLASSES[i], board)));
  const most = Math.max(1e-9, ...shares);
  const values = classes.filter((each) => each.weight > 0).map((each) => each[shown === "ev" ? "ev" : "equity"]);
  const [low, high] = shown === "equity" ? [0, 1] : [Math.min(...values), Math.max(...values)];
  const striped = shown === "strategy" && node.to_act === side;
  return cells({
    label: striped ? "Strategy" : "Hands",
    rows: 13,
    columns: 13,
    at,
    className: "range-grid strategy-grid",
    move: settle,
    act: settle,
    onpointerleave: () => look(null),
    cell: (i) => {
      const name = CLASSES[i];
      const each = classes[i];
      const here = each.weight > 0;
      const part = (each[shown === "ev" ? "ev" : "equity"] - low) / (high - low || 1);
      const fill = striped ? stripes(each.frequency, colours) : shown === "strategy" ? "var(--plain-fill)" : heat(part);
      return {
        class: `class-cell ${kindOf(name)} ${here ? "filled" : ""} ${i === marked ? "marked" : ""}`,
        style: {
          "--fill": here ? fill : "none",
          "--high": here ? `${Math.max(12, Math.round((100 * shares[i]) / most))}%` : "0%",
        },
        "aria-selected": String(i === at),
        "aria-label": here
          ? [
              `${spokenClass(name)}: ${striped ? `${inWords(node.actions, each.frequency)}; ` : ""}EV ${plain(each.ev)}`,
              `equity ${percent(each.equity)}`,
              `${each.weight.toFixed(1)} combos`,
            ].join(", ")
          : `${spokenClass(name)}: not in the range`,
        onclick: () => settle(i),
        onpointerenter: (event) => event.pointerType === "mouse" && look(here ? i : null),
        children: [
          h("span", { class: "fill", "aria-hidden": "true" }),
          h("span", { class: "name" }, name),
          here && shown !== "strategy" && h("span", { class: "figure", "aria-hidden": "true" }, figure(each, shown)),
        ],
      };
    },
  });
}

const figure = (each, shown) => (shown === "ev" ? plain(Math.round(each.ev)) : Math.round(100 * each.equity));

/** From low to high: red, amber, green. */
const heat = (part) => {
  const to = part < 0.5 ? "var(--size-3), var(--size-1)" : "var(--size-1), var(--passive)";
  const share = Math.round(100 * (part < 0.5 ? 1 - 2 * part : 2 - 2 * part));
  const [from, until] = to.split(", ");
  const mixed = `color-mix(in oklab, ${from} ${share}%, ${until})`;
  return `linear-gradient(${mixed}, ${mixed})`;
};

/** The hands of a class, each with its frequencies, EV and equity. */
export function drawHands({ node, side, name, each, held }) {
  const colours = coloursOf(node.actions);
  const acting = node.to_act === side;
  const hands = [...each.hands].sort((a, b) => b.weight - a.weight || b.ev - a.ev);
  return [
    h(
      "header",
      {},
      h("h2", {}, name, h("span", { class: "quiet fine" }, `  ${spokenClass(name)}`)),
      h("span", { class: "quiet fine" }, each.weight > 0 ? `${each.weight.toFixed(1)} combos` : "not here"),
    ),
    acting && each.weight > 0 && h("p", { class: "fine class-words" }, inWords(node.actions, each.frequency)),
    hands.length > 0
      ? h(
          "div",
          { class: "scrolls hand-table", tabindex: "0", role: "region", "aria-label": `The hands of ${name}` },
          h(
            "table",
            {},
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                h("th", { scope: "col" }, "hand"),
                acting
                  ? h("th", { scope: "col", class: "wide" }, "plays")
                  : h("th", { scope: "col", class: "number" }, "weight"),
                h("th", { scope: "col", class: "number" }, "EV"),
                h("th", { scope: "col", class: "number" }, "equity"),
              ),
            ),
            h(
              "tbody",
              {},
              hands.map((hand) => handRow(hand, node, acting, colours, hand.hand === held)),
            ),
          ),
        )
      : h("p", { class: "quiet fine" }, "No hand of this class gets here."),
  ];
}

function handRow({ hand: cards, weight, equity, ev, frequency }, node, acting, colours, held) {
  const pair = cards.match(/../g);
  return h(
    "tr",
    { key: cards, class: held ? "own" : "" },
    h("th", { scope: "row", "aria-label": spokenAll(pair) }, pair.map(cardInText)),
    acting
      ? h(
          "td",
          { class: "wide" },
          h(
            "span",
            {
              class: "mix",
              "aria-hidden": "true",
              style: { "--fill": stripes(frequency, colours), "--weight": Math.max(0.25, Math.min(1, weight)) },
            },
            biggest(frequency),
          ),
          h("span", { class: "unseen" }, inWords(node.actions, frequency)),
        )
      : h("td", { class: "number" }, percent(Math.min(1, weight))),
    h("td", { class: "number" }, plain(ev, Math.abs(ev) < 100 ? 1 : 0)),
    h("td", { class: "number" }, equity === null ? "–" : `${(100 * equity).toFixed(1)}\u202f%`),
  );
}

/** How often the action is played that is played most, written at its place in the bar. */
function biggest(frequency) {
  const top = frequency.indexOf(Math.max(...frequency));
  const before = frequency.slice(top + 1).reduce((sum, share) => sum + share, 0);
  return h(
    "b",
    { style: { left: `${100 * before}%`, width: `${100 * frequency[top]}%` } },
    Math.round(100 * frequency[top]),
  );
}

/** What one hand should do: how often it takes each action, and what each is worth. */
export function drawVerdicts(node, { frequency, action_ev }) {
  const colours = coloursOf(node.actions);
  return h(
    "ul",
    { class: "verdicts", "aria-label": "What this hand should do" },
    node.actions.map((action, i) =>
      h(
        "li",
        { style: { "--colour": colours[i] } },
        h("b", {}, `${named(action)} ${percent(frequency[i])}`),
        h("span", {}, ` EV ${plain(action_ev[i], 1)}`),
      ),
    ),
  );
}
