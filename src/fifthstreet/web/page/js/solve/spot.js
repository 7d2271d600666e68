// A spot as the address of the page has it, and the parts of it that are chosen by buttons.

export const SIDES = ["oop", "ip"];
export const NAMES = { oop: "Out of position", ip: "In position" };
export const SHORT = { oop: "OOP", ip: "IP" };

/** What is there when nothing was chosen yet: a spot that is solved at once. */
const EXAMPLE = {
  board: "QsJh2h8d5c",
  oop: "22+,A2s+,K9s+,Q9s+,J9s+,T8s+,97s+,86s+,76s,65s,A9o+,KTo+,QTo+,JTo",
  ip: "TT-22,AJs-A2s,K8s+,Q9s+,J9s+,T8s+,97s+,87s,76s,65s,ATo-A8o,KTo+,QTo+,JTo",
  pot: 180,
  stack: 910,
  sizes: "50% 100% all-in / 100% all-in",
  raise_cap: 2,
  until: 0.3,
  lock: "",
};

const WHOLE = ["pot", "stack"];
export const PARTS = Object.keys(EXAMPLE);

/** The spot in the address, the line to walk along (null: it is still being put together), and what a hand adds. */
export function read(address = location.hash) {
  const given = new URLSearchParams(address.split("?")[1] ?? "");
  const spot = { ...EXAMPLE };
  for (const name of PARTS) {
    const text = given.get(name);
    if (text === null) continue;
    if (name === "raise_cap") spot[name] = text === "" ? null : Number(text);
    else spot[name] = WHOLE.includes(name) || name === "until" ? Number(text) : text;
  }
  const line = given.get("line");
  const hand =
    given.get("step") === null
      ? null
      : Object.fromEntries(
          ["hand", "step", "held", "did", "who", "names", "moment"].map((key) => [key, given.get(key) ?? ""]),
        );
  return { spot, line: line === null ? null : parse(line), hand };
}

export const parse = (line) => line.split(",").filter(Boolean);

/** The address of a spot; commas, which ranges have many of, are left as they are. */
export function write(spot, line, hand) {
  const parts = PARTS.filter((name) => name !== "lock" || spot.lock).map((name) => [name, spot[name] ?? ""]);
  if (line) parts.push(["line", line.join(",")]);
  if (hand) parts.push(...Object.entries(hand));
  const text = parts.map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%2C", ",")}`);
  return `#/solve?${text.join("&")}`;
}

export const cardsOf = (text) => text.match(/[2-9TJQKA][shdc]/g) ?? [];

export const BETS = ["33%", "50%", "75%", "100%", "150%", "all-in"];
export const RAISES = ["50%", "100%", "all-in"];

/** The bets and raises of a text that says the same for every street and both sides; null for any other. */
export function simpleSizes(text) {
  if (/[;a-z]/i.test(text.replaceAll("all-in", ""))) return null;
  const [bets, raises] = text.split("/").map((part) => part.split(/[\s,]+/).filter(Boolean));
  return { bets, raises: raises ?? bets };
}

/** The text with one of its bets or raises added or taken away. */
export function toggled(text, kind, size) {
  const sizes = simpleSizes(text);
  const order = kind === "bets" ? BETS : RAISES;
  const had = sizes[kind].includes(size);
  sizes[kind] = had ? sizes[kind].filter((each) => each !== size) : [...sizes[kind], size];
  sizes[kind].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return `${sizes.bets.join(" ")} / ${sizes.raises.join(" ")}`.trim();
}
