"""Players of Poker Squares."""
