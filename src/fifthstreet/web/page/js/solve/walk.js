// The way through the tree: the actions so far, to go back to, and those that follow, to choose from.

import { cardInText, drawCard, spoken } from "../cards.js";
import { h } from "../dom.js";
import { chips, percent } from "../numbers.js";
import { coloursOf, named } from "./actions.js";
import { cardGrid, DECK } from "./card_grid.js";
import { cardsOf } from "./spot.js";

/** What has been done, as links back: `go(count)` keeps the first steps of the line. */
export function drawLine(node, names, go) {
  const step = (each, i) =>
    h(
      "li",
      { key: `${i} ${each.card ?? each.actions[each.chosen]}` },
      h(
        "button",
        { class: "small crumb", onclick: () => go(i), title: "Back to before this" },
        each.card
          ? [h("span", { class: "quiet" }, "deal"), cardInText(each.card)]
          : [h("span", { class: "quiet" }, names[each.to_act]), named(each.actions[each.chosen])],
      ),
    );
  return h(
    "nav",
    { class: "line", "aria-label": "What has been done" },
    h("ol", {}, node.path.map(step), h("li", { class: "here", "aria-current": "step" }, whatNow(node, names))),
  );
}

export const whatNow = (node, names) =>
  node.to_act
    ? `${names[node.to_act]} to act`
    : { deal: "the next card", showdown: "showdown", fold: "folded" }[node.ends];

/** The board, the pot and the stacks. */
export function drawTableau(node) {
  return h(
    "div",
    { class: "tableau" },
    h(
      "div",
      { class: "spot-board" },
      cardsOf(node.board).map((card) => drawCard(card, { key: card })),
    ),
    h(
      "dl",
      {},
      h("div", {}, h("dt", {}, "pot"), h("dd", {}, chips(node.pot))),
      h(
        "div",
        {},
        h("dt", {}, "behind"),
        h("dd", {}, chips(node.to_act ? node.stacks[node.to_act] : Math.min(node.stacks.oop, node.stacks.ip))),
      ),
    ),
  );
}

/** What may come next, each with how often it is chosen; `take(step)` goes there. */
export function drawNext(node, names, at, move, take) {
  if (node.ends === "deal")
    return h(
      "div",
      { class: "panel stacked" },
      h("p", {}, "Which card comes?"),
      cardGrid({
        label: "The next card",
        chosen: [],
        gone: DECK.filter((card) => !node.cards.includes(card)),
        at,
        move,
        pick: take,
      }),
    );
  if (node.ends)
    return h(
      "p",
      { class: "panel quiet" },
      node.ends === "showdown" ? "The hands are shown." : `${names[loser(node)]} has folded.`,
    );
  const colours = coloursOf(node.actions);
  return h(
    "div",
    { class: "next-actions", role: "group", "aria-label": `${names[node.to_act]}: choose an action` },
    node.actions.map((action, i) =>
      h(
        "button",
        { key: action, class: "action", style: { "--colour": colours[i] }, onclick: () => take(action) },
        h("span", { class: "action-name" }, named(action)),
        h("span", { class: "action-share" }, percent(node.frequency[i]), h("kbd", { "aria-hidden": "true" }, i + 1)),
        h("span", { class: "level", "aria-hidden": "true", style: { "--share": node.frequency[i] } }),
      ),
    ),
  );
}

const loser = (node) => node.path.at(-1).to_act;

/** A step of the line in words, for screen readers. */
export const spokenStep = (step) => (/^[2-9TJQKA][shdc]$/.test(step) ? `the ${spoken(step)} comes` : named(step));
