// What an agent thought: the value of each alternative, the chance to win, and other figures.

import { withCards } from "../cards.js";
import { h } from "../dom.js";
import { percent, plain, signed } from "../numbers.js";

const UNITS = { chance: "chance to win the game", chips: "value in chips", points: "points expected" };
const MOST = 9; // bars before the rest is folded away

/** `names` are those of the seats, for what the agent thinks of the others. */
export function drawThought(thought, names, game) {
  return [
    thought.action &&
      h(
        "p",
        { class: "decided" },
        h("span", {}, withCards(thought.action)),
        thought.phase && h("span", { class: "quiet fine" }, `  ${thought.phase}`),
      ),
    thought.reason && h("p", { class: "reason" }, withCards(thought.reason)),
    game.reasons(thought) ?? (thought.bars?.length > 0 && drawBars(thought)),
    drawWin(thought),
    drawOpponents(thought, names),
    drawFigures(thought),
  ];
}

/** Bars from a zero line, to both sides if some values are negative. */
function drawBars({ bars, unit = "" }) {
  const values = bars.map((bar) => bar.value);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const span = high - low || 1;
  const zero = -low / span;
  const chosen = bars.find((bar) => bar.chosen);
  const ranked = [...bars].sort((a, b) => b.value - a.value);
  const shown = bars.length > MOST ? ranked.slice(0, MOST) : bars;
  if (chosen && !shown.includes(chosen)) shown[shown.length - 1] = chosen;
  const rest = ranked.filter((bar) => !shown.includes(bar));
  const row = (bar) => {
    const at = (bar.value - low) / span;
    const [from, to] = [Math.min(at, zero), Math.max(at, zero)];
    return h(
      "div",
      { class: `bar ${bar.chosen ? "chosen" : ""}`, key: bar.label },
      h("dt", { title: bar.label }, withCards(bar.label), bar.chosen && h("span", { class: "unseen" }, " (chosen)")),
      h(
        "dd",
        {},
        h(
          "span",
          { class: "track", "aria-hidden": "true", style: { "--zero": zero } },
          h("i", { class: bar.value < 0 ? "below" : "above", style: { "--from": from, "--to": to } }),
        ),
        h("span", { class: "worth" }, low < 0 ? signed(bar.value) : share(bar.value, unit)),
      ),
    );
  };
  return [
    h("dl", { class: "bars" }, shown.map(row)),
    rest.length > 0 &&
      h(
        "details",
        { class: "more" },
        h("summary", {}, `${rest.length} more`),
        h("dl", { class: "bars" }, rest.map(row)),
      ),
    unit && h("p", { class: "quiet fine" }, UNITS[unit] ?? unit),
  ];
}

/** A value in its unit: chances as percentages. */
const share = (value, unit) => (unit === "chance" ? percent(value) : plain(value));

/** The chance to win, and the rest: to lose or to split. */
function drawWin({ win }) {
  if (win === null || win === undefined) return null;
  const part = (kind, words, value) =>
    value > 0.004 &&
    h("span", { class: kind, style: { "flex-grow": value } }, value > 0.2 && `${words} ${percent(value)}`);
  return h(
    "div",
    { class: "win-strip", role: "img", "aria-label": `win ${percent(win)}, otherwise ${percent(1 - win)}` },
    part("win", "win", win),
    part("lose", "otherwise", 1 - win),
  );
}

function drawOpponents({ opponents }, names) {
  if (!opponents?.length) return null;
  return h(
    "dl",
    { class: "figures" },
    opponents.map(({ seat, strength, observations }) =>
      h(
        "div",
        {},
        h("dt", {}, `believed strength of ${names[seat] ?? `seat ${seat + 1}`}`),
        h(
          "dd",
          {},
          strength === null ? "–" : percent(strength),
          observations !== null && h("span", { class: "quiet" }, ` from ${observations} observations`),
        ),
      ),
    ),
  );
}

function drawFigures({ figures }) {
  if (!figures?.length) return null;
  return h(
    "dl",
    { class: "figures" },
    figures.map(({ label, text }) => h("div", {}, h("dt", {}, label), h("dd", {}, text))),
  );
}
