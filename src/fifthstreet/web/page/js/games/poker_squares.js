// Poker Squares: the grid, the points of every line, and the expected score of each free cell.

import { drawCard, drawPlace, spoken } from "../cards.js";
import { h } from "../dom.js";
import { draggable } from "../drag.js";
import { chips, plain as number } from "../numbers.js";

const where = (cell) => `row ${Math.floor(cell / 5) + 1}, column ${(cell % 5) + 1}`;

export const pokerSquares = {
  name: "poker-squares",
  line: "Twenty-five cards on a grid: every row and column is a hand.",
  fan: ["As", "Ks", "Qs", "Js", "Ts"],
  watched: ["greedy", "random"],
  alone: true,
  round: "game",
  parameters: { system: "Point system" },
  // A system may end in a seed after a colon; ten numbers from high card to royal flush are one as well.
  suggested: {
    system: [
      "american",
      "english",
      "ameritish:1",
      "ameritish:2",
      "random:1",
      "random:2",
      "hypercorner:1",
      "hypercorner:2",
      "single:5",
      "single:8",
    ],
  },
  keys: [
    [
      "Poker Squares",
      [
        ["← ↑ ↓ →", "go to a cell"],
        ["Enter", "place the card"],
        ["U", "take back, in practice"],
      ],
    ],
  ],
  draw: (table, act) => drawSquares(table, act),
  prompt: () => [h("b", {}, "Your turn."), " Choose a cell for the card."],

  outcome(table) {
    const rivals = table.seats.filter((seat) => seat.seat !== (table.you ?? 0));
    const scores = rivals.map(({ name, score }) =>
      score === null || score === undefined ? `${name} is still playing` : `${name} has ${number(score)}`,
    );
    return [
      h("b", {}, `${number(table.squares.total)} points.`),
      scores.length > 0 && ` On the same deal ${scores.join(", ")}.`,
    ];
  },

  describe: ({ card, cell }, mine) => `${mine ? "put" : "puts"} ${card} in ${where(cell)}`,
  brief: ({ card, cell }) => `${card} → ${Math.floor(cell / 5) + 1}.${(cell % 5) + 1}`,

  says: {
    turn: (table) => `Place the ${spoken(table.squares.next)}`,
    end: (table) => [`${table.squares.total} points`],
  },

  reasons: (thought) =>
    thought.cells && h("p", { class: "quiet fine" }, "The score it expects from every free cell is on the grid."),
};

function drawSquares(table, act) {
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
        drawCell(cell, cells[cell], act && { go: free.has(cell) ? place : null, next }, {
          value: expected?.[cell],
          heat,
          best: expected?.[cell] === high,
        }),
      );
    }
    grid.push(drawPoints("row", row, rows[row]));
  }
  for (const [column, points] of columns.entries()) grid.push(drawPoints("column", column, points));
  grid.push(h("b", { class: "points total", key: "total" }, h("span", { class: "unseen" }, "total: "), number(total)));
  const node = h(
    "section",
    { class: "squares cloth", "aria-label": "Table" },
    h("div", { class: "grid", role: "group", "aria-label": `Grid, ${number(total)} points` }, grid),
    h("div", { class: "beside" }, next && drawNext(next, free.size > 0, place), pointsOf(system)),
  );
  return { node, keys: free.size ? arrows() : {} };
}

const drawPoints = (line, i, points) =>
  h(
    "span",
    { class: "points", key: `${line}${i}` },
    h("span", { class: "unseen" }, `${line} ${i + 1}: `),
    number(points),
  );

/** A free cell is a button in one's own game, also while a move is on its way: so it stays the same element. */
function drawCell(cell, card, own, { value, heat, best }) {
  if (card) return h("span", { class: "cell", key: `cell${cell}` }, drawCard(card, { key: card }));
  const known = value !== null && value !== undefined;
  const look = { class: `cell free ${known ? "known" : ""} ${known && best ? "best" : ""}`, key: `cell${cell}` };
  const style = known ? { "--heat": heat(value) } : {};
  const text = known && h("span", { class: "expected" }, number(value, Math.abs(value) < 100 ? 1 : 0));
  if (!own) return h("span", { ...look, style }, drawPlace(), text);
  const { go, next } = own;
  const promise = known ? `, ${number(value)} points expected` : "";
  const label = go && next ? `${where(cell)}: put the ${spoken(next)} here${promise}` : `${where(cell)}: empty`;
  const open = go ? { "data-drop": cell, "data-cell": cell, onclick: () => go(cell) } : { "aria-disabled": "true" };
  return h("button", { ...look, style, "aria-label": label, ...open }, drawPlace(), text);
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
