// The coach: what a chosen agent would do with your cards, and what your choices cost in its eyes.

import { h } from "../dom.js";
import { plain } from "../numbers.js";
import { drawThought } from "./thought.js";

export function coachPanel(table, agents, choose) {
  const { coach } = table;
  return h(
    "section",
    { class: "panel coach", key: "coach", "aria-label": "Coach" },
    h(
      "header",
      {},
      h("h2", { class: "title" }, "Coach"),
      h(
        "select",
        { class: "coach-choice", "aria-label": "Who coaches you", value: coach?.agent ?? "", onchange: (event) => choose(event.target.value || null) },
        h("option", { value: "" }, "nobody"),
        coach && !agents.some((agent) => agent.name === coach.agent) && h("option", { value: coach.agent }, coach.agent),
        agents.map((agent) => h("option", { value: agent.name }, agent.name)),
      ),
    ),
    !coach && h("p", { class: "quiet fine" }, "Choose an agent: it says what it would do with your cards, and what your choice cost."),
    coach && (coach.failed ? h("p", { class: "bad fine" }, coach.failed) : advice(coach, table)),
    coach && costs(coach),
  );
}

function advice(coach, table) {
  if (coach.thinking) return h("p", { class: "quiet" }, `${coach.agent} is thinking …`);
  if (!coach.action) return !table.over && h("p", { class: "quiet fine" }, "Waits for your turn.");
  return h("div", { class: "thought" }, drawThought({ ...coach, action: `Its choice: ${coach.action}` }));
}

function costs(coach) {
  const unit = coach.cost_unit ?? coach.unit ?? "";
  return [
    h(
      "dl",
      { class: "figures costs" },
      coach.cost_last !== null && coach.cost_last !== undefined && h("div", {}, h("dt", {}, "your last choice cost"), h("dd", { class: shade(coach.cost_last) }, plain(coach.cost_last))),
      h("div", {}, h("dt", {}, `this session${coach.decisions ? `, ${coach.decisions} decisions` : ""}`), h("dd", {}, plain(coach.cost_session ?? 0), unit && h("span", { class: "quiet fine" }, ` ${unit}`))),
    ),
    coach.worst?.length > 0 && [
      h("h3", { class: "title" }, "Look at again"),
      h(
        "ol",
        { class: "worst" },
        coach.worst.map((each) =>
          h(
            "li",
            {},
            each.id
              ? h("a", { href: `#/hand/${each.id}/${each.step}` }, `Hand ${each.hand}`)
              : h("span", {}, `Hand ${each.hand}`),
            h("span", {}, `${each.yours}, not ${each.theirs}`),
            h("span", { class: "bad" }, plain(each.cost)),
          ),
        ),
      ),
    ],
  ];
}

const shade = (cost) => (cost > 0.005 ? "bad" : "good");
