// The replay of a hand: every step, all cards, all reasons; and playing on from any step.

import { allGames, get, post } from "../api.js";
import { withCards } from "../cards.js";
import { h, icon, redraw } from "../dom.js";
import { gameNamed } from "../games/all.js";
import { bind } from "../keys.js";
import { nameOf } from "../names.js";
import { copy } from "../panels/friends.js";
import { logPanel } from "../panels/log.js";
import { spotPanel } from "../panels/spot.js";
import { drawThought } from "../panels/thought.js";
import { keepSeat } from "../settings.js";
import { notice, tell } from "../tell.js";

const PACE = 1100; // milliseconds per step while it plays

export function replayView(place, id, step = "0") {
  let hand = null;
  let at = 0;
  let timer = null;
  let agents = []; // who may say which ranges the players had
  let wanted = { coach: "tight-aggressive", busy: false };

  const go = (to) => {
    at = Math.max(0, Math.min(hand.frames.length - 1, to));
    if (at === hand.frames.length - 1) pause();
    history.replaceState(null, "", `#/hand/${id}/${at}`);
    draw();
    tell(saidNext(hand, at) || "The end.");
  };
  const pause = () => {
    clearInterval(timer);
    timer = null;
  };
  const play = () => {
    if (timer) pause();
    else {
      if (at === hand.frames.length - 1) at = 0;
      timer = setInterval(() => go(at + 1), PACE);
    }
    draw();
  };
  const branch = async (seat) => {
    try {
      const seats = hand.chairs.map((who, chair) =>
        chair === seat ? "you" : who === "you" || !who ? standIn(hand) : who,
      );
      const made = await post(`/api/hands/${id}/branch`, { step: at, seats });
      keepSeat(made.table, {
        token: made.token,
        seat: made.seat,
        game: hand.game,
        title: `${hand.title}, branched off`,
      });
      location.hash = `#/table/${made.table}`;
    } catch (error) {
      notice(error.message, "error");
    }
  };

  function draw() {
    const table = moment(hand, at);
    const last = hand.frames.length - 1;
    const { node } = gameNamed(hand.game).draw(table);
    bind({
      ArrowLeft: () => go(at - 1),
      ArrowRight: () => go(at + 1),
      " ": play,
      Home: () => go(0),
      End: () => go(last),
      "?": () => document.getElementById("help").showModal(),
    });
    redraw(
      place,
      h(
        "div",
        { class: "table-view replaying" },
        h(
          "div",
          { class: "table-top" },
          h("h1", { class: "table-title" }, hand.title, h("span", { class: "quiet" }, " replay")),
          h("a", { class: "fine", href: "#/replay" }, "All hands"),
        ),
        h("div", { class: "stage" }, node, stepper(last)),
        h(
          "aside",
          { class: "side", "aria-label": "Reasons and log" },
          thoughtPanel(table),
          hand.frames[at].spot &&
            spotPanel(hand, at, agents, wanted, (changes) => {
              wanted = { ...wanted, ...changes };
              if (place.isConnected) draw();
            }),
          logPanel(table),
          branchPanel(table),
        ),
      ),
    );
  }

  function stepper(last) {
    const button = (name, label, to) => h("button", { class: "small", "aria-label": label, onclick: to }, icon(name));
    const table = moment(hand, at);
    return h(
      "div",
      { class: "stepper" },
      h("p", { class: "prompt" }, table.over ? gameNamed(hand.game).outcome(table) : withCards(saidNext(hand, at))),
      h(
        "div",
        { class: "steps" },
        button("first", "First step", () => go(0)),
        button("back", "One step back", () => go(at - 1)),
        h("input", {
          type: "range",
          min: 0,
          max: last,
          value: at,
          "aria-label": "Step",
          "aria-valuetext": `step ${at} of ${last}`,
          oninput: (event) => go(Number(event.target.value)),
        }),
        button("forward", "One step on", () => go(at + 1)),
        button("last", "Last step", () => go(last)),
      ),
      h(
        "div",
        { class: "row" },
        h(
          "button",
          { class: "small", onclick: play },
          icon(timer ? "pause" : "forward"),
          timer ? "Pause" : "Play",
          h("kbd", { "aria-hidden": "true" }, "space"),
        ),
        h("span", { class: "quiet fine" }, `step ${at} of ${last}`, h("kbd", {}, "←"), h("kbd", {}, "→")),
        h("button", { class: "small", onclick: () => copy(location.href) }, "Copy link"),
        hand.phh &&
          h("a", { class: "button small", href: `/api/hands/${id}.phh`, download: `${id}.phh` }, "Export PHH"),
      ),
    );
  }

  function branchPanel(table) {
    const seats = table.seats.filter(({ seat }) => table.open_seats.includes(seat));
    if (!seats.length) return null;
    return h(
      "section",
      { class: "panel", key: "branch" },
      h("header", {}, h("h2", { class: "title" }, "Play on from here")),
      h("p", { class: "quiet fine" }, "Start a new table at this step, with the same cards. Whose seat do you take?"),
      h(
        "div",
        { class: "row" },
        seats.map((seat) => h("button", { class: "small", onclick: () => branch(seat.seat) }, seat.name)),
      ),
    );
  }

  redraw(place, h("p", { class: "empty" }, "Loading the hand …"));
  get(`/api/hands/${id}`).then(
    (found) => {
      hand = found;
      document.title = `${hand.title}, replay – fifthstreet`;
      go(Number(step) || 0);
      allGames().then((games) => {
        agents = games.find((game) => game.name === hand.game).agents.filter((agent) => !agent.slow_start);
        if (place.isConnected) draw();
      });
    },
    (error) =>
      redraw(place, h("div", { class: "empty" }, h("p", {}, error.message), h("a", { href: "#/replay" }, "All hands"))),
  );
  return () => {
    pause();
    bind({});
  };
}

/** The table before step `at`, in the form of a live one, with what is done next and why. */
function moment(hand, at) {
  const frame = hand.frames[at];
  const thought = frame.then?.thought;
  return {
    ...frame,
    game: hand.game,
    you: hand.people.length === 1 ? hand.people[0] : null,
    choices: null,
    log: upTo(hand.log, at),
    thoughts: thought ? [thought] : [],
    deal: hand.deal,
  };
}

const saidNext = (hand, at) => {
  const { then } = hand.frames[at];
  const table = moment(hand, at);
  const said = () => gameNamed(hand.game).describe(then, then.seat === table.you);
  return then ? `${nameOf(table, then.seat)} ${said()}` : "";
};

/** The first `count` lines of the log. */
function upTo(log, count) {
  let left = count;
  const cut = [];
  for (const street of log) {
    if (left < 0) break;
    cut.push({ ...street, lines: street.lines.slice(0, left) });
    left -= street.lines.length;
    if (left <= 0) break;
  }
  return cut;
}

/** The agent that takes a person's seat. */
const standIn = (hand) => hand.chairs.find((who) => who && who !== "you") ?? "random";

function silence(table, acting) {
  const { round } = gameNamed(table.game);
  if (!acting) return `The ${round} is over.`;
  return acting.seat === table.you ? "You decide here." : `${acting.name} decides here and gives no reasons.`;
}

function thoughtPanel(table) {
  const [thought] = table.thoughts;
  const names = Object.fromEntries(table.seats.map((seat) => [seat.seat, seat.name]));
  const acting = table.seats.find((seat) => seat.to_act);
  return h(
    "section",
    { class: "panel reasons", key: "reasons", "aria-label": "Reasons" },
    h("header", {}, h("h2", { class: "title" }, thought ? `What ${thought.name} thinks here` : "Reasons")),
    thought
      ? h("div", { class: "thought" }, drawThought(thought, names, gameNamed(table.game)))
      : h("p", { class: "quiet fine" }, silence(table, acting)),
  );
}
