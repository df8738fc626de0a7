"""How right, steady and candid `S3NMF` is beside other methods: ``make members`` writes docs/members.md."""
