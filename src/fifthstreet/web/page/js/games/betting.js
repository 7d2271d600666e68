// What a player presses in a betting round: fold, call, raise by slider, fractions of the pot, or typing.

import { h } from "../dom.js";
import { chips } from "../numbers.js";

let amount = null; // what the slider stands at
let asked = ""; // which question that was an answer to

export function bettingControls(table, act, refresh) {
  const { choices } = table;
  const { raise } = choices;
  const question = `${table.id}/${table.hand}/${table.number}`;
  if (asked !== question) [asked, amount] = [question, raise ? raise.low : null];
  const set = (to) => {
    amount = Math.round(Math.min(raise.high, Math.max(raise.low, to)));
    refresh();
  };
  const keys = {
    c: () => act({ move: "call" }),
    k: () => act({ move: "call" }),
    ...(choices.fold && { f: () => act({ move: "fold" }) }),
    ...(raise && {
      r: () => act({ move: "raise", to: amount }),
      ArrowUp: () => set(amount + step(raise)),
      ArrowDown: () => set(amount - step(raise)),
      a: () => document.getElementById("amount")?.select(),
    }),
  };
  raise?.presets.forEach((preset, i) => (keys[String(i + 1)] = () => set(preset.to)));
  const node = h(
    "div",
    { class: "betting" },
    h(
      "div",
      { class: "moves" },
      choices.fold && h("button", { class: "fold", key: "fold", onclick: keys.f }, "Fold", hint("F")),
      h(
        "button",
        { class: "call", key: "call", onclick: keys.c },
        choices.call ? `Call ${chips(choices.call)}` : "Check",
        hint("C"),
      ),
      raise &&
        h("button", { class: "raise", key: "raise", onclick: keys.r }, raiseWords(table, amount, raise), hint("R")),
    ),
    raise && raise.high > raise.low && sizes(raise, amount, set, () => act({ move: "raise", to: amount })),
  );
  return { node, keys };
}

const hint = (key) => h("kbd", { "aria-hidden": "true" }, key);

function raiseWords(table, to, raise) {
  if (raise.presets.some((each) => each.label === "all-in" && each.to === to)) return `All-in ${chips(to)}`;
  return table.choices.call || table.seats.some((seat) => seat.bet > 0) ? `Raise to ${chips(to)}` : `Bet ${chips(to)}`;
}

/** A step that crosses the range in about forty presses and looks round. */
function step(raise) {
  const rough = Math.max(1, (raise.high - raise.low) / 40);
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
}

function sizes(raise, to, set, go) {
  return h(
    "div",
    { class: "sizes" },
    h("input", {
      type: "range",
      class: "slider",
      min: raise.low,
      max: raise.high,
      step: 1,
      value: to,
      "aria-label": "Raise to",
      "aria-valuetext": chips(to),
      oninput: (event) => set(Number(event.target.value)),
    }),
    h("input", {
      id: "amount",
      type: "number",
      inputmode: "numeric",
      min: raise.low,
      max: raise.high,
      value: to,
      "aria-label": `Amount to raise to, from ${raise.low} to ${raise.high}`,
      onchange: (event) => set(Number(event.target.value) || raise.low),
      onkeydown: (event) => {
        if (event.key === "Escape") event.target.blur();
        if (event.key !== "Enter") return;
        set(Number(event.target.value) || raise.low);
        event.target.blur();
        go();
      },
    }),
    h(
      "div",
      { class: "presets", role: "group", "aria-label": "Sizes" },
      raise.presets.map((preset, i) =>
        h(
          "button",
          {
            class: "small",
            key: preset.label,
            "aria-pressed": String(preset.to === to),
            onclick: () => set(preset.to),
          },
          preset.label,
          hint(String(i + 1)),
        ),
      ),
    ),
  );
}
