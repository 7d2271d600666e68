// How numbers are written: a true minus sign, thin spaces between thousands, chances as percentages.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export const chips = (value) => minus(whole.format(value).replaceAll(",", "\u202f"));
const minus = (text) => String(text).replace(/^-/, "\u2212");
export const percent = (value) => `${Math.round(100 * value)}\u202f%`;

/** +186.5, −41, 0: a gain or loss, with decimals that fit its size. */
export function signed(value, decimals = decimalsFor(value)) {
  const text = Math.abs(value).toFixed(decimals);
  if (Number(text) === 0) return text;
  return (value > 0 ? "+" : "\u2212") + grouped(text);
}

export function plain(value, decimals = decimalsFor(value)) {
  if (value === null || value === undefined) return "–";
  if (Number.isInteger(value)) return chips(value);
  return (value < 0 ? "\u2212" : "") + grouped(Math.abs(value).toFixed(decimals));
}

const decimalsFor = (value) =>
  Number.isInteger(value) ? 0 : Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;

function grouped(text) {
  const [front, back] = text.split(".");
  const spaced = front.length > 4 ? front.replace(/\B(?=(\d{3})+$)/g, "\u202f") : front;
  return back ? `${spaced}.${back}` : spaced;
}

/** Half the width of an interval [low, high]; null if there is none yet. */
function halfWidth(interval) {
  const half = Array.isArray(interval) ? (interval[0] === null ? null : (interval[1] - interval[0]) / 2) : interval;
  return Number.isFinite(half) ? half : null;
}

/** " ± 9.4", or nothing. */
export const plusMinus = (interval, decimals = 2) => {
  const half = halfWidth(interval);
  return half === null ? "" : ` ± ${half.toFixed(decimals)}`;
};
