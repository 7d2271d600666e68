"""Players of five-card draw."""
