"""`s3nmf demo`: what clustering looks like, on images that come with scikit-learn."""

from __future__ import annotations

from s3nmf.desk.cli.terminal import say


def demo() -> None:
    """Cluster 1797 images of digits, and compare with the truth."""
    from s3nmf.desk.demo import main  # noqa: PLC0415

    main()
    say("\nNext: s3nmf choose-k YOUR.csv, then s3nmf cluster YOUR.csv -k 3 --out labels.csv --report page.html")
