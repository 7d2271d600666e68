// The games that have a board of their own, a module each. Any other game is played on the plain board.

import { fiveCardDraw } from "./five_card_draw.js";
import { fiveO } from "./five_o.js";
import { holdem } from "./holdem.js";
import { plain } from "./plain.js";
import { pokerSquares } from "./poker_squares.js";

/** What the module of a game leaves out is as on the plain board. */
export const GAMES = [holdem, fiveCardDraw, fiveO, pokerSquares].map((game) => ({
  ...plain,
  ...game,
  says: { ...plain.says, ...game.says },
}));

/** Everything the page knows about a game. */
export const gameNamed = (name) => GAMES.find((game) => game.name === name) ?? plain;

/** The table that is opened if nothing else is chosen; `game` is as the server lists it. */
export const usualTable = (game) => ({ ...game.usual, practice: false });

/** The agents that are watched if no others are chosen. */
export const usualAgents = (game) => gameNamed(game.name).watched ?? [quickAgent(game), quickAgent(game, 1)];

/** An agent that does not have to learn first: the first, the second, … of them. */
function quickAgent(game, number = 0) {
  const quick = game.agents.filter((agent) => !agent.slow_start);
  return (quick[number] ?? quick[0] ?? game.agents[0]).name;
}
