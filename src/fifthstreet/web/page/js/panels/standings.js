// Standings with their intervals: a dot for the mean, a line for what it may be.

import { h } from "../dom.js";
import { signed } from "../numbers.js";

/** rows: [{name, mean, ci95 (half or [low, high]), won, drawn, lost}] */
export function standings(rows, unit = "a deal") {
  const spans = rows.map(({ mean, ci95 }) => bounds(mean, ci95));
  const low = Math.min(0, ...spans.map(([from]) => from));
  const high = Math.max(0, ...spans.map(([, to]) => to));
  const span = high - low || 1;
  const at = (value) => `${(100 * (value - low)) / span}%`;
  const counted = rows.some((row) => row.won !== undefined && row.won !== null);
  return h(
    "div",
    { class: "scrolls" },
    h(
      "table",
      { class: "standings" },
      h("caption", {}, `Mean ${unit}, with 95 % intervals`),
      h("thead", {}, h("tr", {}, h("th", {}, "agent"), h("th", { class: "number" }, "mean"), h("th", { class: "wide" }, "interval"), counted && ["won", "drawn", "lost"].map((word) => h("th", { class: "number" }, word)))),
      h(
        "tbody",
        {},
        rows.map((row, i) =>
          h(
            "tr",
            { key: row.name },
            h("th", { scope: "row" }, row.name),
            h("td", { class: `number ${row.mean < 0 ? "bad" : "good"}` }, signed(row.mean, 3)),
            h(
              "td",
              { class: "wide" },
              h(
                "span",
                { class: "whisker", role: "img", "aria-label": `from ${signed(spans[i][0], 3)} to ${signed(spans[i][1], 3)}` },
                h("i", { class: "zero", style: { left: at(0) } }),
                h("i", { class: "line", style: { left: at(spans[i][0]), right: `calc(100% - ${at(spans[i][1])})` } }),
                h("i", { class: "dot", style: { left: at(row.mean) } }),
              ),
              h("span", { class: "quiet fine" }, `${signed(spans[i][0], 3)} to ${signed(spans[i][1], 3)}`),
            ),
            counted && [row.won, row.drawn, row.lost].map((each) => h("td", { class: "number" }, each === null || each === undefined ? "–" : String(each))),
          ),
        ),
      ),
    ),
  );
}

const bounds = (mean, interval) => (Array.isArray(interval) ? interval : [mean - (interval ?? 0), mean + (interval ?? 0)]);
