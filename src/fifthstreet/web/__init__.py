"""The table in the browser: people and agents play together, and the page shows what the agents think."""
