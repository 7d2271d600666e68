// What games with betting share: the felt, and the controls of a betting round (fold, call, raise by slider, preset
// or typed amount).

import { spokenAll } from "../cards.js";
import { h } from "../dom.js";
import { chips } from "../numbers.js";
import { tell } from "../tell.js";
import { drawFelt } from "./felt.js";
import { winners } from "./plain.js";
import { severalPots } from "./pots.js";

export const betting = {
  parameters: {
    stack: "Chips for everyone",
    small_blind: "Small blind",
    big_blind: "Big blind",
    straddle: "Straddle",
    ante: "Ante",
    ante_by: "Ante paid by",
    limit: "Fixed limit",
    cap: "Most raises per street",
    raising_passes: "Passes with raises per street",
    minimum_raise: "Minimum raise",
  },
  keys: [
    [
      "Betting",
      [
        ["F", "fold"],
        ["C", "call or check"],
        ["R", "bet or raise"],
        ["↑ ↓", "change the amount"],
        ["1 – 6", "fractions of the pot"],
        ["A", "type an amount"],
      ],
    ],
  ],

  draw(table, act, refresh, { boardSize = 0 } = {}) {
    const node = drawFelt(table, { boardSize });
    if (!act || !table.choices) return { node, keys: {} };
    const controls = bettingControls(table, act, refresh);
    return { node, controls: controls.node, keys: controls.keys };
  },

  prompt(table) {
    const { call } = table.choices;
    const price = call ? ` ${chips(call)} to call into a pot of ${chips(table.pot)}.` : " Nothing to call.";
    return [h("b", {}, "Your turn."), price];
  },

  outcome(table) {
    const best = winners(table);
    const own = table.seats.find((seat) => seat.seat === table.you);
    const pots = severalPots(table);
    if (pots) {
      const total = own?.won ? `You ${own.won > 0 ? "win" : "lose"} ${chips(Math.abs(own.won))} in all.` : "";
      return [pots.map((line) => h("span", { class: "pot-line" }, line)), own && h("span", {}, total)];
    }
    const names = best.map((seat) => (seat.seat === table.you ? "You" : seat.name)).join(" and ");
    const hand = best[0]?.hand_name ? `: ${best[0].hand_name}` : "";
    const verb = best.length === 1 && best[0].seat !== table.you ? "wins" : "win";
    const gain = best.length === 1 ? ` ${chips(best[0].won)}` : "";
    return [
      h("b", {}, best.length ? `${names} ${verb}${gain}${hand}.` : "Nobody wins."),
      own && own.won < 0 && ` You lose ${chips(-own.won)}.`,
    ];
  },

  describe(line, mine) {
    const verb = mine ? line.kind : `${line.kind}s`;
    const amount = line.amount ? ` ${line.kind === "raise" ? "to " : ""}${chips(line.amount)}` : "";
    const allIn = line.all_in ? ` and ${mine ? "are" : "is"} all-in` : "";
    return `${verb}${amount}${allIn}`;
  },

  says: {
    deal(table) {
      const cards = table.seats.find((seat) => seat.seat === table.you)?.cards;
      return cards?.length ? `Hand ${table.hand}. You have ${spokenAll(cards)}` : null;
    },
    table: (table, before) =>
      table.board.length > (before?.board.length ?? 0) ? `Board: ${spokenAll(table.board)}` : null,
    turn: ({ choices }) => (choices.call ? `Your turn, ${chips(choices.call)} to call` : "Your turn"),
    end: (table) =>
      severalPots(table)?.map((line) => line.replace(/\.$/, "")) ??
      winners(table).map((seat) => {
        const who = seat.seat === table.you ? "You win" : `${seat.name} wins`;
        return seat.hand_name ? `${who} with ${seat.hand_name}` : who;
      }),
  },
};

let amount = null; // what the slider is set to
let typed = null; // the text in the field, while it is no amount that is allowed
let asked = ""; // for which decision

function bettingControls(table, act, refresh) {
  const { choices } = table;
  const { raise } = choices;
  const question = `${table.id}/${table.hand}/${table.number}`;
  if (asked !== question) [asked, amount, typed] = [question, raise ? raise.low : null, null];
  const set = (to) => {
    amount = Math.round(Math.min(raise.high, Math.max(raise.low, to)));
    typed = null;
    refresh();
  };
  const type = (text) => {
    const to = Number(text);
    const allowed = text !== "" && Number.isInteger(to) && raise.low <= to && to <= raise.high;
    if (allowed) amount = to;
    typed = allowed ? null : text;
    refresh();
  };
  const go = () => {
    if (typed === null) return act({ move: "raise", to: amount });
    tell(allowedAmounts(raise));
    document.getElementById("amount")?.select();
  };
  const keys = {
    c: () => act({ move: "call" }),
    k: () => act({ move: "call" }),
    ...(choices.fold && { f: () => act({ move: "fold" }) }),
    ...(raise && {
      r: go,
      ArrowUp: () => set(amount + step(raise)),
      ArrowDown: () => set(amount - step(raise)),
      a: () => document.getElementById("amount")?.select(),
    }),
  };
  for (const [i, preset] of raise?.presets.entries() ?? []) keys[String(i + 1)] = () => set(preset.to);
  const node = h(
    "div",
    { class: "betting" },
    h(
      "div",
      { class: "moves" },
      choices.fold && h("button", { class: "fold", key: "fold", onclick: keys.f }, "Fold", hint("F")),
      h(
        "button",
        { class: "call", key: "call", onclick: keys.c },
        choices.call ? `Call ${chips(choices.call)}` : "Check",
        hint("C"),
      ),
      raise &&
        h(
          "button",
          { class: "raise", key: "raise", disabled: typed !== null, onclick: go },
          typed === null ? raiseWords(table, amount, raise) : "Raise to …",
          hint("R"),
        ),
    ),
    raise && raise.high > raise.low && sizes(raise, amount, set, type, go),
  );
  return { node, keys };
}

const hint = (key) => h("kbd", { "aria-hidden": "true" }, key);

function raiseWords(table, to, raise) {
  if (raise.all_in && to === raise.high) return `All-in ${chips(to)}`;
  return table.choices.call || table.seats.some((seat) => seat.bet > 0) ? `Raise to ${chips(to)}` : `Bet ${chips(to)}`;
}

/** A round step that crosses the range in about forty presses. */
function step(raise) {
  const rough = Math.max(1, (raise.high - raise.low) / 40);
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
}

const allowedAmounts = ({ low, high }) => `From ${chips(low)} to ${chips(high)} is allowed.`;

function sizes(raise, to, set, type, go) {
  const wrong = typed !== null;
  return h(
    "div",
    { class: "sizes" },
    h("input", {
      type: "range",
      class: "slider",
      min: raise.low,
      max: raise.high,
      step: 1,
      value: to,
      "aria-label": "Raise to",
      "aria-valuetext": chips(to),
      oninput: (event) => set(Number(event.target.value)),
    }),
    h("input", {
      id: "amount",
      type: "number",
      inputmode: "numeric",
      min: raise.low,
      max: raise.high,
      value: wrong ? typed : to,
      "aria-label": `Amount to raise to, from ${raise.low} to ${raise.high}`,
      "aria-invalid": wrong ? "true" : null,
      "aria-describedby": wrong ? "amount-allowed" : null,
      oninput: (event) => type(event.target.value),
      onkeydown: (event) => {
        if (event.key === "Escape") event.target.blur();
        if (event.key !== "Enter") return;
        if (typed === null) event.target.blur();
        go();
      },
    }),
    wrong && h("p", { class: "bad fine", id: "amount-allowed", role: "alert", key: "wrong" }, allowedAmounts(raise)),
    h(
      "div",
      { class: "presets", role: "group", "aria-label": "Sizes" },
      raise.presets.map((preset, i) =>
        h(
          "button",
          {
            class: "small",
            key: preset.label,
            "aria-pressed": String(!wrong && preset.to === to),
            onclick: () => set(preset.to),
          },
          preset.label,
          hint(String(i + 1)),
        ),
      ),
    ),
  );
}
