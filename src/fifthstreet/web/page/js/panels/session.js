// How it goes: hands, what was won, and how sure that is.

import { h } from "../dom.js";
import { plusMinus, signed } from "../numbers.js";

export function sessionLine({ session, squares }) {
  if (!session?.hands || session.mean === null) return null;
  const mean = squares ? `${session.mean.toFixed(1)} points` : `${signed(session.mean, 2)} a hand`;
  const interval = plusMinus(session.ci95, squares ? 1 : 2);
  return h(
    "p",
    { class: "session quiet fine" },
    `${session.hands} hand${session.hands === 1 ? "" : "s"} · `,
    !squares && [h("span", { class: session.won < 0 ? "bad" : "good" }, signed(session.won, 0)), " · "],
    `${mean}${interval}`,
  );
}
