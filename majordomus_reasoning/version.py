"""The name and version of this package, as a writer stamps them."""

PACKAGE = "majordomus_reasoning"
__version__ = "0.1.0"
