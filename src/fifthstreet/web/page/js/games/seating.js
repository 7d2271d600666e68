// Where the seats are around the oval, as fractions of its box: for a wide table and for an upright one.

/** Seats clockwise from one's own, at the bottom: {x, y, bx, by} for a wide table, {px, py} for an upright one. */
export function places(count) {
  return Array.from({ length: count }, (_, i) => ({ ...wide(i, count), ...upright(i, count) }));
}

function wide(i, count) {
  const angle = Math.PI / 2 + (2 * Math.PI * i) / count;
  // A little squarer than an ellipse: more room between the seats at the long sides.
  const bend = (value) => Math.sign(value) * Math.abs(value) ** 0.82;
  const [dx, dy] = [bend(Math.cos(angle)), bend(Math.sin(angle))];
  const [x, y] = [0.5 + 0.425 * dx, i === 0 ? 0.85 : 0.475 + 0.36 * dy];
  const [far, deep] = Math.abs(dy) > 0.6 ? [0.25, 0.19] : [0.275, 0.17]; // bets lie between seat and board
  const bet = i === 0 ? { bx: 0.5, by: 0.665 } : { bx: 0.5 + far * dx, by: 0.46 + deep * dy };
  return { x, y, ...bet };
}

/** One at the bottom, one at the top if the others are odd in number, the rest along the sides. */
function upright(i, count) {
  if (i === 0) return { px: 0.5, py: 0.875 };
  const others = count - 1;
  const side = Math.floor(others / 2);
  const top = others % 2 === 1;
  if (top && i === side + 1) return { px: 0.5, py: 0.1 };
  const left = i <= side;
  const up = left ? i - 1 : others - i; // from the bottom up
  const [low, high] = side > 3 ? [0.745, top ? 0.2 : 0.13] : side > 1 ? [0.66, top ? 0.24 : 0.17] : [0.24, 0.24];
  const py = side > 1 ? low + ((high - low) * up) / (side - 1) : low;
  const edge = side > 2 ? 0.125 : 0.145; // few seats are drawn wider
  return { px: left ? edge : 1 - edge, py };
}
