// The solver: a spot is put together or comes from a hand, is solved by the server, and is walked through.

import { get, post, remove } from "../api.js";
import { cardInText } from "../cards.js";
import { h, redraw } from "../dom.js";
import { follow, isOver } from "../follow.js";
import { bind } from "../keys.js";
import { chips, plain } from "../numbers.js";
import { copy } from "../panels/friends.js";
import { CLASSES, placeOf, spokenClass } from "../solve/classes.js";
import { fixed, fixedNote, fixForm } from "../solve/fixed.js";
import { drawForm } from "../solve/form.js";
import { cardsOf, parse, read, SHORT, SIDES, write } from "../solve/spot.js";
import { classesOf, drawHands, drawVerdicts, strategyGrid } from "../solve/strategy.js";
import { versusPanel } from "../solve/versus.js";
import { drawLine, drawNext, drawTableau, spokenStep, whatNow } from "../solve/walk.js";
import { notice, tell } from "../tell.js";

const PAUSE = 300; // milliseconds without a change before the server looks at the spot
const SHOWN = { strategy: "Strategy", ev: "EV", equity: "Equity" };
const STREETS = { 3: "Flop", 4: "Turn", 5: "River" };

export function solveView(place) {
  let { spot, line, hand } = read();
  let gone = false;
  let stopFollowing = () => {};
  let timer = null;
  let asked = 0; // goes up with every change and look, so that answers about an older spot are dropped
  let id = null; // of the solve
  let news = null; // its latest report
  let node = null; // where we are in the tree
  let now = { seen: {}, brush: 1, agents: [], at: { board: 0, oop: 0, ip: 0, deal: 0 } };
  let draft = null; // of the play to be fixed here
  let pane = { side: null, shown: "strategy", at: 0, hovered: null };
  const names = sideNames(hand);
  const moment = () => parse(hand?.moment ?? "");

  const address = (pushed = false) => history[pushed ? "pushState" : "replaceState"](null, "", write(spot, line, hand));

  // Putting the spot together

  const turn = (changes) => {
    now = { ...now, ...changes };
    draw();
  };
  const set = (changes) => {
    spot = { ...spot, ...changes };
    if (["board", "pot", "stack"].some((part) => part in changes)) hand = null; // it is another spot now
    line = null;
    asked += 1;
    address();
    draw();
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE);
  };
  const look = async () => {
    const number = ++asked;
    try {
      const seen = await post("/api/spots/look", spot);
      if (number !== asked || gone) return;
      turn({ seen: { ...merged(now.seen, seen), spot: seen.spot } });
    } catch (error) {
      if (number === asked && !gone) notice(error.message, "error");
    }
  };

  // Solving

  const solve = async () => {
    clearTimeout(timer);
    stopFollowing();
    news = { state: "waiting" };
    node = null;
    draw();
    try {
      const begun = await post("/api/spots", spot);
      if (gone) return;
      id = begun.id;
      hear(begun);
      if (!isOver(begun)) stopFollowing = follow(`/api/spots/${id}`, hear, lost);
    } catch (error) {
      news = null;
      line = null;
      if (gone) return;
      notice(error.message, "error");
      draw();
      look();
    }
  };
  const hear = (heard) => {
    const before = news?.state;
    news = heard;
    if (heard.state === "done") {
      tell(`Solved to ${near(heard.exploitability)} of the pot`);
      walk(line ?? moment(), line === null);
    } else if (heard.state === "failed" || heard.state === "stopped") {
      if (heard.error) notice(heard.error, "error");
      else tell("Cancelled");
      news = null;
      line = null;
      address();
      look();
    } else if (before !== heard.state) tell("Solving");
    draw();
  };
  const lost = () => hear({ state: "failed", error: "The solver is gone: please try again." });
  const cancel = () => remove(`/api/spots/${id}`).catch((error) => notice(error.message, "error"));
  const enough = () => post(`/api/spots/${id}/stop`, {}).catch((error) => notice(error.message, "error"));
  const change = () => {
    stopFollowing();
    news = null;
    node = null;
    line = null;
    address(true);
    document.title = "Solve – fifthstreet";
    draw();
    look();
  };

  const fix = (place, play) => {
    spot = { ...spot, lock: fixed(spot.lock, place, play) };
    asked += 1;
    address();
    solve();
  };

  // Walking

  const walk = async (to, pushed = true) => {
    try {
      const found = await get(`/api/spots/${id}/node?line=${encodeURIComponent(to.join(","))}`);
      if (gone) return;
      const first = node === null;
      node = found;
      line = to;
      draft = null;
      address(pushed);
      pane = { ...pane, side: node.to_act ?? pane.side ?? "oop", hovered: null };
      if (first && hand?.held) pane.at = placeOf(hand.held);
      if (!classesOf(node, pane.side)[pane.at].weight) pane.at = firstClass(node, pane.side);
      document.title = `${STREETS[cardsOf(spot.board).length] ?? "Spot"} solved – fifthstreet`;
      draw();
      tell([to.length ? spokenStep(to.at(-1)) : "", whatNow(node, names)].filter(Boolean).join(". "));
    } catch (error) {
      if (gone) return;
      if (to.length)
        walk([], false); // a line that is not in the tree: from its beginning
      else {
        news = null;
        notice(error.message, "error");
        draw();
      }
    }
  };
  const take = (step) => walk([...line, step]);
  const drafted = (changes) => {
    draft = changes;
    draw();
  };
  const show = (changes) => {
    pane = { ...pane, ...changes };
    draw();
  };

  function draw() {
    if (gone) return;
    bind(node ? keys() : {});
    redraw(
      place,
      h("div", { class: "solve" }, heading(), node ? drawSolution() : news ? drawProgress() : drawMaking()),
    );
  }

  const keys = () => ({
    ...Object.fromEntries(node.actions.map((action, i) => [String(i + 1), () => take(action)])),
    "?": () => document.getElementById("help").showModal(),
    Backspace: () => line.length && walk(line.slice(0, -1)),
  });

  function heading() {
    return h(
      "div",
      { class: "row spread solve-top" },
      h("h1", {}, node ? `${STREETS[cardsOf(spot.board).length]} spot` : "Solve a spot"),
      node
        ? h(
            "div",
            { class: "row" },
            h("span", { class: "quiet fine" }, solvedWords(news)),
            h("button", { class: "small", onclick: () => copy(location.href) }, "Copy link"),
            h("button", { class: "small", onclick: change }, "Change the spot"),
          )
        : h("p", { class: "lead" }, "Pick a board, paint both ranges, and walk through optimal play, hand by hand."),
    );
  }

  function drawMaking() {
    const about = now.seen.spot ?? {};
    const size =
      about.decisions && `${chips(about.decisions)} decisions on all boards, up to ${plain(about.memory_mb)} MB`;
    return drawForm(
      { spot, names: hand && names, ...now },
      set,
      turn,
      solve,
      h(
        "section",
        { class: "panel go", key: "go", "aria-label": "Solve" },
        h("button", { class: "primary", type: "submit", disabled: Boolean(about.error) }, "Solve"),
        h("p", { class: about.error ? "bad fine" : "quiet fine" }, about.error ?? size ?? ""),
      ),
    );
  }

  function drawProgress() {
    const { state, iterations, exploitability, seconds } = news;
    const far = exploitability ? Math.log(exploitability / spot.until) / Math.log(200 / spot.until) : 1;
    return h(
      "section",
      { class: "panel stacked solving", "aria-label": "Progress" },
      h("div", { class: "spot-board" }, cardsOf(spot.board).map(cardInText)),
      h("progress", { value: Math.max(0, Math.min(1, 1 - far)), max: 1, "aria-label": "Progress" }),
      h(
        "dl",
        { class: "solving-figures" },
        figure("iterations", state === "playing" ? plain(iterations) : "–"),
        figure("exploitable for", exploitability ? `${near(exploitability)} of the pot` : "–"),
        figure("wanted", near(spot.until)),
        figure("seconds", state === "playing" ? seconds.toFixed(1) : "–"),
      ),
      h(
        "p",
        { class: "quiet fine" },
        state === "waiting"
          ? "The solver starts. The first time ever its code is compiled, which may take a minute."
          : "Stops by itself when it is precise enough.",
      ),
      h(
        "div",
        { class: "row" },
        h("button", { onclick: cancel }, "Cancel"),
        h("button", { onclick: enough, disabled: !exploitability }, "Good enough: show it"),
      ),
    );
  }

  function drawSolution() {
    const side = pane.side;
    const classes = classesOf(node, side);
    const at = pane.hovered ?? pane.at;
    const held = hand?.held && node.to_act === side ? hand.held : null;
    return h(
      "div",
      { class: "solution" },
      hand && handNote(),
      fixedNote(spot.lock, names, (place) => fix(place, null)),
      h(
        "div",
        { class: "walk" },
        drawTableau(node),
        h(
          "div",
          { class: "walk-steps" },
          drawLine(node, names, (count) => walk(line.slice(0, count))),
          drawNext(node, names, now.at.deal, (deal) => turn({ at: { ...now.at, deal } }), take),
          node.to_act && fixForm({ node, names, lock: spot.lock, draft, change: drafted, fix }),
        ),
      ),
      h(
        "section",
        { class: "panel chart", "aria-label": "Strategy" },
        h(
          "div",
          { class: "row spread" },
          tabs(
            "Whose hands",
            SIDES.map((each) => [each, names[each]]),
            side,
            (chosen) => {
              const here = classesOf(node, chosen)[pane.at].weight > 0;
              show({ side: chosen, hovered: null, at: here ? pane.at : firstClass(node, chosen) });
            },
          ),
          tabs("What the colours show", Object.entries(SHOWN), pane.shown, (shown) => show({ shown })),
        ),
        strategyGrid({
          node,
          side,
          classes,
          shown: pane.shown,
          at: pane.at,
          marked: at,
          look: (i) => i !== pane.hovered && show({ hovered: i }),
          settle: (i) => show({ at: i, hovered: null }),
        }),
      ),
      h(
        "aside",
        { class: "side", "aria-label": "Hands and ranges" },
        h(
          "section",
          { class: "panel hands", key: "hands", "aria-label": `Hands: ${spokenClass(CLASSES[at])}` },
          drawHands({ node, side, name: CLASSES[at], each: classes[at], held }),
        ),
        versusPanel(node, names),
      ),
    );
  }

  function handNote() {
    const back = moment();
    const here = back.join() === line.join();
    const own = here && node.hands[node.to_act]?.find((each) => each.hand === hand.held);
    return h(
      "section",
      { class: "panel hand-note", "aria-label": "The hand that was played" },
      h("b", {}, "What should I have done?"),
      h(
        "span",
        {},
        hand.held && ["With ", cardsOf(hand.held).map(cardInText), ", "],
        hand.did && `${hand.who} ${hand.did}.`,
      ),
      own && drawVerdicts(node, own),
      here ? null : h("button", { class: "small", onclick: () => walk(back) }, "Back to that moment"),
      h("a", { class: "fine", href: `#/hand/${hand.hand}/${hand.step}` }, "The replay"),
    );
  }

  get("/api/games").then(
    (games) =>
      !gone && turn({ agents: games.find((game) => game.name === "holdem")?.agents.map((each) => each.name) ?? [] }),
    () => {}, // then agents can be typed
  );
  draw();
  if (line === null) look();
  else solve();
  return () => {
    gone = true;
    if (id && news && !isOver(news)) remove(`/api/spots/${id}`).catch(() => {});
    clearTimeout(timer);
    stopFollowing();
    bind({});
  };
}

/** Parts that are wrong keep the grid that they had. */
const merged = (old, seen) =>
  Object.fromEntries(SIDES.map((side) => [side, seen[side].error ? { ...old[side], ...seen[side] } : seen[side]]));

const near = (exploitability) => `${plain(exploitability, exploitability < 1 ? 2 : 1)}\u202f%`;

const solvedWords = ({ iterations, exploitability, seconds }) =>
  `within ${near(exploitability)} of the pot · ${chips(iterations)} iterations · ${seconds.toFixed(1)} s`;

const figure = (label, value) => h("div", {}, h("dt", {}, label), h("dd", {}, value));

const sideNames = (hand) => {
  const [oop, ip] = (hand?.names ?? "").split("|");
  return { oop: oop || SHORT.oop, ip: ip || SHORT.ip };
};

/** The class that weighs most, for a beginning. */
function firstClass(node, side) {
  const weights = classesOf(node, side).map((each) => each.weight);
  return weights.indexOf(Math.max(...weights));
}

function tabs(label, options, chosen, choose) {
  return h(
    "div",
    { class: "tabs", role: "group", "aria-label": label },
    options.map(([value, words]) =>
      h("button", { "aria-pressed": String(value === chosen), onclick: () => choose(value) }, words),
    ),
  );
}
