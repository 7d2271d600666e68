// Agents play each other: a match or a tournament with running standings, or a table to watch.

import { allGames, post, remove } from "../api.js";
import { h, redraw } from "../dom.js";
import { follow, isOver } from "../follow.js";
import { gameNamed, usualAgents } from "../games/all.js";
import { plain } from "../numbers.js";
import { agentLine } from "../panels/agents.js";
import { crossTable, standings } from "../panels/standings.js";
import { notice } from "../tell.js";
import { sitDown } from "./lobby.js";

const KINDS = {
  match: ["Match", "The same deals from every seating, so that the luck of the cards cancels out."],
  tournament: ["Tournament", "Every agent plays every other, heads-up."],
  table: ["Table", "Watch them play hand after hand, with all cards face up and their reasons."],
};

export function watchView(place, running = null) {
  document.title = "Watch – fifthstreet";
  let games = [];
  let seen = null; // the latest state of the run
  const order = { kind: "match", game: null, agents: [], deals: 1000, seed: 1 };
  const set = (changes) => {
    Object.assign(order, changes);
    draw();
  };

  const choose = (game) => set({ game: game.name, agents: usualAgents(game) });

  const start = async () => {
    try {
      const { kind, game, agents, deals, seed } = order;
      if (kind === "table")
        return await sitDown(
          games.find((each) => each.name === game),
          { seats: agents, options: {}, practice: false },
        );
      const made = await post("/api/watch", { kind, game, agents, deals, seed });
      location.hash = `#/watch/${made.id}`;
    } catch (error) {
      notice(error.message, "error");
    }
  };

  function draw() {
    redraw(
      place,
      h(
        "div",
        { class: "stacked narrow" },
        h(
          "div",
          { class: "row spread" },
          h("h1", {}, "Watch"),
          h("a", { class: "button", href: "#/papers" }, "The papers’ scorecard"),
        ),
        running ? drawRun() : drawForm(),
      ),
    );
  }

  function drawForm() {
    const game = games.find((each) => each.name === order.game);
    if (!game) return h("p", { class: "empty" }, "Loading the agents …");
    const played = order.kind !== "table";
    return h(
      "form",
      {
        class: "panel stacked",
        onsubmit: (event) => {
          event.preventDefault();
          start();
        },
      },
      h(
        "div",
        { class: "tabs", role: "group", "aria-label": "What to watch" },
        Object.entries(KINDS).map(([kind, [word]]) =>
          h(
            "button",
            { type: "button", "aria-pressed": String(order.kind === kind), onclick: () => set({ kind }) },
            word,
          ),
        ),
      ),
      h("p", { class: "quiet" }, KINDS[order.kind][1]),
      h(
        "div",
        { class: "parameters" },
        h(
          "label",
          { class: "field" },
          "Game",
          h(
            "select",
            {
              value: order.game,
              onchange: (event) => choose(games.find((each) => each.name === event.target.value)),
            },
            games.map((each) => h("option", { value: each.name }, each.title)),
          ),
        ),
        played &&
          h(
            "label",
            { class: "field" },
            "Deals",
            h("input", {
              type: "number",
              min: 1,
              value: order.deals,
              onchange: (event) => set({ deals: Number(event.target.value) || 1000 }),
            }),
          ),
        played &&
          h(
            "label",
            { class: "field" },
            "Seed",
            h("input", {
              type: "number",
              value: order.seed,
              onchange: (event) => set({ seed: Number(event.target.value) || 0 }),
            }),
          ),
      ),
      h(
        "fieldset",
        {},
        h("legend", { class: "title" }, "Agents"),
        h(
          "div",
          { class: "agent-grid" },
          order.agents.map((spec, i) => pickAgent(game, spec, i)),
        ),
      ),
      h(
        "div",
        { class: "row" },
        h("button", { class: "primary", type: "submit" }, played ? "Start" : "Sit and watch"),
        h(
          "button",
          { type: "button", onclick: () => set({ agents: [...order.agents, unused(game)] }) },
          "Add an agent",
        ),
      ),
    );
  }

  /** An agent that is not in the list yet and does not have to learn first. */
  const unused = (game) =>
    (game.agents.find((agent) => !agent.slow_start && !order.agents.includes(agent.name)) ?? game.agents[0]).name;

  const pickAgent = (game, spec, i) =>
    agentLine({
      label: `Agent ${i + 1}`,
      spec,
      agents: game.agents,
      set: (value) => set({ agents: order.agents.map((each, j) => (j === i ? value : each)) }),
      remove: order.agents.length > 2 && (() => set({ agents: order.agents.filter((_, j) => j !== i) })),
    });

  function drawRun() {
    if (!seen) return h("p", { class: "empty" }, "The first deals are being played …");
    const { about, state, done, total } = seen;
    const started = done > 0 || isOver(seen);
    const title = games.find((each) => each.name === about.game)?.title ?? about.game;
    const words = {
      waiting: "waiting for others to finish",
      playing: started ? "playing" : "the first deals are being played; agents that learn do that first",
      done: "finished",
      stopped: "stopped",
      failed: "failed",
    };
    const { alone } = gameNamed(about.game);
    return h(
      "section",
      { class: "panel stacked" },
      h("h2", {}, `${title}, ${KINDS[about.kind]?.[0].toLowerCase() ?? about.kind}`),
      seen.error && h("p", { class: "bad" }, seen.error),
      h(
        "div",
        { class: "row" },
        h("progress", { value: total ? done / total : 0, max: 1, "aria-label": "Progress" }),
        h(
          "span",
          { class: "quiet fine" },
          started ? `${plain(done)} of ${plain(total)} deals, ${words[state]}` : words[state],
        ),
      ),
      seen.standings?.length > 0 &&
        standings(
          seen.standings,
          alone ? "Mean score, with 95 % intervals" : "Mean won per deal, with 95 % intervals",
          alone,
        ),
      seen.cells?.length > 0 && crossTable(seen.order, seen.cells),
      h(
        "div",
        { class: "row" },
        !isOver(seen) &&
          h(
            "button",
            { onclick: () => remove(`/api/watch/${running}`).catch((error) => notice(error.message, "error")) },
            "Stop",
          ),
        h("a", { class: "button", href: "#/watch" }, "Start another"),
      ),
    );
  }

  const stop = running
    ? follow(
        `/api/watch/${encodeURIComponent(running)}`,
        (news) => {
          seen = news;
          draw();
        },
        () =>
          redraw(
            place,
            h(
              "div",
              { class: "empty" },
              h("p", {}, "This run no longer exists."),
              h("a", { href: "#/watch" }, "Start another"),
            ),
          ),
      )
    : () => {};
  draw();
  allGames().then(
    (found) => {
      games = found;
      choose(games[0]);
    },
    (error) => notice(error.message, "error"),
  );
  return stop;
}
