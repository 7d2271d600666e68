// Friends at the same table: each seat has a link of its own, which seats the person who opens it.

import { h } from "../dom.js";
import { short } from "../names.js";
import { keepSeat } from "../settings.js";
import { notice } from "../tell.js";

const linkTo = (table, token) => `${location.origin}/#/sit/${table}/${token}`;

export function friendsPanel(id, table, tokens) {
  if (!tokens?.length) return null;
  const friends = table.seats.filter((seat) => seat.person && seat.seat !== table.you);
  return h(
    "section",
    { class: "panel", key: "friends", "aria-label": "Friends" },
    h("header", {}, h("h2", { class: "title" }, "Friends")),
    h(
      "p",
      { class: "quiet fine" },
      `Send each friend one link: it gives its seat to whoever opens it. ${waits(table, friends)}`,
    ),
    h(
      "div",
      { class: "row" },
      tokens.map((token, i) =>
        h(
          "button",
          { class: "small", onclick: () => copy(linkTo(id, token)) },
          `Copy link${tokens.length > 1 ? ` ${i + 1}` : ""}`,
        ),
      ),
    ),
  );
}

/** Who is missing, and who plays for them. */
function waits({ stand_in }, friends) {
  const missing = friends.filter((seat) => seat.absent);
  if (!missing.length) return "Everybody is here.";
  const names = missing.map((seat) => seat.name).join(" and ");
  return `${names} ${missing.length > 1 ? "are" : "is"} not here: ${short(stand_in)} plays for whoever keeps you waiting, until they come.`;
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    notice("The link is copied.");
  } catch {
    notice(text); // if the browser does not allow copying, show it
  }
}

/** The view of a friend's link. */
export function sitView(_place, table, token) {
  keepSeat(table, { token, title: "A friend’s table" });
  location.replace(`#/table/${table}`);
}
