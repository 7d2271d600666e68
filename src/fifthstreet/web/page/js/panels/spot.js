// What should I have done? A moment of a hand is handed over to the solver.

import { post } from "../api.js";
import { h } from "../dom.js";
import { cardsOf, write } from "../solve/spot.js";
import { notice, tell } from "../tell.js";

const TYPED = "";

/** `state` is {coach, busy}; `set(changes)` changes it. */
export function spotPanel(hand, at, agents, state, set) {
  const ask = async () => {
    set({ busy: true });
    if (state.coach) tell(`${state.coach} thinks about both ranges`);
    try {
      location.hash = await addressOf(hand, at, state.coach);
    } catch (error) {
      notice(error.message, "error");
    }
    set({ busy: false });
  };
  return h(
    "section",
    { class: "panel spot-panel", key: "spot", "aria-label": "What should I have done?" },
    h("header", {}, h("h2", { class: "title" }, "What should I have done?")),
    h(
      "p",
      { class: "quiet fine" },
      "Solve this spot: optimal play for both, hand by hand. Which ranges did they have?",
    ),
    h(
      "label",
      { class: "field" },
      "Ranges",
      h(
        "select",
        { value: state.coach, onchange: (event) => set({ coach: event.target.value }) },
        agents.map((agent) => h("option", { value: agent.name }, `as ${agent.name} would have played`)),
        h("option", { value: TYPED }, "I paint them myself"),
      ),
    ),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        { class: "primary small", disabled: state.busy, onclick: ask },
        state.busy ? `${state.coach || "The server"} is thinking …` : "Solve this spot",
      ),
    ),
  );
}

/** Where the solver shows this moment; with ranges of a coach it starts at once. */
async function addressOf(hand, step, coach) {
  const found = await post(`/api/hands/${hand.id}/spot`, { step, coach: coach || null });
  const { line, names, held, to_act, done, ...spot } = found;
  const about = {
    hand: hand.id,
    step,
    held: held ?? "",
    did: done.text,
    who: names[to_act === "oop" ? 0 : 1],
    names: names.join("|"),
    moment: line.join(","),
  };
  const until = cardsOf(spot.board).length === 5 ? 0.3 : 0.5;
  return write({ ...spot, until }, coach ? line : null, about);
}
