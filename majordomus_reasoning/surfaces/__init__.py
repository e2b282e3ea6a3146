"""The surfaces: what the package can do, declared once, and its projections."""
