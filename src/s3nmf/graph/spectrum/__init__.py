"""The leading eigenpairs of a similarity, and the gaps between them."""
