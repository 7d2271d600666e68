// The result so far: hands, winnings, and how certain they are.

import { h } from "../dom.js";
import { gameNamed } from "../games/all.js";
import { plusMinus, signed } from "../numbers.js";

export function sessionLine({ session, game }) {
  const { alone, round } = gameNamed(game);
  if (!session?.hands || session.mean === null) return null;
  const mean = alone ? `${session.mean.toFixed(1)} points` : `${signed(session.mean, 2)} per ${round}`;
  const interval = plusMinus(session.ci95, alone ? 1 : 2);
  return h(
    "p",
    { class: "session quiet fine" },
    `${session.hands} ${round}${session.hands === 1 ? "" : "s"} · `,
    !alone && [h("span", { class: session.won < 0 ? "bad" : "good" }, signed(session.won, 0)), " · "],
    `${mean}${interval}`,
  );
}
