"""Recorded hands: one module per file format, a replay by the rules, and a check of recorded results."""
