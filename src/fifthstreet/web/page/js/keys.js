// The keyboard: a view binds the keys it answers to; typing into a field is left alone.

let bindings = {};

export const bind = (keys) => {
  bindings = keys;
};

const typing = (target) =>
  target instanceof HTMLElement &&
  (target.matches("input:not([type=range]):not([type=checkbox]), select, textarea") || target.isContentEditable);

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (typing(event.target)) return;
  const pressed = event.target instanceof HTMLElement && event.target.closest("button, a, summary");
  if (pressed && (event.key === "Enter" || event.key === " ")) return; // the browser presses the focused element
  if (event.target instanceof HTMLElement && event.target.matches("input[type=range]") && event.key.startsWith("Arrow"))
    return;
  const answer = bindings[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!answer) return;
  event.preventDefault();
  answer(event);
});
