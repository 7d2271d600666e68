// The actions of a spot: their names in words, and the colour that each has everywhere.

import { chips } from "../numbers.js";

/** "bet 90" in words. */
export function named(action) {
  const [kind, amount] = action.split(" ");
  const to = amount && chips(Number(amount));
  if (kind === "allin") return `All-in ${to}`;
  if (kind === "raise") return `Raise to ${to}`;
  return kind[0].toUpperCase() + kind.slice(1) + (to ? ` ${to}` : "");
}

/** The colour of each action: folding and calling have their own, sizes go from the smallest to the largest. */
export function coloursOf(actions) {
  const sizes = actions.filter((action) => /^(bet|raise) /.test(action));
  return actions.map((action) => {
    const [kind] = action.split(" ");
    if (kind === "fold") return "var(--fold)";
    if (kind === "check" || kind === "call") return "var(--passive)";
    if (kind === "allin") return "var(--allin)";
    return `var(--size-${Math.min(3, sizes.length === 1 ? 2 : 1 + sizes.indexOf(action))})`;
  });
}

/** A bar of the frequencies, as a background: from left to right, in the order of the actions from the largest. */
export function stripes(frequencies, colours) {
  const parts = [];
  let from = 0;
  for (let i = frequencies.length - 1; i >= 0; i--) {
    const to = from + 100 * frequencies[i];
    if (frequencies[i] > 0.0005) parts.push(`${colours[i]} ${from.toFixed(1)}% ${to.toFixed(1)}%`);
    from = to;
  }
  return `linear-gradient(to right, ${parts.join(", ")})`;
}

/** Frequencies in words, the most frequent first. */
export function inWords(actions, frequencies) {
  return actions
    .map((action, i) => [named(action), Math.round(100 * frequencies[i])])
    .filter(([, share]) => share > 0)
    .sort((a, b) => b[1] - a[1])
    .map(([action, share]) => `${action.toLowerCase()} ${share}\u202f%`)
    .join(", ");
}
