// How it went, per table: for oneself and per opponent, every share with what it is a share of.

import { get } from "../api.js";
import { h, redraw } from "../dom.js";
import { plain, plusMinus, signed } from "../numbers.js";
import { settings } from "../settings.js";

export function statisticsView(place) {
  document.title = "Statistics – fifthstreet";
  const tables = Object.entries(settings().tables).sort((a, b) => b[1].at - a[1].at).slice(0, 12);
  let found = null;

  function draw() {
    redraw(
      place,
      h(
        "div",
        { class: "stacked narrow" },
        h("h1", {}, "Statistics"),
        h("p", { class: "lead" }, "For you and for each opponent. A small sample says little: the intervals say how little."),
        found === null && h("p", { class: "empty" }, "Counting …"),
        found?.length === 0 && h("p", { class: "empty" }, "Nothing to count yet. ", h("a", { href: "#/" }, "Play a hand"), "."),
        found?.map(({ id, seat, players }) => drawTable(id, seat, players)),
      ),
    );
  }

  draw();
  Promise.all(
    tables.map(([id, seat]) =>
      get(`/api/tables/${id}/statistics`).then(
        (answer) => ({ id, seat, players: answer.players ?? answer }),
        () => ({ id, seat, players: [] }),
      ),
    ),
  ).then((all) => {
    found = all.filter((each) => each.players.some((player) => player.hands > 0));
    draw();
  });
}

const COLUMNS = [
  ["vpip", "VPIP", "put money into the pot before the flop by choice, of the hands dealt"],
  ["pfr", "PFR", "raised before the flop, of the hands dealt"],
  ["aggression", "Aggression", "bets and raises, to calls"],
];

function drawTable(id, seat, players) {
  const columns = COLUMNS.filter(([key]) => players.some((player) => player[key]));
  return h(
    "section",
    { class: "panel", key: id },
    h("header", {}, h("h2", {}, seat.title), h("a", { class: "fine", href: `#/table/${id}` }, "to the table")),
    h(
      "div",
      { class: "scrolls" },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("th", {}, "player"), h("th", { class: "number" }, "hands"), h("th", { class: "number" }, "a hand, 95 %"), columns.map(([, word, meaning]) => h("th", { class: "number", title: meaning }, word)))),
        h(
          "tbody",
          {},
          players.map((player) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, player.name),
              h("td", { class: "number" }, plain(player.hands)),
              h("td", { class: "number" }, h("span", { class: player.mean < 0 ? "bad" : "good" }, signed(player.mean ?? 0, 2)), h("span", { class: "quiet" }, plusMinus(player.ci95))),
              columns.map(([key]) => h("td", { class: "number" }, fraction(player[key]))),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A share with its denominator: {count, of}. */
function fraction(value) {
  if (!value) return "–";
  const { count, of } = value;
  return [of ? `${Math.round((100 * count) / of)} %` : "–", h("span", { class: "quiet fine" }, ` ${count}/${of}`)];
}
