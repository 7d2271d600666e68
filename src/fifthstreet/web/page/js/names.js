// What players are called.

/** The name of a seat; "You" for one's own. */
export const nameOf = (table, seat) =>
  seat === table.you ? "You" : (table.seats.find((each) => each.seat === seat)?.name ?? "");
