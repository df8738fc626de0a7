"""Would data without any clusters look the same? The same search on such data, and how far real figures exceed it."""
