"""How the command line spells the parameters that messages of the library name."""

from __future__ import annotations

import shlex

from s3nmf._messages import Parameter
from s3nmf._words import SHOWN, shortened

_OPTIONS = {
    "n_clusters": "-k",
    "n_neighbors": "--neighbors",
    "random_state": "--seed",
    "methods": "--method",
    **{
        name: f"--{name.replace('_', '-')}"
        for name in (
            *(
                "id",
                "drop",
                "columns",
                "categories",
                "drop_text",
                "decimal",
                "scale",
                "missing",
                "na",
                "format",
                "encoding",
            ),
            *("truth", "keep", "image", "sheet", "neighbors_key", "use_rep", "layer", "restrict_to", "bad_parts"),
            *("recipe", "members", "metric", "min_cluster_size"),
        )
    },
}


def as_option(parameter: Parameter) -> str:
    """A parameter as it is typed, with its value if it has one; one that no option sets is said to be Python's.

    Examples
    --------
    >>> as_option(Parameter("n_neighbors", 5)), as_option(Parameter("drop", ["a", "b c"]))
    ('--neighbors 5', "--drop a --drop 'b c'")
    >>> as_option(Parameter("max_iter"))
    'max_iter (in Python)'
    """
    option = _OPTIONS.get(parameter.name)
    if option is None:
        return f"{parameter} (in Python)"
    if parameter.value is None or parameter.value is True:
        return option
    values = parameter.value if isinstance(parameter.value, list) else [parameter.value]
    given = [f"{option} {shlex.quote(shortened(str(value)))}" for value in values[:SHOWN]]
    return " ".join([*given, "..."] if len(values) > SHOWN else given)
