// What players are called.

import { h } from "./dom.js";

/** The name of a seat; "You" for one's own. */
export const nameOf = (table, seat) =>
  seat === table.you ? "You" : (table.seats.find((each) => each.seat === seat)?.name ?? "");

/** An agent without its parameters: "eva" for "eva:samples=200". */
export const short = (agent) => agent.split(":")[0];

/** The name at a seat; if an agent plays for somebody who is not there, who plays for whom. */
export function nameAt(seat, you = null) {
  if (seat.seat === you) return "You";
  return seat.stand_in ? `${short(seat.stand_in)} for ${seat.name}` : seat.name;
}

/** What an agent is busy with: learning before its first game, or thinking. */
export function busy(seat) {
  if (!seat.thinking && !seat.preparing) return null;
  const dots = (words) => h("span", { class: "dots", role: "img", "aria-label": words }, h("i"), h("i"), h("i"));
  return seat.preparing ? ["learning ", dots("learning")] : dots("thinking");
}
