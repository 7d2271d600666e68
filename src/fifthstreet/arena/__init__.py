"""Where agents meet: matches, sessions, tournaments and contests, the engines that play them, and the store."""
