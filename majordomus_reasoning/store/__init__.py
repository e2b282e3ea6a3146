"""The machine at hand: the one writer, and what is read from disk and environment."""
