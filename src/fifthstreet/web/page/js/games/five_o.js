// Five-O: the opponent's five columns above, one's own below, and the chances to win each of them.

import { drawCard, drawPlace, spoken, spokenAll } from "../cards.js";
import { h } from "../dom.js";
import { draggable } from "../drag.js";
import { busy, nameAt } from "../names.js";
import { percent } from "../numbers.js";
import { winners } from "./plain.js";

const wonBy = (seat) => seat.made?.filter((column) => column.won).length ?? 0;

export const fiveO = {
  name: "five-o",
  line: "Build five hands, card by card, against five of your opponent’s.",
  fan: ["2s", "2d", "Kc", "Kd", "7h"],
  watched: ["greedy-2", "reflex-3"],
  round: "game",
  parameters: { hidden: "Hidden row", draws: "Drawn games count for" },
  keys: [["Five-O", [["1 – 5", "place the card in that column"]]]],
  draw: (table, act) => drawFiveO(table, act),
  prompt: () => [h("b", {}, "Your turn."), " Choose a column for the card."],

  outcome(table) {
    const [winner] = winners(table);
    const first = winner ?? table.seats.find((seat) => seat.seat === table.you) ?? table.seats[0];
    const second = table.seats.find((seat) => seat !== first);
    const who = !winner ? "A draw" : winner.seat === table.you ? "You win" : `${winner.name} wins`;
    return h("b", {}, `${who}, ${wonBy(first)} to ${wonBy(second)} columns.`);
  },

  describe: ({ card, column }, mine) => `${mine ? "put" : "puts"} ${card ?? "a card"} in column ${column + 1}`,
  brief: ({ card, column }) => `${card ?? "a card"} → ${column + 1}`,

  says: { turn: (table) => `Place the ${spoken(table.five_o.next)}` },
};

function drawFiveO(table, act) {
  const { next } = table.five_o;
  const own = table.you ?? 0;
  const open = new Set(act ? table.choices?.columns : []);
  const advice = table.coach?.advice?.columns;
  const [above, below] = [table.seats[1 - own], table.seats[own]];
  const thoughtBy = (seat) =>
    table.over ? null : table.thoughts?.find((thought) => thought.seat === seat.seat && !thought.hidden)?.columns;
  const theirs = thoughtBy(above);
  const ours = advice ?? thoughtBy(below);
  const keys = Object.fromEntries([...open].map((column) => [String(column + 1), () => act({ column })]));
  const node = h(
    "section",
    { class: "five-o cloth", "aria-label": "Table" },
    playerLine(above, table.you),
    h(
      "div",
      { class: "columns" },
      above.columns.map((cards, i) => drawColumn(cards, { above: true, made: above.made?.[i] })),
    ),
    theirs && chances(theirs, `${above.name}’s chance to win each column, in its own opinion`),
    h("div", { class: "between" }),
    h(
      "div",
      { class: "columns" },
      below.columns.map((cards, i) =>
        drawColumn(cards, {
          made: below.made?.[i],
          place: act &&
            !table.over && {
              number: i + 1,
              next,
              go: open.has(i) && next ? () => act({ column: i }) : null,
              hint: advice?.[i]?.put,
            },
        }),
      ),
    ),
    ours &&
      chances(
        ours,
        advice
          ? `your chance to win each column, says ${table.coach.agent}`
          : `${below.name}’s chance to win each column`,
        table.coach?.advice?.choice?.column,
      ),
    playerLine(below, table.you),
    next && drawNext(next, open.size > 0, act),
  );
  return { node, keys };
}

function playerLine(seat, you) {
  const won = wonBy(seat);
  return h(
    "p",
    { class: `player ${seat.to_act ? "acting" : ""}` },
    h("b", {}, nameAt(seat, you)),
    busy(seat) && h("span", {}, busy(seat)),
    seat.failed && h("span", { class: "said trouble", title: seat.failed }, `failed: ${seat.failed}`),
    seat.made && h("span", {}, `${won} column${won === 1 ? "" : "s"}`),
  );
}

/** In one's own game a column is one button, also while no card may go there; otherwise it is a group of cards. */
function drawColumn(cards, { above = false, place = false, made = null }) {
  const result = made?.won ? "won" : made?.lost ? "lost" : "";
  const pile = [
    cards.map((card, i) => drawCard(card, { key: card ?? `back${i}`, label: !place })),
    place?.go && cards.length < 5 && drawPlace("here"),
    place?.go && h("kbd", { "aria-hidden": "true" }, String(place.number)),
    made && h("span", { class: "made" }, made.kind),
  ];
  const kind = `column ${above ? "above" : ""} ${result}`;
  if (!place)
    return h(
      "div",
      { class: kind, role: "group", "aria-label": [spokenAll(cards), made?.name, result].filter(Boolean).join(", ") },
      pile,
    );
  const label = `Column ${place.number}: ${spokenAll(cards)}`;
  if (!place.go)
    return h("button", { class: kind, "aria-label": label, "aria-disabled": "true", tabindex: "-1" }, pile);
  const promise = Number.isFinite(place.hint) ? `, ${percent(place.hint)} to win` : "";
  return h(
    "button",
    {
      class: `${kind} open`,
      "aria-label": `${label}. Put the ${spoken(place.next)} here${promise}`,
      "data-drop": place.number - 1,
      onclick: place.go,
    },
    pile,
  );
}

/** Put: the chance to win the column with the card there. Wait: with the card elsewhere. */
function chances(columns, words, marked = -1) {
  return h(
    "div",
    { class: "chances", role: "group", "aria-label": words },
    columns.map((each, i) =>
      h(
        "div",
        { class: `chance ${i === marked ? "best" : ""}` },
        each && [meter("put", each.put), meter("wait", each.wait)],
      ),
    ),
    h("p", { class: "whose" }, words),
  );
}

function meter(word, value) {
  if (value === null || value === undefined) return null;
  const shade = value >= 0.5 ? "ahead" : "behind";
  return h(
    "div",
    { class: `meter ${shade} ${word}`, style: { "--part": value } },
    h("span", { class: "word" }, word),
    h("span", {}, percent(value)),
  );
}

function drawNext(card, mine, act) {
  const face = drawCard(card, { key: card });
  const handle = h("span", { class: "next-card", key: `next${card}` }, face);
  if (mine) draggable(handle, (place) => act({ column: Number(place.dataset.drop) }));
  return h("div", { class: "next" }, h("span", { class: "title" }, mine ? "Place this card" : "Next card"), handle);
}
