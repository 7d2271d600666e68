// What has changed between two snapshots of a table, as sentences for a screen reader.

import { spokenText } from "./cards.js";
import { gameNamed } from "./games/all.js";
import { nameOf, short } from "./names.js";

export function news(before, now) {
  const { says, describe } = gameNamed(now.game);
  const same = before?.hand === now.hand && before?.id === now.id ? before : null; // the same hand, earlier
  const fresh = lines(now).slice(same ? lines(same).length : 0);
  const turn = now.choices && !(same?.choices && same.number === now.number);
  return [
    !same && says.deal(now),
    ...fresh
      .filter((line) => line.seat !== now.you)
      .map((line) => `${nameOf(now, line.seat)} ${spokenText(describe(line, false))}`),
    says.table(now, same),
    ...absences(before, now),
    turn && says.turn(now),
    ...(now.over && !before?.over ? says.end(now) : []),
  ]
    .filter(Boolean)
    .join(". ");
}

/** For whom an agent plays now, and who has come. */
const absences = (before, now) =>
  now.seats
    .filter((seat) => before && seat.stand_in !== before.seats[seat.seat]?.stand_in)
    .map((seat) => (seat.stand_in ? `${short(seat.stand_in)} plays for ${seat.name}` : `${seat.name} is here`));

const lines = (table) => (table.log ?? []).flatMap((street) => street.lines);
