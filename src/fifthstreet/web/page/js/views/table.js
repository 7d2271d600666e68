// A live table: sits down, draws what the server sends to this seat, and sends choices back.

import { allGames, post } from "../api.js";
import { h, redraw } from "../dom.js";
import { gameNamed } from "../games/all.js";
import { bind } from "../keys.js";
import { Link } from "../link.js";
import { news } from "../news.js";
import { coachPanel } from "../panels/coach.js";
import { friendsPanel } from "../panels/friends.js";
import { logPanel } from "../panels/log.js";
import { drawPrompt, watching } from "../panels/prompt.js";
import { reasonsPanel } from "../panels/reasons.js";
import { sessionLine } from "../panels/session.js";
import { change, forgetSeat, keepSeat, seatAt, settings } from "../settings.js";
import { notice, tell } from "../tell.js";

const SPEEDS = [
  [0, "instant"],
  [0.3, "quick"],
  [0.8, "calm"],
  [2, "thoughtful"],
];

export function tableView(place, id) {
  let seat = seatAt(id);
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
  const replace = (chair) => send({ type: "stand_in", seat: chair });
  const sit = async () => {
    try {
      const taken = await post(`/api/tables/${id}/seat`, {});
      keepSeat(id, { token: taken.token, seat: taken.seat, game: table.game, title: table.title });
      connect();
    } catch (error) {
      notice(error.message, "error");
    }
  };
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
    if (!table.spectator) settle();
    allGames().then(
      (games) => {
        agents = games.find((game) => game.name === table.game)?.agents ?? [];
        draw();
      },
      () => {},
    );
  }

  /** What this person usually wants at a table. */
  function settle() {
    send({ type: "speed", seconds: settings().speed });
    const chosen = settings().coach[table.game];
    if (chosen && !table.coach && table.you !== null) send({ type: "coach", agent: chosen });
  }

  function refused({ code, text }) {
    link.close();
    if (code === "no_table" || code === "no_seat") forgetSeat(id);
    if (code === "no_seat" && seat) {
      notice("This seat has been taken by somebody else: you can watch.", "error");
      return connect();
    }
    redraw(place, h("div", { class: "empty" }, h("p", {}, text), h("p", {}, h("a", { href: "#/" }, "Choose a game"))));
  }

  function draw() {
    if (!table) return redraw(place, h("p", { class: "empty" }, seat ? "Sitting down …" : "Looking over a shoulder …"));
    const waiting = sent === moment(table);
    const shown = waiting ? { ...table, choices: null } : table;
    const { node, controls, keys } = gameNamed(table.game).draw(shown, table.you === null ? null : act, draw);
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
        topLine(table, !table.spectator && speed),
        h(
          "div",
          { class: "stage" },
          table.spectator && watching(table, sit),
          node,
          table.trouble && h("p", { class: "bad", role: "alert" }, table.trouble),
          h("div", { class: "controls" }, drawPrompt(shown, { next, rebuy, undo, send, replace }), controls),
        ),
        h(
          "aside",
          { class: "side", "aria-label": "Reasons, coach and log" },
          reasonsPanel(table, settings().reasons, reasons, draw),
          table.you !== null && coachPanel(table, agents, coach),
          friendsPanel(id, table, seat?.friends),
          logPanel(table),
        ),
      ),
    );
  }

  function changed(state) {
    const banner = document.getElementById("connection");
    banner.hidden = state === "open";
    banner.textContent = state === "open" ? "" : "The connection is lost. Reconnecting by itself …";
    if (state === "open" && table) sent = null;
  }

  let link = null;
  function connect() {
    link?.close();
    seat = seatAt(id);
    table = null;
    link = new Link(id, seat?.token ?? null, heard, changed);
    draw();
  }

  connect();
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
    speed &&
      h(
        "label",
        { class: "speed fine" },
        h("span", { class: "quiet", "aria-hidden": "true" }, "Speed"),
        h(
          "select",
          {
            "aria-label": "Speed",
            value: String(nearest(now)),
            onchange: (event) => speed(Number(event.target.value)),
          },
          SPEEDS.map(([seconds, word]) => h("option", { value: String(seconds) }, word)),
        ),
      ),
    h("a", { class: "fine", href: "#/" }, "Leave"),
  );
}

const nearest = (seconds) =>
  SPEEDS.map(([each]) => each).reduce((a, b) => (Math.abs(b - seconds) < Math.abs(a - seconds) ? b : a));
