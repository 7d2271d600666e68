"""Hands that were really played: read from files, one module a format, replayed and checked."""
