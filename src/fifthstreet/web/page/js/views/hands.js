// All hands of the tables this browser sat at, and the import of hands from files.

import { get, post } from "../api.js";
import { h, redraw } from "../dom.js";
import { gameNamed } from "../games/all.js";
import { signed } from "../numbers.js";
import { settings } from "../settings.js";
import { notice } from "../tell.js";

const MOST = 262_144; // characters of an imported file

export function handsView(place) {
  document.title = "Replay – fifthstreet";
  let hands = null;
  let imported = null;

  const bring = async (text) => {
    if (text.length > MOST) return notice("The file is too large.", "error");
    try {
      const made = await post("/api/hands", text);
      imported = made;
      if (made.hands.length === 1 && !made.refused.length) location.hash = `#/hand/${made.hands[0].id}`;
      else draw();
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
            h("p", { class: "quiet fine" }, "Choose or drop a file in the Poker Hand History format (.phh)."),
          ),
          h(
            "label",
            { class: "button" },
            "Import PHH",
            h("input", {
              type: "file",
              class: "unseen",
              accept: ".phh,.phhs,text/plain",
              onchange: async (event) => event.target.files[0] && bring(await event.target.files[0].text()),
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
  place.ondrop = async (event) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) bring(await file.text());
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

function drawImported({ hands, refused }) {
  return h(
    "section",
    { class: "panel", key: "imported" },
    h("header", {}, h("h2", {}, "Imported")),
    h(
      "ol",
      { class: "hand-list" },
      hands.map(({ id, title, names }, i) =>
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
    refused.map(({ hand, error }) => h("p", { class: "bad fine" }, `${hand}: ${error}`)),
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
