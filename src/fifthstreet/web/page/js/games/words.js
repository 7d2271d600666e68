// How the lobby presents each game, and what it starts when nothing else is chosen.

export const LOBBY = {
  holdem: {
    title: "Texas hold’em",
    line: "Two cards of your own, five on the board. Bet, bluff or fold.",
    seats: ["you", "eva", "tight-aggressive", "hand-strength"],
    fan: ["Ah", "Kh"],
  },
  "five-card-draw": {
    title: "Five-card draw",
    line: "Five cards, one exchange, two rounds of bets.",
    seats: ["you", "loose-aggressive", "tight-aggressive", "tight-passive"],
    options: { stack: 200 },
    fan: ["9s", "9d", "9c", "Qh", "Qs"],
  },
  "five-o": {
    title: "Five-O",
    line: "Build five hands, card by card, against five of your opponent’s.",
    seats: ["you", "exact"],
    fan: ["2s", "2d", "Kc", "Kd", "7h"],
  },
  "poker-squares": {
    title: "Poker Squares",
    line: "Twenty-five cards on a grid: every row and column is a hand.",
    seats: ["you", "narl"],
    fan: ["As", "Ks", "Qs", "Js", "Ts"],
  },
};

/** Parameters of games in words, where the name alone does not say enough. */
export const PARAMETERS = {
  stack: "Chips for everyone",
  small_blind: "Small blind",
  big_blind: "Big blind",
  straddle: "Straddle",
  ante: "Ante",
  ante_by: "Ante paid by",
  limit: "Fixed limit",
  cap: "Most raises a street",
  trade: "Cards that may be exchanged",
  passes: "Passes of a betting round",
  hidden: "Hidden row",
  draws: "Drawn games count for",
  system: "Point system",
};

/** Values to begin with where any text will do: a seed after the colon, or ten numbers from high card to royal flush. */
export const SUGGESTED = {
  system: [
    "american",
    "english",
    "ameritish:1",
    "ameritish:2",
    "random:1",
    "random:2",
    "hypercorner:1",
    "hypercorner:2",
    "single:5",
    "single:8",
  ],
};
