// The first page: every game is one press away; everything else is in its options.

import { allGames, post, remove } from "../api.js";
import { drawCard } from "../cards.js";
import { h, redraw } from "../dom.js";
import { gameNamed, usualTable } from "../games/all.js";
import { bind } from "../keys.js";
import { forgetSeat, keepSeat, settings } from "../settings.js";
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
    if (place.isConnected) draw();
  };

  const discard = async (id, seat) => {
    if (!confirm(`Delete this table of ${seat.title} and all its hands, for everybody who played there?`)) return;
    try {
      await remove(`/api/tables/${id}`, { token: seat.token });
      forgetSeat(id);
    } catch (error) {
      notice(error.message, "error");
    }
    if (place.isConnected) draw();
  };

  const card = (game, i) => {
    const { fan, line, alone } = gameNamed(game.name);
    const order = usualTable(game);
    const against = order.seats.slice(1).map((name) => name.split(":")[0]);
    return h(
      "li",
      { class: "game-card", key: game.name },
      h(
        "div",
        { class: `fan fan-${game.name}`, "aria-hidden": "true" },
        fan.map((each) => drawCard(each, { label: false })),
      ),
      h("h2", {}, game.title),
      h("p", { class: "quiet" }, line || game.about),
      h(
        "p",
        { class: "against fine" },
        h("span", { class: "quiet" }, alone ? "Same deal as " : "Against "),
        counted(against),
      ),
      h(
        "div",
        { class: "row" },
        h(
          "button",
          {
            class: "primary",
            disabled: starting !== null,
            "aria-label": `Play ${game.title}`,
            onclick: () => start(game, order),
          },
          starting === game.name ? "Dealing …" : "Play",
          h("kbd", { "aria-hidden": "true" }, String(i + 1)),
        ),
        h(
          "button",
          {
            class: "plainly",
            "aria-label": `Options for ${game.title}`,
            onclick: () => openOptions(game, order, (chosen) => start(game, chosen)),
          },
          "Options",
        ),
      ),
    );
  };

  function draw(error = null) {
    const shown = games ?? [];
    bind(Object.fromEntries(shown.map((game, i) => [String(i + 1), () => start(game, usualTable(game))])));
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
        resumable(discard),
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

/** Names, with a number before those that come more than once: "5 × loose-aggressive". */
function counted(names) {
  const count = (name) => names.filter((each) => each === name).length;
  return [...new Set(names)].map((name) => (count(name) > 1 ? `${count(name)} × ${name}` : name)).join(", ");
}

/** The tables at which this browser has a seat, newest first. */
function resumable(discard) {
  const tables = Object.entries(settings().tables)
    .sort((a, b) => b[1].at - a[1].at)
    .slice(0, 4);
  if (!tables.length) return null;
  return h(
    "section",
    { class: "resume" },
    h("h2", { class: "title" }, "Continue playing"),
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
          h(
            "button",
            {
              class: "plainly small",
              "aria-label": `Delete the table of ${seat.title}, ${since(seat.at)}`,
              onclick: () => discard(id, seat),
            },
            "Delete",
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

/** Open a table and sit down at it; the tokens of friends' seats are kept for their links. */
export async function sitDown(game, order) {
  const made = await post("/api/tables", { game: game.name, ...order });
  const friends = made.seats.map((seat) => seat.token).filter((token) => token !== made.token);
  keepSeat(made.table, { token: made.token, seat: made.seat, game: game.name, title: game.title, friends });
  location.hash = `#/table/${made.table}`;
}
