// What happened in this hand, street by street.

import { cardInText, withCards } from "../cards.js";
import { h } from "../dom.js";
import { gameNamed } from "../games/all.js";
import { nameOf } from "../names.js";

export function logPanel(table, extra = null) {
  const game = gameNamed(table.game);
  const brief = game.brief ?? game.describe;
  const streets = (table.log ?? []).filter((street) => street.lines.length || street.board?.length);
  return h(
    "section",
    { class: "panel log", key: "log", "aria-label": `This ${game.round}` },
    h("header", {}, h("h2", { class: "title" }, `This ${game.round}`), extra),
    streets.length === 0 && h("p", { class: "quiet fine" }, "No action yet."),
    h(
      "ol",
      {},
      streets.map((street, i) =>
        h(
          "li",
          {},
          h("b", {}, street.phase),
          fresh(streets, i).length > 0 && h("span", { class: "street-cards" }, fresh(streets, i).map(cardInText)),
          h(
            "span",
            { class: "lines" },
            street.lines.map((line) =>
              h(
                "span",
                {},
                !game.alone && h("em", {}, nameOf(table, line.seat)),
                " ",
                withCards(brief(line, line.seat === table.you)),
              ),
            ),
          ),
        ),
      ),
    ),
    drawDeal(table, game.round),
  );
}

/** The cards that came with this street. */
const fresh = (streets, i) => (streets[i].board ?? []).slice(i ? (streets[i - 1].board ?? []).length : 0);

/** The deck is fixed before the round, a hand or a game: its hash at the start, its seed at the end, for anyone to check. */
function drawDeal({ deal }, round) {
  if (!deal?.hash) return null;
  return h(
    "details",
    { class: "deal fine" },
    h("summary", {}, `The deck was fixed before the ${round}`),
    h("p", {}, "Its hash ", h("code", {}, deal.hash)),
    h(
      "p",
      {},
      deal.seed === null || deal.seed === undefined
        ? `Its seed is shown when the ${round} is over.`
        : ["Its seed ", h("code", {}, String(deal.seed))],
    ),
    deal.check && h("p", {}, deal.check),
  );
}
