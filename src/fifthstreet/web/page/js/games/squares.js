// Poker Squares: the grid, the points of every line, and what each free cell is expected to lead to.

import { drawCard, drawPlace, spoken } from "../cards.js";
import { draggable } from "../drag.js";
import { h } from "../dom.js";
import { chips, plain } from "../numbers.js";

export function drawSquares(table, act) {
  const { cells, rows, columns, total, next, system } = table.squares;
  const free = new Set(act ? table.choices?.cells : []);
  const expected = table.coach?.advice?.cells ?? table.thoughts?.find((thought) => !thought.hidden)?.cells;
  const known = (expected ?? []).filter((value) => value !== null && value !== undefined);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const heat = (value) => (high > low ? (value - low) / (high - low) : 1);
  const place = (cell) => act({ cell });
  const grid = [];
  for (let row = 0; row < 5; row++) {
    for (let column = 0; column < 5; column++) {
      const cell = 5 * row + column;
      grid.push(
        drawCell(cell, cells[cell], free.has(cell) && place, next, expected?.[cell], heat, expected?.[cell] === high),
      );
    }
    grid.push(
      h(
        "span",
        { class: "points", key: `row${row}` },
        h("span", { class: "unseen" }, `row ${row + 1}: `),
        plain(rows[row]),
      ),
    );
  }
  columns.forEach((points, i) =>
    grid.push(
      h(
        "span",
        { class: "points", key: `column${i}` },
        h("span", { class: "unseen" }, `column ${i + 1}: `),
        plain(points),
      ),
    ),
  );
  grid.push(h("b", { class: "points total", key: "total" }, h("span", { class: "unseen" }, "total: "), plain(total)));
  const node = h(
    "section",
    { class: "squares cloth", "aria-label": "Table" },
    h("div", { class: "grid", role: "group", "aria-label": `Grid, ${plain(total)} points` }, grid),
    h("div", { class: "beside" }, next && drawNext(next, free.size > 0, place), pointsOf(system)),
  );
  return { node, keys: free.size ? arrows() : {} };
}

function drawCell(cell, card, place, next, value, heat, best) {
  const where = `row ${Math.floor(cell / 5) + 1}, column ${(cell % 5) + 1}`;
  if (card) return h("span", { class: "cell", key: `cell${cell}` }, drawCard(card, { key: card }));
  const known = value !== null && value !== undefined;
  const look = { class: `cell free ${known ? "known" : ""} ${known && best ? "best" : ""}`, key: `cell${cell}` };
  const style = known ? { "--heat": heat(value) } : {};
  const text = known && h("span", { class: "expected" }, plain(value, Math.abs(value) < 100 ? 1 : 0));
  if (!place) return h("span", { ...look, style }, drawPlace(), text);
  const label = `${where}: put the ${spoken(next)} here${known ? `, ${plain(value)} points expected` : ""}`;
  return h(
    "button",
    { ...look, style, "aria-label": label, "data-drop": cell, "data-cell": cell, onclick: () => place(cell) },
    drawPlace(),
    text,
  );
}

function drawNext(card, mine, place) {
  const handle = h("span", { class: "next-card", key: `next${card}` }, drawCard(card, { key: card }));
  if (mine) draggable(handle, (cell) => place(Number(cell.dataset.drop)));
  return h("div", { class: "next" }, h("span", { class: "title" }, mine ? "Place this card" : "Next card"), handle);
}

function pointsOf(system) {
  if (!system?.length) return null;
  return h(
    "details",
    { class: "system", open: matchMedia("(min-width: 700px)").matches },
    h("summary", {}, "Points"),
    h(
      "dl",
      {},
      [...system].reverse().map(({ hand, points }) => h("div", {}, h("dt", {}, hand), h("dd", {}, chips(points)))),
    ),
  );
}

/** The arrow keys go from free cell to free cell; Enter presses the one that has the focus. */
function arrows() {
  const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const go = ([down, right]) => {
    const buttons = [...document.querySelectorAll("[data-cell]")];
    const here = Number(document.activeElement?.dataset?.cell ?? NaN);
    if (Number.isNaN(here)) return buttons[0]?.focus();
    const [row, column] = [Math.floor(here / 5), here % 5];
    const far = (button) => {
      const cell = Number(button.dataset.cell);
      const [dy, dx] = [Math.floor(cell / 5) - row, (cell % 5) - column];
      const ahead = dy * down + dx * right;
      return ahead > 0 ? ahead + 3 * Math.abs(down ? dx : dy) : Infinity;
    };
    const nearest = buttons.reduce((a, b) => (far(b) < far(a) ? b : a));
    if (far(nearest) < Infinity) nearest.focus();
  };
  return Object.fromEntries(Object.entries(moves).map(([key, move]) => [key, () => go(move)]));
}
