"""This machine: the one writer, and what is read from disk and environment."""
