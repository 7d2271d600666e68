// Choosing agents: one line per seat, with the agent's parameters folded away.

import { h } from "../dom.js";
import { parameterField } from "./parameter.js";

/** "eva:samples=200" as its name and its parameters. */
export function split(spec) {
  const [name, given = ""] = [spec.split(":", 1)[0], spec.slice(spec.split(":", 1)[0].length + 1)];
  return {
    name,
    given: Object.fromEntries(
      given
        .split(",")
        .filter(Boolean)
        .map((each) => each.split("=")),
    ),
  };
}

const join = (name, given) => {
  const words = Object.entries(given).map(([key, value]) => `${key}=${value}`);
  return words.length ? `${name}:${words.join(",")}` : name;
};

/** A line for one seat. `set` is called with the agent's specification; `extra` are other choices such as "you". */
export function agentLine({ label, spec, agents, set, remove, extra = [] }) {
  const { name, given } = split(spec);
  const agent = agents.find((each) => each.name === name);
  const known = Object.entries(agent?.parameters ?? {});
  return h(
    "div",
    { class: "agent-line" },
    h(
      "div",
      { class: "row" },
      h(
        "select",
        { "aria-label": label, value: name, onchange: (event) => set(event.target.value) },
        extra.map(([value, words]) => h("option", { value }, words)),
        agents.map((each) => h("option", { value: each.name }, each.name)),
      ),
      remove &&
        h("button", { class: "plainly", type: "button", "aria-label": `Remove ${label}`, onclick: remove }, "×"),
    ),
    agent &&
      h(
        "p",
        { class: "quiet fine" },
        agent.about,
        agent.slow_start && " It has to learn before its first game, which takes a while.",
      ),
    known.length > 0 &&
      h(
        "details",
        { class: "fine", key: `of-${name}` },
        h("summary", { class: "quiet" }, "Parameters"),
        h(
          "div",
          { class: "parameters" },
          known.map(([key, parameter]) =>
            parameterField(key.replaceAll("_", " "), parameter, given[key], (value) => {
              const { [key]: _, ...others } = given;
              set(join(name, value === undefined ? others : { ...others, [key]: value }));
            }),
          ),
        ),
      ),
  );
}
