// How a hand ended, in one line.

import { h } from "../dom.js";
import { chips, plain, signed } from "../numbers.js";

export function outcome(table) {
  if (table.squares) {
    const rivals = table.seats.filter((seat) => seat.seat !== (table.you ?? 0));
    const scores = rivals.map((seat) =>
      seat.score === null || seat.score === undefined
        ? `${seat.name} still plays`
        : `${seat.name} has ${plain(seat.score)}`,
    );
    return [
      h("b", {}, `${plain(table.squares.total)} points.`),
      scores.length > 0 && ` On the same deal ${scores.join(", ")}.`,
    ];
  }
  const own = table.seats.find((seat) => seat.seat === table.you);
  const best = table.seats.filter((seat) => seat.won > 0);
  if (table.five_o) {
    const columns = (seat) => table.five_o.won?.filter((winner) => winner === seat).length ?? 0;
    const first = best[0] ?? own ?? table.seats[0];
    const score = `${columns(first.seat)} to ${columns(1 - first.seat)} columns`;
    return h(
      "b",
      {},
      !best.length ? `A draw, ${score}.` : first === own ? `You win, ${score}.` : `${first.name} wins, ${score}.`,
    );
  }
  const winners = best.map((seat) => (seat.seat === table.you ? "You" : seat.name)).join(" and ");
  const hand = best[0]?.hand_name ? `: ${best[0].hand_name}` : "";
  const verb = best.length === 1 && best[0].seat !== table.you ? "wins" : "win";
  const gain = best.length === 1 ? ` ${chips(best[0].won)}` : "";
  return [
    h("b", {}, best.length ? `${winners} ${verb}${gain}${hand}.` : "Nobody wins."),
    own && own.won < 0 && ` You lose ${signed(own.won, 0).slice(1)}.`,
  ];
}
