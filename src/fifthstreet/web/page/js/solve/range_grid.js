// A range as a 13 × 13 grid to paint: by dragging, by taps, or with the space bar.

import { percent } from "../numbers.js";
import { cells } from "./cells.js";
import { CLASSES, spokenClass } from "./classes.js";

/** `paint(i, weight)` sets the weight of a class; `brush` is the weight that is painted. */
export function rangeGrid({ label, grid, brush, at, move, paint }) {
  const wanted = (i) => (grid[i] === brush ? 0 : brush);
  return cells({
    label,
    rows: 13,
    columns: 13,
    at,
    className: "range-grid",
    move: (i, painting) => {
      if (painting) paint(i, brush);
      move(i);
    },
    act: (i) => paint(i, wanted(i)),
    onpointerdown: (down) => drag(down, wanted, paint, move),
    cell: (i) => ({
      class: `class-cell ${kindOf(CLASSES[i])} ${grid[i] > 0 ? "in" : ""}`,
      style: { "--weight": Math.min(1, grid[i]) },
      "aria-label": `${spokenClass(CLASSES[i])}, ${grid[i] > 0 ? percent(grid[i]) : "not in the range"}`,
      "aria-selected": String(grid[i] > 0),
      title: grid[i] > 0 && grid[i] < 1 ? percent(grid[i]) : null,
      children: CLASSES[i],
    }),
  });
}

export const kindOf = (name) => (name.length === 2 ? "pair" : name[2] === "s" ? "suited" : "offsuit");

const cellAt = (event) => {
  const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest(".range-grid [data-cell]");
  return cell ? Number(cell.dataset.cell) : null;
};

/** A mouse paints at once; a finger when it has left its first cell or is lifted, for it may be about to scroll. */
function drag(down, wanted, paint, move) {
  const first = cellAt(down);
  if (first === null || down.button !== 0) return;
  const grid = down.currentTarget;
  const weight = wanted(first);
  let last = null;
  const reach = (i) => {
    if (i === null || i === last || !grid.isConnected) return;
    last = i;
    paint(i, weight);
  };
  if (down.pointerType === "mouse") reach(first);
  const going = (event) => {
    const here = cellAt(event);
    if (here !== null && here !== first) reach(first);
    if (here !== first || last !== null) reach(here);
  };
  const end = (event) => {
    removeEventListener("pointermove", going);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    if (event.type === "pointerup") {
      if (last === null) reach(first);
      move(last);
    }
  };
  addEventListener("pointermove", going);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}
