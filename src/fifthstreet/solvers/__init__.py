"""Solvers: optimal play, and how far any strategy is from it."""
