// Follows a run on the server (a match, a tournament, a paper, a spot) by server-sent events.

const STATES = ["waiting", "playing", "done", "stopped", "failed"];

/** `path` is that of the run. Calls `heard` with every new state; returns a function that stops listening. */
export function follow(path, heard, lost = () => {}) {
  const source = new EventSource(`${path}/events`);
  for (const state of STATES)
    source.addEventListener(state, (event) => {
      const news = JSON.parse(event.data);
      if (isOver(news)) source.close();
      heard(news);
    });
  source.onerror = () => source.readyState === EventSource.CLOSED && lost();
  return () => source.close();
}

export const isOver = ({ state }) => state === "done" || state === "stopped" || state === "failed";
