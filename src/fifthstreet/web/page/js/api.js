// Requests to the server. A refusal is an Error with the server's own sentence as its message.

export async function get(path) {
  return answer(await reach(path));
}

/** `body` is sent as JSON; a text or a file as it is. */
export async function post(path, body) {
  const text = typeof body === "string" || body instanceof Blob;
  return answer(
    await reach(path, {
      method: "POST",
      headers: { "Content-Type": text ? "text/plain" : "application/json" },
      body: text ? body : JSON.stringify(body),
    }),
  );
}

export async function remove(path, body) {
  const json = { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return answer(await reach(path, { method: "DELETE", ...(body && json) }));
}

async function reach(path, options) {
  try {
    return await fetch(path, options);
  } catch {
    throw new Error("The server does not answer. Is it still running?");
  }
}

async function answer(response) {
  const text = await response.text();
  let value;
  try {
    value = text ? JSON.parse(text) : null;
  } catch {
    value = null;
  }
  if (!response.ok) throw new Error(value?.error ?? `The server refused (${response.status}).`);
  return value;
}

let games;

/** The games with their agents, requested once. */
export function allGames() {
  games ??= get("/api/games").catch((error) => {
    games = undefined;
    throw error;
  });
  return games;
}
