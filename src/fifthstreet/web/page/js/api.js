// Requests to the server. A refusal is an Error whose message is the server's own sentence.

export async function get(path) {
  return answer(await reach(path));
}

export async function post(path, body) {
  const text = typeof body === "string";
  return answer(
    await reach(path, {
      method: "POST",
      headers: { "Content-Type": text ? "text/plain" : "application/json" },
      body: text ? body : JSON.stringify(body),
    }),
  );
}

export const remove = async (path) => answer(await reach(path, { method: "DELETE" }));

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
  if (!response.ok) throw new Error(value?.error ?? value?.text ?? `The server refused (${response.status}).`);
  return value;
}

let games;

/** The games with their agents, asked for once. */
export const allGames = () =>
  (games ??= get("/api/games").catch((error) => ((games = undefined), Promise.reject(error))));
