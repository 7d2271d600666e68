// Standings with a dot for the mean and a line for its interval; and the cross table of a tournament.

import { h } from "../dom.js";
import { plusMinus, signed } from "../numbers.js";

const SHORT = 3; // decimals

/** rows: [{name, mean, ci95: [low, high], wins, draws, losses}]; `alone` for scores, which need no zero line. */
export function standings(rows, words, alone = false) {
  const spans = rows.map(({ mean, ci95 }) => (ci95 && ci95[0] !== null ? ci95 : [mean, mean]));
  const low = Math.min(...(alone ? [] : [0]), ...spans.map(([from]) => from));
  const high = Math.max(...(alone ? [] : [0]), ...spans.map(([, to]) => to));
  const span = high - low || 1;
  const at = (value) => `${(100 * (value - low)) / span}%`;
  const counted = rows.some((row) => row.wins !== undefined);
  const shown = (value) => (alone ? value.toFixed(1) : signed(value, SHORT));
  return h(
    "div",
    { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Standings" },
    h(
      "table",
      { class: "standings restack" },
      h("caption", {}, words),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "agent"),
          h("th", { scope: "col", class: "number" }, "mean"),
          h("th", { scope: "col", class: "wide" }, "95 % interval"),
          counted && ["won", "drawn", "lost"].map((word) => h("th", { scope: "col", class: "number" }, word)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row, i) =>
          h(
            "tr",
            { key: row.name },
            h("th", { scope: "row" }, row.name),
            h(
              "td",
              { class: `number ${alone ? "" : row.mean < 0 ? "bad" : "good"}`, "data-label": "mean" },
              shown(row.mean),
            ),
            h(
              "td",
              { class: "wide" },
              h(
                "span",
                { class: "whisker", "aria-hidden": "true" },
                !alone && h("i", { class: "zero", style: { left: at(0) } }),
                h("i", { class: "line", style: { left: at(spans[i][0]), right: `calc(100% - ${at(spans[i][1])})` } }),
                h("i", { class: "dot", style: { left: at(row.mean) } }),
              ),
              h("span", { class: "quiet fine" }, `${shown(spans[i][0])} to ${shown(spans[i][1])}`),
            ),
            counted &&
              [
                [row.wins, "won"],
                [row.draws, "drawn"],
                [row.losses, "lost"],
              ].map(([each, word]) => h("td", { class: "number", "data-label": word }, String(each ?? "–"))),
          ),
        ),
      ),
    ),
  );
}

/** What each row wins from each column, per deal. */
export function crossTable(order, cells) {
  const cell = (won) =>
    won
      ? h(
          "td",
          { class: "number" },
          h("span", { class: won.value < 0 ? "bad" : "good" }, signed(won.value, 2)),
          h("span", { class: "quiet fine" }, plusMinus(won.ci95)),
        )
      : h("td", { class: "number quiet" }, "–");
  return [
    h("p", { class: "quiet fine" }, "What the row wins from the column per deal, with 95 % intervals:"),
    h(
      "div",
      { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Who wins from whom" },
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
            order.map((name) => h("th", { scope: "col", class: "number" }, name)),
          ),
        ),
        h(
          "tbody",
          {},
          order.map((name, i) => h("tr", { key: name }, h("th", { scope: "row" }, name), cells[i].map(cell))),
        ),
      ),
    ),
  ];
}
