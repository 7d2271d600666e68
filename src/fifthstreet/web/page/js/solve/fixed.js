// Play that is fixed: what one side does everywhere or at one decision, to see the other side's best answer.

import { h } from "../dom.js";
import { named } from "./actions.js";
import { NAMES, SIDES } from "./spot.js";

/** The parts of the text, each with the place that it is about: a side, or the actions that lead there. */
export const parts = (lock) =>
  lock
    .split("|")
    .map((part) => part.trim())
    .filter(Boolean)
    .map((text) => {
      const [place, ...play] = text.split("=");
      return { text, place: place.trim(), play: play.join("=").trim() };
    });

const join = (all) => all.map((each) => each.text).join(" | ");

/** The text with one place's play exchanged, or freed if there is none. */
export function fixed(lock, place, play) {
  const rest = parts(lock).filter((each) => each.place !== place);
  return join(play ? [...rest, { text: `${place}=${play}` }] : rest);
}

/** Who plays like an agent, in the form of the spot; `agents` are their names. */
export function fixedPanel(spot, agents, set) {
  const all = parts(spot.lock);
  const agentOf = (side) => all.find((each) => each.place === side)?.play ?? "";
  return h(
    "section",
    { class: "panel", key: "fixed", "aria-label": "Fixed play" },
    h("header", {}, h("h2", { class: "title" }, "Fixed play")),
    h(
      "p",
      { class: "quiet fine" },
      "Both sides play as well as they can, unless one plays like an agent: the other then answers it best.",
    ),
    h(
      "div",
      { class: "spot-chips" },
      SIDES.map((side) => {
        const chosen = agentOf(side);
        const options = chosen && !agents.includes(chosen) ? [chosen, ...agents] : agents;
        return h(
          "label",
          { class: "field" },
          `${NAMES[side]} plays`,
          h(
            "select",
            { value: chosen, onchange: ({ target }) => set({ lock: fixed(spot.lock, side, target.value) }) },
            h("option", { value: "" }, "its best"),
            options.map((name) => h("option", { value: name }, `like ${name}`)),
          ),
        );
      }),
    ),
    h(
      "label",
      { class: "field" },
      "or typed",
      h("input", {
        value: spot.lock,
        spellcheck: "false",
        autocomplete: "off",
        placeholder: "bet 90=any fold 0.5 call 0.5; AA call 1",
        oninput: (event) => set({ lock: event.target.value }),
      }),
    ),
  );
}

/** What is fixed, above the solution, each to be freed again. */
export function fixedNote(lock, names, free) {
  const all = parts(lock);
  if (!all.length) return null;
  const where = (place) => (SIDES.includes(place) ? `${names[place]}, everywhere` : place || "at the start");
  return h(
    "section",
    { class: "panel hand-note", key: "fixed", "aria-label": "Fixed play" },
    h("b", {}, "Fixed play"),
    all.map((each) =>
      h(
        "span",
        { class: "row", key: each.text },
        `${where(each.place)}: ${each.play}`,
        h("button", { class: "small", onclick: () => free(each.place), "aria-label": `Free ${each.text}` }, "Free"),
      ),
    ),
  );
}

/** At a decision: how often each action is to be taken. `draft` is {shares, hands}, null until something is changed. */
export function fixForm({ node, names, lock, draft, change, fix }) {
  const shares = draft?.shares ?? rounded(node.frequency);
  const hands = draft?.hands ?? "any";
  const total = shares.reduce((sum, share) => sum + (Number(share) || 0), 0);
  const right = total === 100 && shares.every((share) => share >= 0) && hands.trim() !== "";
  const place = node.line.filter((step) => !/^[2-9TJQKA][shdc]$/.test(step)).join(", ");
  const onEveryCard = place !== node.line.join(", ");
  const submit = (event) => {
    event.preventDefault();
    if (!right) return;
    const play = node.actions.map((action, i) => `${action} ${shares[i] / 100}`).join(" ");
    const before = parts(lock).find((each) => each.place === place)?.play;
    const group = hands.trim().replaceAll(/\s*,\s*|\s+/g, ",");
    const text = `${group} ${play}`;
    // Hands that are not named keep what was fixed, or else play as they do on average now.
    const others =
      before ?? `any ${node.actions.map((action, i) => `${action} ${rounded(node.frequency)[i] / 100}`).join(" ")}`;
    fix(place, group === "any" ? text : `${others}; ${text}`);
  };
  return h(
    "details",
    { class: "panel fix", key: "fix" },
    h("summary", {}, `Fix what ${names[node.to_act]} does here${onEveryCard ? ", on every card" : ""}`),
    h(
      "form",
      { class: "stacked", "aria-label": "Fixed play here", onsubmit: submit },
      h(
        "div",
        { class: "spot-chips" },
        node.actions.map((action, i) =>
          h(
            "label",
            { class: "field", key: action },
            `${named(action)}, %`,
            h("input", {
              type: "number",
              min: 0,
              max: 100,
              inputmode: "numeric",
              value: shares[i],
              oninput: ({ target }) =>
                change({
                  hands,
                  shares: shares.map((share, j) =>
                    i === j ? (target.value === "" ? "" : Number(target.value)) : share,
                  ),
                }),
            }),
          ),
        ),
        h(
          "label",
          { class: "field" },
          "Hands",
          h("input", {
            value: hands,
            spellcheck: "false",
            autocomplete: "off",
            oninput: ({ target }) => change({ shares, hands: target.value }),
          }),
        ),
      ),
      h(
        "div",
        { class: "row" },
        h("button", { type: "submit", class: "primary", disabled: !right }, "Solve the other side's answer"),
        h("span", { class: right ? "quiet fine" : "bad fine", role: "status" }, right ? "" : `${total}\u202f% of 100`),
      ),
    ),
  );
}

/** Shares in whole per cent that add up to 100. */
function rounded(shares) {
  const found = shares.map((share) => Math.floor(100 * share + 1e-9));
  const order = shares.map((share, i) => [100 * share - found[i], i]).sort((a, b) => b[0] - a[0]);
  for (let left = 100 - found.reduce((sum, share) => sum + share, 0), k = 0; left > 0; left--, k++)
    found[order[k % order.length][1]] += 1;
  return found;
}
