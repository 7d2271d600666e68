// Agents play each other: a table to look at, a match or a tournament with its standings as they grow.

import { allGames, post } from "../api.js";
import { h, redraw } from "../dom.js";
import { LOBBY } from "../games/words.js";
import { agentLine } from "../panels/agents.js";
import { standings } from "../panels/standings.js";
import { notice } from "../tell.js";
import { sitDown } from "./lobby.js";

const KINDS = {
  match: ["Match", "Every deal from every seating, so that luck cancels."],
  tournament: ["Tournament", "All against all, with a table of who beats whom."],
  table: ["Table", "Look over their shoulders, hand by hand, with their reasons."],
};
const FIRST = {
  holdem: ["eva", "tight-aggressive"],
  "five-card-draw": ["loose-aggressive", "tight-aggressive"],
  "five-o": ["greedy-2", "reflex-3"],
  "poker-squares": ["narl", "greedy"],
  kuhn: ["equilibrium", "random"],
  leduc: ["random", "random"],
};

export function watchView(place, running = null) {
  document.title = "Watch – fifthstreet";
  let games = [];
  let seen = null; // what the server told of the run so far
  let source = null;
  const order = { kind: "match", game: "holdem", agents: [...FIRST.holdem], deals: 2000, seed: 1 };
  const set = (changes) => {
    Object.assign(order, changes);
    draw();
  };

  const start = async () => {
    try {
      const game = games.find((each) => each.name === order.game);
      if (order.kind === "table") return await sitDown(game, { seats: order.agents, options: {}, practice: false });
      const made = await post("/api/watch", order);
      location.hash = `#/watch/${made.id}`;
    } catch (error) {
      notice(error.message, "error");
    }
  };

  function follow(id) {
    source = new EventSource(`/api/watch/${encodeURIComponent(id)}/events`);
    const heard = (event) => {
      seen = { ...seen, ...JSON.parse(event.data) };
      if (seen.done_at || event.type === "done" || seen.type === "done") source.close();
      draw();
    };
    source.onmessage = heard;
    for (const kind of ["progress", "done", "failed"]) source.addEventListener(kind, heard);
    source.onerror = () => source.readyState === EventSource.CLOSED && notice("This run is not known any more.", "error");
  }

  function draw() {
    redraw(
      place,
      h(
        "div",
        { class: "stacked narrow" },
        h("div", { class: "row spread" }, h("h1", {}, "Watch"), h("a", { class: "button", href: "#/papers" }, "The papers’ scorecard")),
        running ? drawRun() : drawForm(),
      ),
    );
  }

  function drawForm() {
    const game = games.find((each) => each.name === order.game);
    if (!game) return h("p", { class: "empty" }, "Looking who is here …");
    return h(
      "form",
      {
        class: "panel stacked",
        onsubmit: (event) => {
          event.preventDefault();
          start();
        },
      },
      h("div", { class: "tabs", role: "group", "aria-label": "What to watch" }, Object.entries(KINDS).map(([kind, [word]]) => h("button", { type: "button", "aria-pressed": String(order.kind === kind), onclick: () => set({ kind }) }, word))),
      h("p", { class: "quiet" }, KINDS[order.kind][1]),
      h(
        "div",
        { class: "parameters" },
        h(
          "label",
          { class: "field" },
          "Game",
          h("select", { value: order.game, onchange: (event) => set({ game: event.target.value, agents: [...(FIRST[event.target.value] ?? ["random", "random"])] }) }, games.map((each) => h("option", { value: each.name }, LOBBY[each.name]?.title ?? each.title ?? each.name))),
        ),
        order.kind !== "table" && h("label", { class: "field" }, "Deals", h("input", { type: "number", min: 1, value: order.deals, onchange: (event) => set({ deals: Number(event.target.value) || 1000 }) })),
        order.kind !== "table" && h("label", { class: "field" }, "Seed", h("input", { type: "number", value: order.seed, onchange: (event) => set({ seed: Number(event.target.value) || 0 }) })),
      ),
      h("fieldset", {}, h("legend", { class: "title" }, "Agents"), h("div", { class: "agent-grid" }, order.agents.map((spec, i) => pickAgent(game, spec, i)))),
      h(
        "div",
        { class: "row" },
        h("button", { class: "primary", type: "submit" }, order.kind === "table" ? "Sit and watch" : "Start"),
        h("button", { type: "button", onclick: () => set({ agents: [...order.agents, order.agents.at(-1)] }) }, "Add an agent"),
      ),
    );
  }

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
    const part = seen.total ? seen.done / seen.total : 0;
    const over = seen.over || seen.type === "done";
    return h(
      "section",
      { class: "panel stacked" },
      h("h2", {}, seen.title ?? seen.game ?? ""),
      seen.failed && h("p", { class: "bad" }, seen.failed),
      h("div", { class: "row" }, h("progress", { value: over ? 1 : part, max: 1, "aria-label": "Progress" }), h("span", { class: "quiet fine" }, `${seen.done ?? 0} of ${seen.total ?? "?"} ${seen.unit ?? "deals"}${over ? ", finished" : ""}`)),
      seen.standings?.length > 0 && standings(seen.standings, seen.per ?? "a deal"),
      seen.pairs?.length > 0 && crossTable(seen),
      h("div", { class: "row" }, h("a", { class: "button", href: "#/watch" }, "Start another")),
    );
  }

  draw();
  allGames().then((found) => {
    games = found;
    draw();
  }, (error) => notice(error.message, "error"));
  if (running) follow(running);
  return () => source?.close();
}

function crossTable({ pairs, standings: rows }) {
  const names = rows.map((row) => row.name);
  return h(
    "div",
    { class: "scrolls" },
    h(
      "table",
      {},
      h("caption", {}, "What the row wins from the column, a deal"),
      h("thead", {}, h("tr", {}, h("th", {}), names.map((name) => h("th", { class: "number" }, name)))),
      h(
        "tbody",
        {},
        names.map((row) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, row),
            names.map((column) => {
              const pair = pairs.find((each) => each.row === row && each.column === column);
              return h("td", { class: `number ${pair ? (pair.mean < 0 ? "bad" : "good") : ""}` }, pair ? pair.text ?? pair.mean.toFixed(3) : "");
            }),
          ),
        ),
      ),
    ),
  );
}
