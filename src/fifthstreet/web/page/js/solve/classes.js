// The 169 classes of hands, in the order of the usual chart, and a range as text.

import { RANKS } from "../cards.js";

const ORDER = "AKQJT98765432";
const SUITS = "shdc";

const nameOf = (row, column) => {
  const [high, low] = [ORDER[Math.min(row, column)], ORDER[Math.max(row, column)]];
  return high + low + (row === column ? "" : column > row ? "s" : "o");
};

/** Row by row: pairs on the diagonal, suited above it, offsuit below. */
export const CLASSES = Array.from({ length: 169 }, (_, i) => nameOf(Math.floor(i / 13), i % 13));

const PLACES = new Map(CLASSES.map((name, i) => [name, i]));

/** How many hands of a class there are without these cards. */
export function combosWithout(name, cards) {
  const gone = [...SUITS].map((suit) => [cards.includes(name[0] + suit), cards.includes(name[1] + suit)]);
  let count = 0;
  for (let a = 0; a < 4; a++)
    for (let b = name.length === 2 ? a + 1 : 0; b < 4; b++)
      count += (name.length === 2 || (a === b) === (name[2] === "s")) && !gone[a][0] && !gone[b][1];
  return count;
}

/** The class of a hand such as "KhAh". */
export function classOf(hand) {
  const [a, b] = [hand[0], hand[2]].sort((x, y) => ORDER.indexOf(x) - ORDER.indexOf(y));
  return a + b + (a === b ? "" : hand[1] === hand[3] ? "s" : "o");
}

export const placeOf = (hand) => PLACES.get(classOf(hand));

/** "AKs" in words, for screen readers. */
export function spokenClass(name) {
  const [high, low] = [RANKS[name[0]], RANKS[name[1]]];
  if (name.length === 2) return `pair of ${high === "six" ? "sixes" : `${high}s`}`;
  return `${high} ${low} ${name[2] === "s" ? "suited" : "offsuit"}`;
}

/** The text of a range: `grid` has the weight of each class, `single` the text of those that are not all alike. */
export function textOf(grid, single) {
  const weights = [...new Set(grid.filter((weight, i) => weight > 0 && !single[CLASSES[i]]))].sort((a, b) => b - a);
  const parts = [];
  for (const weight of weights) {
    const has = (row, column) => {
      const i = row * 13 + column;
      return grid[i] === weight && !single[CLASSES[i]];
    };
    const found = grid.every((each, i) => each === weight && !single[CLASSES[i]])
      ? ["random"]
      : [
          ...runs(
            (i) => has(i, i),
            0,
            12,
            (i) => ORDER[i] + ORDER[i],
          ),
          ...lines((high, low) => has(high, low), "s"),
          ...lines((high, low) => has(low, high), "o"),
        ];
    parts.push(...(weight === 1 ? found : found.map((part) => `${part}:${weight}`)));
  }
  return [...parts, ...Object.values(single)].join(",");
}

const lines = (has, kind) =>
  Array.from({ length: 12 }, (_, high) =>
    runs(
      (low) => has(high, low),
      high + 1,
      12,
      (low) => ORDER[high] + ORDER[low] + kind,
    ),
  ).flat();

/** Neighbours that are in, from the first to the last: "77+", "A5s-A2s", "88". */
function runs(has, first, last, name) {
  const found = [];
  for (let i = first; i <= last; i++) {
    if (!has(i)) continue;
    const start = i;
    while (i < last && has(i + 1)) i++;
    if (start === i) found.push(name(i));
    else found.push(start === first ? `${name(i)}+` : `${name(start)}-${name(i)}`);
  }
  return found;
}
