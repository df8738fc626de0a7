"""Which method is run on which set, from how many seeds: fewer where fits take seconds, few where they take minutes."""

from itertools import product

from benchmarks.members.data import SETS
from benchmarks.members.rivals import (
    ECG,
    FACTORIZATIONS,
    K_MEANS,
    LEIDEN,
    LOUVAIN,
    METHODS,
    MIXTURE,
    OTHERS_OF_OURS,
    OURS,
    SHUFFLED,
    SPECTRAL,
    UMAP_,
    UNEQUAL,
)

GROUPS = ("ten", "more", "unseen", "tables", "toy", "drawn", "unequal", "lfr", "blocks")
_FAST = (OURS, FACTORIZATIONS, K_MEANS, SPECTRAL, LEIDEN, LOUVAIN)
_SOME, _FEW = 5, 3
_LARGE_LFR = [name for name in SETS if name.startswith("LFR 10000")]
# PALM has a hundred clusters, and COIL20 and MNIST* nearly as many features as points.
_MOST = {
    ("PALM", FACTORIZATIONS): 5,
    ("USPS", FACTORIZATIONS): 5,
    **dict.fromkeys(product(["PALM", "USPS"], ["SEC", "LWGP"]), _FEW),
    **dict.fromkeys(product(["PALM", "COIL20", "MNIST*", "USPS"], [MIXTURE]), _FEW),
    **dict.fromkeys(product(["USPS"], [ECG, UMAP_]), 5),
    **dict.fromkeys(product(_LARGE_LFR, [FACTORIZATIONS, SPECTRAL, ECG, *OTHERS_OF_OURS]), 0),
    # On tables of few different values, whose graphs are in many pieces, arpack takes minutes.
    ("tables of R", SPECTRAL): 0,
    **dict.fromkeys(product(["MNIST"], [UNEQUAL, FACTORIZATIONS, K_MEANS, SPECTRAL, LEIDEN, LOUVAIN, UMAP_]), _FEW),
    **dict.fromkeys(product(["MNIST"], [MIXTURE, ECG, *OTHERS_OF_OURS]), 0),
}


def seeds_of(found, method):
    """How often a method is started on a case of a set; 0 if not at all."""
    if found.is_graph and method.takes == "points":
        return 0
    if method.name == SHUFFLED and found.group != "ten":
        return 0
    if method.name in OTHERS_OF_OURS and found.group in {"unseen", "tables"}:
        return 0
    if not method.seeded:
        return 0 if found.group == "mnist" else 1
    most = found.seeds if method.name in _FAST else min(found.seeds, _SOME)
    return min(most, _MOST.get((found.name, method.name), most))


def wanted(only=(), groups=GROUPS, most_seeds=20):
    """Set, draw, method and seeds of all runs; `only` names sets, groups of sets or methods."""
    names = {name.lower() for name in only}
    methods = [found for name, found in METHODS.items() if name.lower() in names] or METHODS.values()
    sets = [found for name, found in SETS.items() if {name.lower(), found.group} & names]
    sets = sets or [found for found in SETS.values() if found.group in groups]
    for method, found in product(methods, sets):
        for draw in range(found.draws):
            if n_seeds := min(seeds_of(found, method), most_seeds):
                yield found.name, draw, method.name, range(n_seeds)
