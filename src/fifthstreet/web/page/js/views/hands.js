// All hands of the tables this browser sat at, and the import of hands from files.

import { get, post } from "../api.js";
import { h, redraw } from "../dom.js";
import { gameNamed } from "../games/all.js";
import { signed } from "../numbers.js";
import { settings } from "../settings.js";
import { notice } from "../tell.js";

const MOST = 5 * 2 ** 20; // bytes of an imported file
const SHOWN = 200; // of the hands of a file

export function handsView(place) {
  document.title = "Replay – fifthstreet";
  let hands = null;
  let imported = null;
  let reading = false;

  const bring = async (file) => {
    if (file.size > MOST)
      return notice(`This file has ${megabytes(file.size)}; up to ${megabytes(MOST)} can be read.`, "error");
    reading = true;
    draw();
    try {
      const made = await post("/api/hands", file); // the browser sends it piece by piece
      imported = made;
      if (made.hands.length === 1 && !made.refused.length) location.hash = `#/hand/${made.hands[0].id}`;
      else draw();
    } catch (error) {
      notice(error.message, "error");
    }
    reading = false;
    if (place.isConnected) draw();
  };

  function draw() {
    redraw(
      place,
      h(
        "div",
        { class: "stacked narrow" },
        h("h1", {}, "Replay"),
        h(
          "p",
          { class: "lead" },
          "Every hand is stored. Step through it with all cards face up, and play on from any point.",
        ),
        h(
          "section",
          { class: "panel row spread" },
          h(
            "div",
            {},
            h("h2", {}, "Import hands"),
            h(
              "p",
              { class: "quiet fine" },
              "Choose or drop a file in the Poker Hand History format (.phh, .phhs), up to 5 MB.",
            ),
          ),
          h(
            "label",
            { class: "button" },
            reading ? "Reading …" : "Import PHH",
            h("input", {
              type: "file",
              class: "unseen",
              accept: ".phh,.phhs,text/plain",
              disabled: reading,
              "aria-label": "Import PHH",
              onchange: (event) => event.target.files[0] && bring(event.target.files[0]),
            }),
          ),
        ),
        imported && drawImported(imported),
        hands === null && h("p", { class: "empty" }, "Loading …"),
        hands?.length === 0 &&
          h("p", { class: "empty" }, "You have not played a hand yet. ", h("a", { href: "#/" }, "Play one"), "."),
        hands?.map(({ id, seat, list }) => tableOf(id, seat, list)),
      ),
    );
  }

  place.ondragover = (event) => event.preventDefault();
  place.ondrop = (event) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file && !reading) bring(file);
  };
  draw();
  load().then((found) => {
    hands = found;
    draw();
  });
  return () => {
    place.ondragover = null;
    place.ondrop = null;
  };
}

const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`;

function drawImported({ hands, refused }) {
  return h(
    "section",
    { class: "panel", key: "imported" },
    h("header", {}, h("h2", {}, "Imported")),
    h(
      "ol",
      { class: "hand-list" },
      hands
        .slice(0, SHOWN)
        .map(({ id, title, names }, i) =>
          h(
            "li",
            {},
            h(
              "a",
              { href: `#/hand/${id}` },
              h("span", {}, `Hand ${i + 1}`),
              h("span", { class: "quiet fine what" }, names.join(", ")),
              h("span", {}, title),
            ),
          ),
        ),
    ),
    hands.length > SHOWN && h("p", { class: "quiet fine" }, `and ${hands.length - SHOWN} more`),
    refused.slice(0, SHOWN).map(({ hand, error }) => h("p", { class: "bad fine" }, `${hand}: ${error}`)),
  );
}

async function load() {
  const tables = Object.entries(settings().tables)
    .sort((a, b) => b[1].at - a[1].at)
    .slice(0, 12);
  const lists = await Promise.all(
    tables.map(([id, seat]) =>
      get(`/api/tables/${id}/hands`).then(
        (answer) => ({ id, seat, list: answer.hands ?? answer }),
        () => ({ id, seat, list: [] }),
      ),
    ),
  );
  return lists.filter((each) => each.list.length);
}

/** What the person won in a hand. */
function drawGain({ game, people, payoffs }) {
  const won = payoffs[people[0]];
  if (won === undefined) return null;
  return h("b", { class: won < 0 ? "bad" : "good" }, gameNamed(game).alone ? String(won) : signed(won, 0));
}

function tableOf(id, seat, list) {
  return h(
    "section",
    { class: "panel", key: id },
    h("header", {}, h("h2", {}, seat.title), h("a", { class: "fine", href: `#/table/${id}` }, "to the table")),
    h(
      "ol",
      { class: "hand-list" },
      list.map((hand) =>
        h(
          "li",
          {},
          h(
            "a",
            { href: `#/hand/${hand.id}` },
            h("span", {}, hand.branch ? "Branch" : `Hand ${hand.number}`),
            h("span", { class: "quiet fine what" }, hand.title),
            drawGain(hand),
          ),
        ),
      ),
    ),
  );
}
