// What happened, said aloud by screen readers, and short notices that everybody sees.

const region = () => document.getElementById("told");
const notices = () => document.getElementById("notices");

/** Say it once; several at once are said together. */
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

/** A notice that goes away by itself; errors stay longer. */
export function notice(text, kind = "info") {
  const line = document.createElement("p");
  line.className = `notice ${kind}`;
  line.textContent = text;
  notices().append(line);
  tell(text);
  setTimeout(() => line.remove(), kind === "error" ? 9000 : 4000);
}
