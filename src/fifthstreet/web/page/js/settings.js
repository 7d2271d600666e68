// Preferences and seats, stored in the browser.

const KEY = "fifthstreet";
const DEFAULTS = { fourColours: true, theme: "auto", speed: 0.8, reasons: true, coach: {}, tables: {} };

let kept = { ...DEFAULTS, ...read() };

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

export const settings = () => kept;

export function change(changes) {
  kept = { ...kept, ...changes };
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Without storage the page still works, until it is reloaded.
  }
  show();
}

/** A seat at a table belongs to the browser that has its token. */
export const seatAt = (table) => kept.tables[table];
export const keepSeat = (table, seat) => {
  const newest = Object.entries({ ...kept.tables, [table]: { ...seat, at: Date.now() } });
  change({ tables: Object.fromEntries(newest.sort((a, b) => b[1].at - a[1].at).slice(0, 40)) });
};
export const forgetSeat = (table) => {
  const { [table]: _, ...rest } = kept.tables;
  change({ tables: rest });
};

export function show() {
  const root = document.documentElement;
  root.dataset.deck = kept.fourColours ? "four" : "two";
  root.dataset.theme = kept.theme;
}
