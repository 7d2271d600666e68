// The form in which a spot is put together: board, ranges, chips and sizes.

import { drawCard, drawPlace } from "../cards.js";
import { h } from "../dom.js";
import { chips, percent } from "../numbers.js";
import { cardGrid } from "./card_grid.js";
import { CLASSES, textOf } from "./classes.js";
import { fixedPanel } from "./fixed.js";
import { rangeGrid } from "./range_grid.js";
import { BETS, cardsOf, NAMES, RAISES, SIDES, simpleSizes, toggled } from "./spot.js";

const TOPS = ["10%", "20%", "35%", "50%", "random"];
const UNTIL = [1, 0.5, 0.3, 0.1, 0.05];
const HANDS = 1326;

/** `now` is {spot, seen, brush, at}; `set(changes)` changes the spot, `turn(changes)` the rest. */
export function drawForm(now, set, turn, submit, below) {
  return h(
    "form",
    {
      class: "spot-form",
      "aria-label": "The spot",
      onsubmit: (event) => {
        event.preventDefault();
        submit();
      },
    },
    h(
      "div",
      { class: "spot-side" },
      boardPanel(now, set, turn),
      chipsPanel(now, set),
      fixedPanel(now.spot, now.agents, set),
    ),
    SIDES.map((side) => rangePanel(side, now, set, turn)),
    below,
  );
}

function boardPanel({ spot, at }, set, turn) {
  const board = cardsOf(spot.board);
  const pick = (card) => {
    const rest = board.filter((each) => each !== card);
    set({ board: (rest.length < board.length ? rest : [...board.slice(0, 4), card]).join("") });
  };
  return h(
    "section",
    { class: "panel", key: "board", "aria-label": "Board" },
    h(
      "header",
      {},
      h("h2", { class: "title" }, "Board"),
      h("button", { type: "button", class: "plainly", onclick: () => set({ board: "" }) }, "Clear"),
    ),
    h(
      "div",
      { class: "spot-board" },
      Array.from({ length: 5 }, (_, i) => (board[i] ? drawCard(board[i], { key: board[i] }) : drawPlace("sunk"))),
    ),
    cardGrid({
      label: "Cards of the board",
      chosen: board,
      at: at.board,
      move: (i) => turn({ at: { ...at, board: i } }),
      pick,
    }),
    h(
      "label",
      { class: "field" },
      "or typed",
      h("input", {
        value: spot.board,
        spellcheck: "false",
        autocomplete: "off",
        placeholder: "QsJh2h",
        oninput: (event) => set({ board: event.target.value }),
      }),
    ),
  );
}

function chipsPanel({ spot }, set) {
  const number = (name, label) =>
    h(
      "label",
      { class: "field" },
      label,
      h("input", {
        type: "number",
        min: 1,
        max: 1_000_000_000,
        inputmode: "numeric",
        value: spot[name],
        oninput: ({ target }) => set({ [name]: target.value === "" ? "" : Number(target.value) }),
      }),
    );
  return h(
    "section",
    { class: "panel", key: "chips", "aria-label": "Chips and sizes" },
    h("header", {}, h("h2", { class: "title" }, "Chips and sizes")),
    h("div", { class: "spot-chips" }, number("pot", "Pot"), number("stack", "Stacks behind")),
    sizeButtons(spot, set, "bets", "Bets", BETS),
    sizeButtons(spot, set, "raises", "Raises", RAISES),
    h(
      "label",
      { class: "field" },
      "or typed",
      h("input", {
        value: spot.sizes,
        spellcheck: "false",
        autocomplete: "off",
        "aria-describedby": "sizes-help",
        oninput: (event) => set({ sizes: event.target.value }),
      }),
    ),
    h(
      "p",
      { class: "quiet fine", id: "sizes-help" },
      "Per cent of the pot, chips (90c) or all-in; raises after “/”. By street: flop 33%; turn, river 75% / all-in",
    ),
    h(
      "div",
      { class: "spot-chips" },
      pickOne(
        "Raises after a bet",
        spot.raise_cap ?? "",
        ["", 0, 1, 2, 3, 4],
        (each) => (each === "" ? "any number" : `at most ${each}`),
        (value) => set({ raise_cap: value === "" ? null : Number(value) }),
      ),
      pickOne(
        "Precise to",
        spot.until,
        UNTIL,
        (each) => `${each}\u202f% of the pot`,
        (value) => set({ until: Number(value) }),
      ),
    ),
  );
}

function pickOne(label, value, options, words, choose) {
  const all = options.includes(value) ? options : [value, ...options];
  return h(
    "label",
    { class: "field" },
    label,
    h(
      "select",
      { value: String(value), onchange: (event) => choose(event.target.value) },
      all.map((each) => h("option", { value: String(each) }, words(each))),
    ),
  );
}

function sizeButtons(spot, set, kind, label, all) {
  const chosen = simpleSizes(spot.sizes);
  return h(
    "div",
    { class: "size-row", role: "group", "aria-label": label },
    h("span", { class: "quiet fine" }, label),
    all.map((size) =>
      h(
        "button",
        {
          type: "button",
          class: "small pill",
          disabled: !chosen,
          "aria-pressed": String(chosen?.[kind].includes(size) ?? false),
          onclick: () => set({ sizes: toggled(spot.sizes, kind, size) }),
        },
        size.replace("%", "\u202f%"),
      ),
    ),
  );
}

function rangePanel(side, { spot, names, seen, brush, at }, set, turn) {
  const range = seen[side] ?? {};
  const grid = range.grid ?? CLASSES.map(() => 0);
  const paint = (i, weight) => {
    grid[i] = weight;
    const { [CLASSES[i]]: _, ...single } = range.single ?? {};
    turn({ seen: { ...seen, [side]: { ...range, grid, single, error: null } } });
    set({ [side]: textOf(grid, single) }, side);
  };
  return h(
    "section",
    { class: "panel range-panel", key: side, "aria-label": `Range: ${NAMES[side]}` },
    h(
      "header",
      {},
      h(
        "h2",
        {},
        NAMES[side],
        h("span", { class: "quiet fine" }, `  ${names?.[side] ?? ""} ${side === "oop" ? "acts first" : "acts last"}`),
      ),
      h(
        "span",
        { class: "fine quiet" },
        range.hands ? `${chips(range.weight)} combos, ${percent(range.weight / HANDS)}` : "no hands",
      ),
    ),
    rangeGrid({
      label: `Range ${NAMES[side].toLowerCase()}: space paints, shift with arrows paints on`,
      grid,
      brush,
      at: at[side],
      move: (i) => turn({ at: { ...at, [side]: i } }),
      paint,
    }),
    h(
      "div",
      { class: "brush" },
      h(
        "label",
        { class: "fine" },
        `Paint with ${percent(brush)}`,
        h("input", {
          type: "range",
          min: 5,
          max: 100,
          step: 5,
          value: Math.round(100 * brush),
          "aria-valuetext": percent(brush),
          oninput: (event) => turn({ brush: Number(event.target.value) / 100 }),
        }),
      ),
      h(
        "div",
        { class: "row tops", role: "group", "aria-label": "Fill the range" },
        TOPS.map((text) =>
          h(
            "button",
            { type: "button", class: "small pill", onclick: () => set({ [side]: text }) },
            text === "random" ? "all" : text.replace("%", "\u202f%"),
          ),
        ),
        h("button", { type: "button", class: "small pill", onclick: () => set({ [side]: "" }) }, "none"),
      ),
    ),
    h(
      "label",
      { class: "field" },
      "or typed",
      h("input", {
        value: spot[side],
        spellcheck: "false",
        autocomplete: "off",
        placeholder: "77+, ATs+, AJo+, KQs:0.5",
        "aria-invalid": range.error ? "true" : null,
        oninput: (event) => set({ [side]: event.target.value }),
      }),
    ),
    range.error && h("p", { class: "bad fine" }, range.error),
  );
}
