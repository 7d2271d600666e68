// Dragging with mouse, pen or finger.

const FAR = 8; // pixels after which a press becomes a drag

/** Makes `node` a handle: dropping it on an element with data-drop calls `dropped` with that element. */
export function draggable(node, dropped) {
  node.classList.add("draggable");
  node.onpointerdown = (down) => {
    if (down.button !== 0) return;
    let ghost = null;
    let over = null;
    const move = (event) => {
      const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
      if (!ghost && Math.hypot(dx, dy) < FAR) return;
      ghost ??= lift(node);
      ghost.style.translate = `${dx}px ${dy}px`;
      const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-drop]") ?? null;
      if (under === over) return;
      over?.classList.remove("over");
      over = under;
      over?.classList.add("over");
    };
    const end = (event) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      over?.classList.remove("over");
      if (!ghost) return;
      ghost.remove();
      node.classList.remove("lifted");
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }));
      if (event.type === "pointerup" && over) dropped(over);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  };
  node.handlers.onpointerdown = node.onpointerdown;
  return node;
}

function swallow(event) {
  event.preventDefault();
  event.stopPropagation();
}

function lift(node) {
  const box = node.getBoundingClientRect();
  const ghost = node.cloneNode(true);
  ghost.classList.add("ghost");
  Object.assign(ghost.style, { left: `${box.left}px`, top: `${box.top}px`, fontSize: getComputedStyle(node).fontSize });
  document.body.append(ghost);
  node.classList.add("lifted");
  return ghost;
}
