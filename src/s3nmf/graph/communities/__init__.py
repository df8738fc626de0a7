"""Communities of a graph by modularity: partitions that a graph itself suggests, and how fine they are to be."""
