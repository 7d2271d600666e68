// A live table: sits down, draws what the server sends to this seat, and sends choices back.

import { allGames } from "../api.js";
import { h, redraw } from "../dom.js";
import { gameNamed } from "../games/all.js";
import { bind } from "../keys.js";
import { Link } from "../link.js";
import { news } from "../news.js";
import { coachPanel } from "../panels/coach.js";
import { friendsPanel } from "../panels/friends.js";
import { logPanel } from "../panels/log.js";
import { reasonsPanel } from "../panels/reasons.js";
import { sessionLine } from "../panels/session.js";
import { change, forgetSeat, seatAt, settings } from "../settings.js";
import { notice, tell } from "../tell.js";

const SPEEDS = [
  [0, "instant"],
  [0.3, "quick"],
  [0.8, "calm"],
  [2, "thoughtful"],
];

export function tableView(place, id) {
  const seat = seatAt(id);
  let table = null;
  let agents = [];
  let sent = null; // the moment that has been answered, so that nothing is sent twice

  const send = (message) =>
    link.send(message) || notice("The connection is lost and will come back by itself.", "error");
  const act = (action) => {
    if (!table?.choices || sent === moment(table)) return;
    sent = moment(table);
    if (!send({ type: "act", hand: table.hand, number: table.number, action })) sent = null;
    draw();
  };
  const next = () => table?.over && send({ type: "next" });
  const rebuy = () => send({ type: "rebuy" }) && send({ type: "next" });
  const goOn = () => (table?.may?.next === false ? rebuy() : next());
  const undo = () => send({ type: "undo" });
  const reasons = () => {
    change({ reasons: !settings().reasons });
    draw();
  };
  const speed = (seconds) => {
    change({ speed: seconds });
    send({ type: "speed", seconds });
  };
  const coach = (agent) => {
    change({ coach: { ...settings().coach, [table.game]: agent } });
    send({ type: "coach", agent });
  };

  function heard(message) {
    if (message.type === "table") {
      tell(news(table, message));
      const first = table === null;
      table = message;
      if (first) firstDraw();
      draw();
    } else if (message.type === "refused") {
      sent = null;
      if (table === null) return refused(message);
      notice(message.text, "error");
      draw();
    }
  }

  function firstDraw() {
    document.title = `${table.title} – fifthstreet`;
    send({ type: "speed", seconds: settings().speed });
    const chosen = settings().coach[table.game];
    if (chosen && !table.coach) send({ type: "coach", agent: chosen });
    allGames().then(
      (games) => {
        agents = games.find((game) => game.name === table.game)?.agents ?? [];
        draw();
      },
      () => {},
    );
  }

  function refused({ code, text }) {
    link.close();
    if (code === "no_table" || code === "no_seat") forgetSeat(id);
    redraw(place, h("div", { class: "empty" }, h("p", {}, text), h("p", {}, h("a", { href: "#/" }, "Choose a game"))));
  }

  function draw() {
    if (!table) return redraw(place, h("p", { class: "empty" }, "Sitting down …"));
    const waiting = sent === moment(table);
    const shown = waiting ? { ...table, choices: null } : table;
    const { node, controls, keys } = gameNamed(table.game).draw(shown, act, draw);
    bind({
      ...keys,
      ...(table.over && { n: goOn, " ": goOn }),
      ...(table.may?.rebuy && { b: rebuy }),
      ...(table.may?.undo && { u: undo }),
      e: reasons,
      "?": () => document.getElementById("help").showModal(),
    });
    redraw(
      place,
      h(
        "div",
        { class: "table-view" },
        topLine(table, speed),
        h(
          "div",
          { class: "stage" },
          node,
          table.trouble && h("p", { class: "bad", role: "alert" }, table.trouble),
          h("div", { class: "controls" }, drawPrompt(shown, { next, rebuy, undo, send }), controls),
        ),
        h(
          "aside",
          { class: "side", "aria-label": "Reasons, coach and log" },
          reasonsPanel(table, settings().reasons, reasons, draw),
          table.you !== null && coachPanel(table, agents, coach),
          friendsPanel(id, seat?.friends),
          logPanel(table),
        ),
      ),
    );
  }

  function changed(state) {
    const banner = document.getElementById("connection");
    banner.hidden = state === "open";
    banner.textContent = state === "open" ? "" : "The connection is lost. Reconnecting; the table waits for you.";
    if (state === "open" && table) sent = null;
  }

  draw();
  const link = new Link(id, seat?.token ?? null, heard, changed);
  return () => {
    link.close();
    bind({});
    document.getElementById("connection").hidden = true;
  };
}

const moment = ({ hand, number }) => `${hand}/${number}`;

function topLine(table, speed) {
  const now = table.speed ?? settings().speed;
  return h(
    "div",
    { class: "table-top" },
    h(
      "h1",
      { class: "table-title" },
      table.title,
      h("span", { class: "quiet" }, ` ${gameNamed(table.game).round} ${table.hand}`),
    ),
    sessionLine(table),
    h(
      "label",
      { class: "speed fine" },
      h("span", { class: "quiet", "aria-hidden": "true" }, "Speed"),
      h(
        "select",
        { "aria-label": "Speed", value: String(nearest(now)), onchange: (event) => speed(Number(event.target.value)) },
        SPEEDS.map(([seconds, word]) => h("option", { value: String(seconds) }, word)),
      ),
    ),
    h("a", { class: "fine", href: "#/" }, "Leave"),
  );
}

const nearest = (seconds) =>
  SPEEDS.map(([each]) => each).reduce((a, b) => (Math.abs(b - seconds) < Math.abs(a - seconds) ? b : a));

/** One line that says what is to be done, or who is being waited for. */
function promptFor(table) {
  if (table.choices) return gameNamed(table.game).prompt(table);
  const acting = table.seats.find((seat) => seat.to_act);
  const preparing = table.seats.find((seat) => seat.preparing);
  if (preparing) return `${preparing.name} is learning, which it does only once; this may take a while …`;
  if (acting?.thinking) return `${acting.name} is thinking …`;
  return acting ? `${acting.name} is to act.` : "";
}

function drawPrompt(table, { next, rebuy, undo, send }) {
  const game = gameNamed(table.game);
  const back =
    table.may?.undo &&
    h("button", { class: "small", key: "undo", onclick: undo }, "Take back", h("kbd", { "aria-hidden": "true" }, "U"));
  if (!table.over) return h("div", { class: "row prompt", key: "prompt" }, h("p", {}, promptFor(table)), back);
  return h(
    "div",
    { class: "row prompt result", key: "result" },
    h("p", {}, game.outcome(table)),
    table.may?.next !== false &&
      h(
        "button",
        { class: "primary", key: "next", onclick: next },
        `Next ${game.round}`,
        h("kbd", { "aria-hidden": "true" }, "N"),
      ),
    table.may?.rebuy &&
      h(
        "button",
        { class: table.may.next ? "" : "primary", key: "rebuy", onclick: rebuy },
        table.may.next ? "Let the others buy in again" : "Buy in again",
        h("kbd", { "aria-hidden": "true" }, "B"),
      ),
    table.you === null &&
      h(
        "label",
        { class: "tick fine" },
        h("input", {
          type: "checkbox",
          checked: table.auto,
          onchange: (event) => send({ type: "auto", on: event.target.checked }),
        }),
        "next hand automatically",
      ),
    table.hand_id && h("a", { class: "button", href: `#/hand/${table.hand_id}` }, "Replay"),
    back,
  );
}
