"""The table in the browser: people and agents at one table, in any game, with what the agents were thinking."""
