// How it went, game by game: for oneself and per opponent, every share with what it is a share of.

import { post } from "../api.js";
import { h, redraw } from "../dom.js";
import { LOBBY } from "../games/words.js";
import { chips, percent, plain, plusMinus, signed } from "../numbers.js";
import { settings } from "../settings.js";

export function statisticsView(place) {
  document.title = "Statistics – fifthstreet";
  let players = null;

  function draw() {
    const games = [...new Set((players ?? []).map((player) => player.game))];
    redraw(
      place,
      h(
        "div",
        { class: "stacked narrow" },
        h("h1", {}, "Statistics"),
        h(
          "p",
          { class: "lead" },
          "For you and for each opponent, over all your tables. A small sample says little; the intervals say how little.",
        ),
        players === null && h("p", { class: "empty" }, "Counting …"),
        players?.length === 0 &&
          h("p", { class: "empty" }, "Nothing to count yet. ", h("a", { href: "#/" }, "Play a hand"), "."),
        games.map((game) =>
          drawGame(
            game,
            players.filter((player) => player.game === game),
          ),
        ),
      ),
    );
  }

  draw();
  post("/api/statistics", Object.keys(settings().tables)).then(
    (answer) => {
      ({ players } = answer);
      draw();
    },
    (error) => redraw(place, h("p", { class: "empty" }, error.message)),
  );
}

const COLUMNS = [
  [
    "vpip",
    "VPIP",
    "how often a player called, bet or raised in the first round",
    (value) => fraction(value, value.count, value.of),
  ],
  [
    "pfr",
    "PFR",
    "how often a player bet or raised in the first round",
    (value) => fraction(value, value.count, value.of),
  ],
  [
    "aggression",
    "Aggression",
    "bets and raises for each call",
    (value) => [value.value === null ? "–" : value.value.toFixed(1), part(`${value.bets}/${value.calls}`)],
  ],
  ["folds", "Folds", "of all decisions", (value) => fraction(value, value.count, value.of)],
];

const part = (text) => h("span", { class: "quiet fine" }, ` ${text}`);

/** A share, its interval and its denominator. */
const fraction = ({ value, ci95 }, count, of) =>
  value === null
    ? "–"
    : [
        percent(value),
        part(`${count}/${of}`),
        h("span", { class: "quiet fine interval" }, `${percent(ci95[0])} – ${percent(ci95[1])}`),
      ];

function drawGame(game, players) {
  const columns = COLUMNS.filter(([key]) => players.some((player) => player[key]));
  const alone = game === "poker-squares";
  return h(
    "section",
    { class: "panel", key: game },
    h("header", {}, h("h2", {}, LOBBY[game]?.title ?? game)),
    h(
      "div",
      { class: "scrolls", tabindex: "0", role: "region", "aria-label": `Statistics of ${LOBBY[game]?.title ?? game}` },
      h(
        "table",
        { class: "restack" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "player"),
            h("th", { scope: "col", class: "number" }, "hands"),
            !alone && h("th", { scope: "col", class: "number" }, "won"),
            h("th", { scope: "col", class: "number" }, alone ? "mean score" : "a hand"),
            columns.map(([, word, meaning]) => h("th", { scope: "col", class: "number", title: meaning }, word)),
          ),
        ),
        h(
          "tbody",
          {},
          players.map((player) =>
            h(
              "tr",
              { key: player.name },
              h("th", { scope: "row" }, player.name),
              h("td", { class: "number", "data-label": "hands" }, plain(player.hands)),
              !alone &&
                h(
                  "td",
                  { class: `number ${player.won < 0 ? "bad" : "good"}`, "data-label": "won" },
                  signed(player.won, 0),
                ),
              h(
                "td",
                { class: "number", "data-label": alone ? "mean score" : "a hand" },
                alone ? chips(player.mean.value) : signed(player.mean.value, 2),
                part(plusMinus(player.mean.ci95, alone ? 1 : 2)),
              ),
              columns.map(([key, word, , shown]) =>
                h("td", { class: "number", "data-label": word }, player[key] ? shown(player[key]) : "–"),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
