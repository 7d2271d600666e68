"""Players of Five-O Poker."""
