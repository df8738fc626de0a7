"""What the methods are called: by short names, and in words. It loads nothing, so that a shell can complete them."""

from __future__ import annotations

import re

DEFAULT, K_MEANS, MIXTURE, HDBSCAN, LEIDEN = "default", "KMeans", "GMM", "HDBSCAN", "Leiden"

TITLES = {
    DEFAULT: "S3NMF by default",
    K_MEANS: "k-means",
    MIXTURE: "Gaussian mixture",
    HDBSCAN: "HDBSCAN",
    LEIDEN: "Leiden",
    "sBSUM": "symmetric NMF by entries",
    "vBSUM": "symmetric NMF by rows",
    "ANLS": "symmetric NMF in turns",
    "HALS": "symmetric NMF by columns",
    "SEC": "spectral ensemble",
    "GSNMF": "graph-regularised NMF",
    "LWCA": "locally weighted votes",
    "LWGP": "locally weighted cut",
    "SC": "spectral clustering",
    "SR": "spectral rotation",
    "SSC": "sparse spectral",
    "SNMF": "symmetric NMF",
    "S3NMF": "S3NMF of the paper",
}
"""A title for each short name, in the order in which methods are run."""


def name_of(text: str) -> str | None:
    """The short name of a method that is called so, in any case and with any hyphens; None if none is.

    Examples
    --------
    >>> name_of("k-means"), name_of("gaussian mixture"), name_of("sc"), name_of("DBSCAN")
    ('KMeans', 'GMM', 'SC', None)
    """
    known = {_letters(called): name for name, title in TITLES.items() for called in (title, name)}
    return known.get(_letters(text))


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text).casefold()
