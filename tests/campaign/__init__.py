"""A campaign against the library: everything that is tried, how often, and what happened. `make campaign` runs it."""
