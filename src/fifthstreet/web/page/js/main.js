// The frame of the page: the header, and the view that the address names (#/, #/table/ID, #/hand/ID/STEP, …).

import { h, icon, redraw } from "./dom.js";
import { drawHelp } from "./help.js";
import { sitView } from "./panels/friends.js";
import { change, settings, show } from "./settings.js";
import { clearNotices } from "./tell.js";
import { handsView } from "./views/hands.js";
import { lobbyView } from "./views/lobby.js";
import { papersView } from "./views/papers.js";
import { replayView } from "./views/replay.js";
import { solveView } from "./views/solve.js";
import { statisticsView } from "./views/statistics.js";
import { tableView } from "./views/table.js";
import { watchView } from "./views/watch.js";

const VIEWS = {
  "": lobbyView,
  table: tableView,
  sit: sitView,
  replay: handsView,
  hand: replayView,
  watch: watchView,
  papers: papersView,
  solve: solveView,
  statistics: statisticsView,
};
const NAVIGATION = [
  ["", "Play", ["", "table"]],
  ["replay", "Replay", ["replay", "hand"]],
  ["watch", "Watch", ["watch", "papers"]],
  ["solve", "Solve", ["solve"]],
  ["statistics", "Statistics", ["statistics"]],
];

let leave = () => {};

function route() {
  const [path] = location.hash.replace(/^#\/?/, "").split("?"); // what follows is the view's own
  const [name = "", ...rest] = path.split("/");
  const view = VIEWS[name] ?? lobbyView;
  leave();
  clearNotices();
  document.querySelector(".preferences")?.removeAttribute("open");
  const place = h("div"); // its own for each view: what a view that was left draws later is not seen
  document.getElementById("main").replaceChildren(place);
  drawHeader(name);
  leave = view(place, ...rest.map(decodeURIComponent)) ?? (() => {});
  scrollTo(0, 0);
}

function drawHeader(name) {
  const pick = (changes) => () => {
    change(changes);
    drawHeader(name);
  };
  redraw(
    document.getElementById("top"),
    h(
      "a",
      { class: "brand", href: "#/", "aria-label": "fifthstreet" },
      icon("spades", "icon"),
      h("span", {}, "fifthstreet"),
    ),
    h(
      "nav",
      { "aria-label": "Views" },
      NAVIGATION.map(([to, words, names]) =>
        h("a", { href: `#/${to}`, "aria-current": names.includes(name) ? "page" : null }, words),
      ),
    ),
    h(
      "details",
      { class: "preferences" },
      h("summary", { "aria-label": "Preferences", title: "Preferences" }, icon("gear")),
      h(
        "div",
        { class: "sheet" },
        h(
          "label",
          { class: "tick" },
          h("input", {
            type: "checkbox",
            checked: settings().fourColours,
            onchange: pick({ fourColours: !settings().fourColours }),
          }),
          "Four-colour deck",
        ),
        h(
          "div",
          { class: "tabs", role: "group", "aria-label": "Light or dark" },
          ["auto", "light", "dark"].map((theme) =>
            h("button", { "aria-pressed": String(settings().theme === theme), onclick: pick({ theme }) }, theme),
          ),
        ),
        h(
          "button",
          { class: "small", onclick: () => document.getElementById("help").showModal() },
          "Keys",
          h("kbd", {}, "?"),
        ),
      ),
    ),
  );
}

show();
drawHelp(document.getElementById("help"));
addEventListener("hashchange", route);
addEventListener("click", (event) => {
  const open = document.querySelector(".preferences[open]");
  if (open && !open.contains(event.target)) open.removeAttribute("open");
});
document.querySelector(".skip").onclick = (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
};
route();
