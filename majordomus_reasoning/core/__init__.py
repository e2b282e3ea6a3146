"""The rules. Pure: no clock, file, environment or network; the clock is an argument."""
