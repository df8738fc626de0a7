"""The clustering of a file: a fitted model, the user's names for what was clustered, and how the file was read."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Number
from typing import Any, Literal

import numpy as np

from s3nmf._bar import ShowProgress
from s3nmf._messages import spelled
from s3nmf.desk.cli.choosing import sampled
from s3nmf.desk.cli.failures import CommandError
from s3nmf.desk.cli.labels import Labels
from s3nmf.desk.cli.spelling import as_option
from s3nmf.desk.markers import Markers, markers_of
from s3nmf.desk.sources import Graph, Table
from s3nmf.desk.sources.cell_views import CellViews
from s3nmf.desk.sources.features import Features
from s3nmf.estimators import S3NMF
from s3nmf.method.fit import MembersName
from s3nmf.method.recipe import RecipeName
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust.choose_k import ClusterCount


@dataclass(frozen=True, eq=False)
class Clustering:
    """The clustering of a file.

    Attributes
    ----------
    model : S3NMF
        Fitted.
    ids : sequence of str
        What the user calls each row or node.
    id_name : str
        What the ids are called.
    features : Features or None
        How to read new rows; None for a graph.
    source : str
        The file.
    notes : tuple of str
        What was done to the data and what to mind, in sentences for the user.
    choice : ClusterCount or None
        How the number of clusters was chosen, if it was.
    kept : mapping of str to sequences
        Columns to compare the clusters with.
    views : CellViews or None
        Of cells, their places and the expression of genes, where they were read.
    """

    model: S3NMF
    ids: Sequence[str]
    id_name: str
    features: Features | None
    source: str
    notes: tuple[str, ...]
    choice: ClusterCount | None = None
    kept: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    views: CellViews | None = None

    @property
    def thing(self) -> str:
        """What was clustered: a row, a node or a cell."""
        if self.id_name == "cell":
            return "cell"
        return "node" if self.features is None else "row"

    @cached_property
    def markers(self) -> Markers | None:
        """The genes that set clusters of cells apart, where their expression was read."""
        expression = None if self.views is None else self.views.expression
        if expression is None:
            return None
        return markers_of(expression.values, self.model.result_.labels, expression.genes)

    def about(self) -> dict[str, Any]:
        """What `uns` of cells says about their clusters."""
        parameters = self.model.get_params(deep=False)
        return {
            # Files take numbers and text.
            "params": {name: value for name, value in parameters.items() if isinstance(value, Number | str)},
            "n_clusters": self.model.n_clusters_,
            "agreement": self.model.agreement_,
            "chosen_round": self.model.chosen_round_,
        }

    def labels(self, *, levels: bool = False) -> Labels:
        """What is written, with a column for each level if that is asked for."""
        model = self.model
        cuts = {}
        if levels:
            for level in model.levels_:
                cut = model.levels_.cut(level.n_clusters)
                cuts[level.n_clusters] = np.where(model.labels_ == NO_CLUSTER, NO_CLUSTER, cut)
        return Labels(self.id_name, self.ids, model.labels_, model.confidence_, model.second_choice_, cuts)


def cluster_data(
    data: Table | Graph,
    n_clusters: int | list[int] | Literal["auto"],
    *,
    seed: int,
    n_neighbors: int | None = None,
    metric: str = "euclidean",
    members: MembersName = "communities",
    recipe: RecipeName = "default",
    noise: bool = False,
    min_cluster_size: int = 1,
    show: ShowProgress | None = None,
) -> Clustering:
    """Cluster what was read, into so many clusters, or as many as are found."""
    graph = graph_options(data, n_neighbors, metric)
    if n_clusters != "auto":
        check_n_clusters(data, n_clusters)
    values = data.values if isinstance(data, Table) else data.affinity
    model = S3NMF(
        n_clusters,
        members=members,
        recipe=recipe,
        noise=noise,
        min_cluster_size=min_cluster_size,
        **graph,
        random_state=seed,
        callback=None if show is None else lambda at: show(f"round {at.round}", at.fraction, at.remaining),
    )
    if show is not None:
        show("building the graph")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the verdict says what there is to mind
        try:
            model.fit(values)
        except ValueError as error:
            raise CommandError(f"{data.source} cannot be clustered: {spelled(error, as_option)}") from error
    model.set_params(callback=None)
    if isinstance(data, Table) and data.features is not None:
        model.name_columns(data.features.columns)
    if show is not None:  # somebody waits for the verdict; else it is made when it is asked for, if it is
        show("judging the borders between clusters")
        model.judge()
    return Clustering(
        model=model,
        ids=list(map(str, data.ids)),
        id_name=data.id_name,
        features=data.features if isinstance(data, Table) else None,
        source=data.source,
        notes=(*data.notes, *([] if model.choice_ is None else sampled(data))),
        choice=model.choice_,
        kept=data.kept,
        views=data.views,
    )


def graph_options(data: Table | Graph, n_neighbors: int | None, metric: str = "euclidean") -> dict[str, Any]:
    """How estimators get their graph."""
    if isinstance(data, Table):
        if n_neighbors is not None and n_neighbors >= len(data.ids):
            raise CommandError(
                f"--neighbors {n_neighbors} is too many: {data.source} has {len(data.ids)} rows. Give at most "
                f"{len(data.ids) - 1}."
            )
        return {"affinity": "nearest_neighbors", "n_neighbors": n_neighbors or "auto", "metric": metric}
    if n_neighbors is not None:
        raise CommandError(f"{data.source} is a graph and has its own edges. Leave out --neighbors.")
    if metric != "euclidean":
        raise CommandError(f"{data.source} is a graph and has its own edges. Leave out --metric.")
    return {"affinity": "precomputed", "n_neighbors": "auto"}


def thing_of(data: Table | Graph) -> str:
    """What is clustered: a row, a node or a cell."""
    if data.id_name == "cell":
        return "cell"
    return "row" if isinstance(data, Table) else "node"


def check_n_clusters(data: Table | Graph, n_clusters: int | list[int]) -> None:
    """Ask for fewer clusters than there are things to put into them."""
    most = max(n_clusters) if isinstance(n_clusters, list) else n_clusters
    if most >= len(data.ids):
        raise CommandError(
            f"-k {most} is too many: {data.source} has {len(data.ids)} {thing_of(data)}s. Ask for at most "
            f"{len(data.ids) - 1}."
        )
