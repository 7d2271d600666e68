// The first page: four games, each one press away; everything else is folded into its options.

import { allGames, post } from "../api.js";
import { drawCard } from "../cards.js";
import { h, redraw } from "../dom.js";
import { LOBBY } from "../games/words.js";
import { bind } from "../keys.js";
import { keepSeat, settings } from "../settings.js";
import { notice } from "../tell.js";
import { openOptions } from "./options.js";

export function lobbyView(place) {
  document.title = "fifthstreet";
  let games = null;
  let starting = null;

  const start = async (game, order) => {
    if (starting) return;
    starting = game.name;
    draw();
    try {
      await sitDown(game, order);
    } catch (error) {
      notice(error.message, "error");
    }
    starting = null;
    if (place.isConnected && place.dataset.view === "lobby") draw();
  };

  const card = (game, i) => {
    const words = LOBBY[game.name];
    const order = { seats: words.seats, options: words.options ?? {}, practice: false };
    const against = words.seats.slice(1).map((name) => name.split(":")[0]);
    return h(
      "li",
      { class: "game-card", key: game.name },
      h(
        "div",
        { class: `fan fan-${game.name}`, "aria-hidden": "true" },
        words.fan.map((each) => drawCard(each, { label: false })),
      ),
      h("h2", {}, words.title),
      h("p", { class: "quiet" }, words.line),
      h(
        "p",
        { class: "against fine" },
        h("span", { class: "quiet" }, game.name === "poker-squares" ? "Same deal as " : "Against "),
        against.join(", "),
      ),
      h(
        "div",
        { class: "row" },
        h(
          "button",
          {
            class: "primary",
            disabled: starting !== null,
            "aria-label": `Play ${words.title}`,
            onclick: () => start(game, order),
          },
          starting === game.name ? "Dealing …" : "Play",
          h("kbd", { "aria-hidden": "true" }, String(i + 1)),
        ),
        h(
          "button",
          {
            class: "plainly",
            "aria-label": `Options for ${words.title}`,
            onclick: () => openOptions(game, order, (chosen) => start(game, chosen)),
          },
          "Options",
        ),
      ),
    );
  };

  function draw(error = null) {
    const shown = (games ?? []).filter((game) => LOBBY[game.name]);
    bind(
      Object.fromEntries(
        shown.map((game, i) => [
          String(i + 1),
          () =>
            start(game, { seats: LOBBY[game.name].seats, options: LOBBY[game.name].options ?? {}, practice: false }),
        ]),
      ),
    );
    redraw(
      place,
      h(
        "div",
        { class: "lobby" },
        h("h1", {}, "Pull up a chair"),
        h("p", { class: "lead" }, "Play the agents of five papers, and see what they were thinking."),
        error && h("p", { class: "empty" }, error),
        !games && !error && h("p", { class: "empty" }, "Setting the tables …"),
        h("ul", { class: "games" }, shown.map(card)),
        resumable(),
      ),
    );
  }

  draw();
  allGames().then(
    (found) => {
      games = found;
      draw();
    },
    (error) => draw(error.message),
  );
  return () => bind({});
}

/** Tables that this browser has a seat at, newest first. */
function resumable() {
  const tables = Object.entries(settings().tables)
    .sort((a, b) => b[1].at - a[1].at)
    .slice(0, 4);
  if (!tables.length) return null;
  return h(
    "section",
    { class: "resume" },
    h("h2", { class: "title" }, "Go on where you were"),
    h(
      "ul",
      { class: "row" },
      tables.map(([id, seat]) =>
        h(
          "li",
          {},
          h(
            "a",
            { class: "button small", href: `#/table/${id}` },
            seat.title,
            h("span", { class: "quiet fine" }, since(seat.at)),
          ),
        ),
      ),
    ),
  );
}

function since(at) {
  const minutes = Math.round((Date.now() - at) / 60000);
  if (minutes < 1) return "just now";
  return minutes < 60
    ? `${minutes} min ago`
    : minutes < 2880
      ? `${Math.round(minutes / 60)} h ago`
      : `${Math.round(minutes / 1440)} days ago`;
}

/** Open a table and sit down at it; the seats of friends are kept to be handed on. */
export async function sitDown(game, order) {
  const made = await post("/api/tables", { game: game.name, ...order });
  const friends = made.seats.map((seat) => seat.token).filter((token) => token !== made.token);
  const title = LOBBY[game.name]?.title ?? game.title;
  keepSeat(made.table, { token: made.token, seat: made.seat, game: game.name, title, friends });
  location.hash = `#/table/${made.table}`;
}
