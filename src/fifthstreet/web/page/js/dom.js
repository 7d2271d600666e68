// Creates elements, and redraws by changing only what differs: focus, sliders and open details survive.

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set(["svg", "use", "path", "line", "circle", "rect", "text", "g"]);

/** h("button", {class: "quiet", onclick: go}, "Play"): an element; false, null and undefined are left out. */
export function h(tag, props = {}, ...children) {
  const node = DRAWN.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  node.handlers = {};
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) listen(node, name, value);
    else if (name === "style") for (const [key, each] of Object.entries(value)) node.style.setProperty(key, each);
    else if (name === "key") node.key = String(value);
    else if (name === "value" || name === "checked") {
      node[name] = value;
      node.controlled = true;
    } else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== false && child !== null && child !== undefined));
  if (tag === "select" && "value" in (props ?? {})) node.value = props.value; // only now it has its options
  return node;
}

function listen(node, name, handler) {
  node.handlers[name] = handler;
  node[name] = handler;
}

/** Replace the children of `place` by `fresh`, reusing existing elements. */
export function redraw(place, ...fresh) {
  const wanted = fresh.flat(Infinity).filter((child) => child !== false && child !== null && child !== undefined);
  matchChildren(
    place,
    wanted.map((each) => (each instanceof Node ? each : document.createTextNode(String(each)))),
  );
}

function matchChildren(place, wanted) {
  const byKey = new Map([...place.childNodes].filter((node) => node.key).map((node) => [node.key, node]));
  let here = place.firstChild;
  for (const fresh of wanted) {
    const keyed = fresh.key ? byKey.get(fresh.key) : undefined;
    if (keyed && keyed !== here) {
      place.insertBefore(keyed, here);
      here = keyed;
    }
    if (here && alike(here, fresh)) {
      match(here, fresh);
      here = here.nextSibling;
    } else {
      place.insertBefore(fresh, here);
    }
  }
  while (here) {
    const next = here.nextSibling;
    here.remove();
    here = next;
  }
}

const alike = (old, fresh) =>
  old.nodeName === fresh.nodeName && old.nodeType === fresh.nodeType && old.key === fresh.key;

function match(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes])
    if (!fresh.hasAttribute(name) && !(name === "open" && /^(DETAILS|DIALOG)$/.test(old.nodeName)))
      old.removeAttribute(name);
  for (const { name, value } of [...fresh.attributes])
    if (old.getAttribute(name) !== value && !(name === "open" && old.nodeName === "DETAILS"))
      old.setAttribute(name, value);
  for (const name of Object.keys(old.handlers ?? {})) if (!(name in fresh.handlers)) old[name] = null;
  old.handlers = {};
  for (const [name, handler] of Object.entries(fresh.handlers ?? {})) listen(old, name, handler);
  if (old.nodeName === "TEXTAREA") return;
  const { value, checked, controlled } = fresh; // a select loses its value with its options
  matchChildren(old, [...fresh.childNodes]);
  if (controlled) {
    if (checked !== undefined && old.checked !== checked) old.checked = checked;
    if (old.value !== value) old.value = value;
  }
}

/** An icon or a suit from the sprite in index.html. */
export const icon = (name, className = "icon") =>
  h("svg", { class: className, "aria-hidden": "true", focusable: "false" }, h("use", { href: `#${name}` }));
