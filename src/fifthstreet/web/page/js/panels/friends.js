// Friends at the same table: each seat has a link of its own, which seats the person who opens it.

import { h } from "../dom.js";
import { keepSeat } from "../settings.js";
import { notice } from "../tell.js";

const linkTo = (table, token) => `${location.origin}/#/sit/${table}/${token}`;

export function friendsPanel(table, tokens) {
  if (!tokens?.length) return null;
  return h(
    "section",
    { class: "panel", key: "friends", "aria-label": "Friends" },
    h("header", {}, h("h2", { class: "title" }, "Friends")),
    h(
      "p",
      { class: "quiet fine" },
      "Send each friend one link. It gives its seat to the person who opens it, so send it to nobody else.",
    ),
    h(
      "div",
      { class: "row" },
      tokens.map((token, i) =>
        h(
          "button",
          { class: "small", onclick: () => copy(linkTo(table, token)) },
          `Copy link${tokens.length > 1 ? ` ${i + 1}` : ""}`,
        ),
      ),
    ),
  );
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
