// A grid of cells that arrow keys move over: one of them is in the tab order, as WAI-ARIA has it for grids.

import { h } from "../dom.js";

/** `cell(i)` gives the properties and children of a cell; `at` is where the keyboard is, `move(i)` moves it. */
export function cells({ label, rows, columns, at, move, cell, className = "", act, ...more }) {
  const press = (event, i) => {
    const [row, column] = [Math.floor(i / columns), i % columns];
    const to = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: event.ctrlKey ? [0, 0] : [row, 0],
      End: event.ctrlKey ? [rows - 1, columns - 1] : [row, columns - 1],
    }[event.key];
    if (to) {
      event.preventDefault();
      event.stopPropagation();
      const next = within(to[0], rows) * columns + within(to[1], columns);
      const grid = event.currentTarget.closest("[role=grid]");
      move(next, event.shiftKey);
      grid.querySelector(`[data-cell="${next}"]`).focus();
    } else if ((event.key === " " || event.key === "Enter") && act) {
      event.preventDefault();
      event.stopPropagation();
      act(i);
    }
  };
  return h(
    "div",
    { role: "grid", "aria-label": label, class: `cells ${className}`, style: { "--columns": columns }, ...more },
    Array.from({ length: rows }, (_, row) =>
      h(
        "div",
        { role: "row", class: "cells-row" },
        Array.from({ length: columns }, (_, column) => {
          const i = row * columns + column;
          const { children, ...props } = cell(i);
          return h(
            "div",
            {
              role: "gridcell",
              tabindex: i === at ? 0 : -1,
              "data-cell": i,
              onkeydown: (event) => press(event, i),
              ...props,
            },
            children,
          );
        }),
      ),
    ),
  );
}

const within = (place, count) => Math.max(0, Math.min(count - 1, place));
