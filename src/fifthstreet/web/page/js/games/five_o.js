// Five-O: the opponent's five columns above, one's own below, and what each column promises between them.

import { drawCard, drawPlace, spoken, spokenAll } from "../cards.js";
import { draggable } from "../drag.js";
import { h } from "../dom.js";
import { percent } from "../numbers.js";

export function drawFiveO(table, act) {
  const { columns, names, next, won } = table.five_o; // by seat
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
    playerLine(above, won, 1 - own),
    h(
      "div",
      { class: "columns" },
      columns[1 - own].map((cards, i) =>
        drawColumn(cards, { above: true, result: result(won?.[i], 1 - own), name: names?.[1 - own]?.[i] }),
      ),
    ),
    theirs && chances(theirs, `${above.name}’s chance to win each column, in its own eyes`),
    h("div", { class: "between" }),
    h(
      "div",
      { class: "columns" },
      columns[own].map((cards, i) =>
        drawColumn(cards, {
          result: result(won?.[i], own),
          name: names?.[own]?.[i],
          place: open.has(i) && next && { number: i + 1, next, go: () => act({ column: i }), hint: advice?.[i]?.put },
        }),
      ),
    ),
    ours &&
      chances(
        ours,
        advice
          ? `your chance to win each column, says ${table.coach.agent}`
          : `${below.name}’s chance to win each column`,
        advised(table),
      ),
    playerLine(below, won, own),
    next && drawNext(next, open.size > 0, act),
  );
  return { node, keys };
}

const result = (winner, seat) => (winner === undefined || winner === null ? "" : winner === seat ? "won" : "lost");

/** The column that the coach would take. */
const advised = ({ coach }) =>
  (coach?.advice?.bars ?? []).reduce(
    (found, bar) => (bar.chosen ? Number(bar.label.match(/\d+/)?.[0]) - 1 : found),
    -1,
  );

function playerLine(seat, won, index) {
  const mine = won?.filter((winner) => winner === index).length;
  return h(
    "p",
    { class: `player ${seat.to_act ? "acting" : ""}` },
    h("b", {}, seat.name),
    (seat.thinking || seat.preparing) &&
      h("span", { class: "dots", role: "img", "aria-label": "thinking" }, h("i"), h("i"), h("i")),
    seat.failed && h("span", { class: "said trouble", title: seat.failed }, `failed: ${seat.failed}`),
    won && h("span", {}, `${mine} column${mine === 1 ? "" : "s"}`),
  );
}

/** A column is one button while a card may go there, and a group of cards otherwise. */
function drawColumn(cards, { above = false, result = "", place = false, name = "" }) {
  const pile = [
    cards.map((card, i) => drawCard(card, { key: card ?? `back${i}`, label: !place })),
    !above && place && cards.length < 5 && drawPlace("here"),
    place && h("kbd", { "aria-hidden": "true" }, String(place.number)),
    name && h("span", { class: "made" }, name.split(",")[0]),
  ];
  const kind = `column ${above ? "above" : ""} ${result}`;
  if (!place)
    return h(
      "div",
      { class: kind, role: "group", "aria-label": [spokenAll(cards), name, result].filter(Boolean).join(", ") },
      pile,
    );
  const promise = Number.isFinite(place.hint) ? `, ${percent(place.hint)} to win` : "";
  const label = `Column ${place.number}: ${spokenAll(cards)}. Put the ${spoken(place.next)} here${promise}`;
  return h(
    "button",
    { class: `${kind} open`, "aria-label": label, "data-drop": place.number - 1, onclick: place.go },
    pile,
  );
}

/** Put: the chance to win the column if the card goes there. Wait: if it goes elsewhere. */
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
