// Statistics by game, for oneself and each opponent; every share with its sample size.

import { post } from "../api.js";
import { h, redraw } from "../dom.js";
import { gameNamed } from "../games/all.js";
import { short } from "../names.js";
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
          "For you and each opponent, over all your tables, with 95 % intervals: a small sample says little.",
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

/** An agent's name, and below it the parameters with which it played. */
function nameWith(spec) {
  const name = short(spec);
  const given = spec.slice(name.length + 1);
  return given ? [name, h("span", { class: "quiet fine interval" }, given.replaceAll(",", ", "))] : name;
}

const COLUMNS = [
  [
    "vpip",
    "VPIP",
    "share of hands with a call, bet or raise in the first round",
    (value) => fraction(value, value.count, value.of),
  ],
  [
    "pfr",
    "PFR",
    "share of hands with a bet or raise in the first round",
    (value) => fraction(value, value.count, value.of),
  ],
  [
    "aggression",
    "Aggression",
    "bets and raises per call",
    (value) => [value.value === null ? "–" : value.value.toFixed(1), part(`${value.bets}/${value.calls}`)],
  ],
  ["folds", "Folds", "of all decisions", (value) => fraction(value, value.count, value.of)],
];

const part = (text) => h("span", { class: "quiet fine" }, ` ${text}`);

/** A share, its interval and its sample size. */
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
  const { alone, round } = gameNamed(game);
  const [{ title }] = players;
  return h(
    "section",
    { class: "panel", key: game },
    h("header", {}, h("h2", {}, title)),
    h(
      "div",
      { class: "scrolls", tabindex: "0", role: "region", "aria-label": `Statistics of ${title}` },
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
            h("th", { scope: "col", class: "number" }, `${round}s`),
            !alone && h("th", { scope: "col", class: "number" }, "won"),
            h("th", { scope: "col", class: "number" }, alone ? "mean score" : `per ${round}`),
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
              h("th", { scope: "row" }, nameWith(player.name)),
              h("td", { class: "number", "data-label": `${round}s` }, plain(player.hands)),
              !alone &&
                h(
                  "td",
                  { class: `number ${player.won < 0 ? "bad" : "good"}`, "data-label": "won" },
                  signed(player.won, 0),
                ),
              h(
                "td",
                { class: "number", "data-label": alone ? "mean score" : `per ${round}` },
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
