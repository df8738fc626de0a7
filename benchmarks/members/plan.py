"""Which method is run on which set, from how many seeds: fewer where fits take seconds, few where they take minutes."""

from itertools import product

from benchmarks.members.data import SETS
from benchmarks.members.rivals import (
    ECG,
    FACTORIZATIONS,
    K_MEANS,
    LEFT_OUT,
    LEIDEN,
    LOUVAIN,
    METHODS,
    MIXTURE,
    ONE_ANSWER,
    OTHER_ORDERS,
    OTHERS_OF_OURS,
    SHUFFLED,
    SPECTRAL,
    UMAP_,
)

GROUPS = ("ten", "more", "unseen", "tables", "toy", "drawn", "unequal", "lfr", "blocks")
_FAST = (OTHER_ORDERS, SHUFFLED, FACTORIZATIONS, K_MEANS, SPECTRAL, LEIDEN, LOUVAIN)
_SOME, _FEW = 5, 3
# That two seeds give the same.
_TO_SEE = 2
_POINTS = {"ten", "more", "toy"}
_ONLY_IN = {
    SHUFFLED: _POINTS,
    OTHER_ORDERS: {*_POINTS, "mnist"},
    **dict.fromkeys(LEFT_OUT.values(), _POINTS),
    **dict.fromkeys(OTHERS_OF_OURS, {*GROUPS, "mnist"} - {"unseen", "tables"}),
}
_LARGE_LFR = [name for name in SETS if name.startswith("LFR 10000")]
# PALM has a hundred clusters, and COIL20 and MNIST* nearly as many features as points.
_MOST = {
    ("PALM", FACTORIZATIONS): 5,
    ("USPS", FACTORIZATIONS): 5,
    **dict.fromkeys(product(["PALM", "USPS"], ["SEC", "LWGP"]), _FEW),
    **dict.fromkeys(product(["PALM", "COIL20", "MNIST*", "USPS"], [MIXTURE]), _FEW),
    **dict.fromkeys(product(["USPS"], [ECG, UMAP_]), 5),
    **dict.fromkeys(product(["USPS"], LEFT_OUT.values()), 0),
    **dict.fromkeys(product(_LARGE_LFR, [FACTORIZATIONS, SPECTRAL, ECG, *OTHERS_OF_OURS]), 0),
    # On tables of few different values, whose graphs are in many pieces, arpack takes minutes.
    ("tables of R", SPECTRAL): 0,
    **dict.fromkeys(product(["MNIST"], [FACTORIZATIONS, K_MEANS, SPECTRAL, LEIDEN, LOUVAIN, UMAP_]), _FEW),
    **dict.fromkeys(product(["MNIST"], [MIXTURE, ECG, *OTHERS_OF_OURS]), 0),
}


def seeds_of(found, method):
    """How often a method is started on a case of a set; 0 if not at all."""
    if (found.is_graph and method.takes == "points") or found.group not in _ONLY_IN.get(method.name, {found.group}):
        return 0
    if not method.seeded:
        return 0 if found.group == "mnist" else 1
    most = _TO_SEE if method.name in ONE_ANSWER else _SOME if method.name not in _FAST else found.seeds
    return min(found.seeds, most, _MOST.get((found.name, method.name), most))


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
