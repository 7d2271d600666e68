// The coach: what an agent would do with your cards, and what your choices cost in its opinion.

import { withCards } from "../cards.js";
import { h } from "../dom.js";
import { gameNamed } from "../games/all.js";
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
        {
          class: "coach-choice",
          "aria-label": "Who coaches you",
          value: coach?.agent ?? "",
          onchange: (event) => choose(event.target.value || null),
        },
        h("option", { value: "" }, "nobody"),
        coach &&
          !agents.some((agent) => agent.name === coach.agent) &&
          h("option", { value: coach.agent }, coach.agent),
        agents.map((agent) => h("option", { value: agent.name }, agent.name)),
      ),
    ),
    !coach &&
      h(
        "p",
        { class: "quiet fine" },
        "Choose an agent: it shows what it would do with your cards, and what your choice cost.",
      ),
    coach && drawAdvice(coach, table),
    coach && coach.decisions > 0 && drawCosts(coach),
  );
}

function drawAdvice(coach, table) {
  if (coach.failed) return h("p", { class: "bad fine" }, coach.failed);
  if (coach.preparing)
    return h(
      "p",
      { class: "quiet fine" },
      `${coach.agent} is learning, which it does only once; this may take a while. You need not wait for it.`,
    );
  if (coach.thinking) return h("p", { class: "quiet fine" }, `${coach.agent} is thinking …`);
  if (!coach.advice) return h("p", { class: "quiet fine" }, table.over ? "" : "It speaks when it is your turn.");
  const names = Object.fromEntries(table.seats.map((seat) => [seat.seat, seat.name]));
  return h(
    "div",
    { class: "thought" },
    drawThought({ ...coach.advice, action: `Its choice: ${coach.advice.action}` }, names, gameNamed(table.game)),
  );
}

function drawCosts({ last, cost_last, cost_session, counted, unit, decisions, agreed, worst }) {
  return [
    h(
      "dl",
      { class: "figures costs" },
      last &&
        h(
          "div",
          {},
          h("dt", {}, "you chose ", withCards(last.yours)),
          h("dd", { class: cost_last === null ? "" : cost_last > 0 ? "bad" : "good" }, judgement(last)),
        ),
      h("div", {}, h("dt", {}, "same choice"), h("dd", {}, `${agreed} of ${decisions}`)),
      counted > 0 &&
        h(
          "div",
          {},
          h("dt", {}, counted < decisions ? `cost of the ${counted} it rates` : "total cost"),
          h("dd", {}, `${inUnit(cost_session, unit)} ${unit === "chance" ? "of a game" : unit}`),
        ),
    ),
    worst.length > 0 && [h("h3", { class: "title" }, "Most costly"), h("ol", { class: "worst" }, worst.map(drawWorst))],
  ];
}

/** Chances as a percentage of a game. */
const inUnit = (cost, unit) => (unit === "chance" ? `${(100 * cost).toFixed(1)} %` : `${plain(cost)}`);

const judgement = ({ cost, theirs, unit }) =>
  cost === null ? `its choice: ${theirs}` : cost > 0 ? `cost ${inUnit(cost, unit)}` : "cost nothing";

const drawWorst = ({ hand, hand_id, step, yours, theirs, cost, unit }) =>
  h(
    "li",
    {},
    hand_id ? h("a", { href: `#/hand/${hand_id}/${step}` }, `Hand ${hand}`) : h("span", {}, `Hand ${hand}`),
    h("span", {}, withCards(`${yours}, not ${theirs}`)),
    h("span", { class: "bad" }, inUnit(cost, unit)),
  );
