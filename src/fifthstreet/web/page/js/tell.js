// Texts for screen readers, and short notices on the page.

const region = () => document.getElementById("told");
const notices = () => document.getElementById("notices");

/** Say a text once; several at the same time are joined. */
let waiting = [];
export function tell(text) {
  if (!text) return;
  waiting.push(text);
  if (waiting.length > 1) return;
  setTimeout(() => {
    region().textContent = waiting.join(". ");
    waiting = [];
  }, 60);
}

/** A notice that disappears by itself, or when the next one comes; errors stay longer. */
export function notice(text, kind = "info") {
  const line = document.createElement("p");
  line.className = `notice ${kind}`;
  line.textContent = text;
  notices().replaceChildren(line);
  tell(text);
  setTimeout(() => line.remove(), kind === "error" ? 9000 : 4000);
}

/** What was said in one view does not belong in the next. */
export const clearNotices = () => notices().replaceChildren();
