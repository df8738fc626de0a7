"""What a fitted S3NMF has found: the attributes that say it, and the file that keeps it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from s3nmf._archive import ModelFileError
from s3nmf._types import Affinity, FloatArray, IntArray
from s3nmf.estimators.saving import SavedModel, read_model, write_model
from s3nmf.graph.neighbors import NeighborCount, check_metric, resolve_n_neighbors
from s3nmf.method.result import S3NMFResult
from s3nmf.partitions import NO_CLUSTER
from s3nmf.trust import Verdict
from s3nmf.trust.choose_k import ClusterCount, numbers_asked
from s3nmf.trust.diagnostics import Diagnostics
from s3nmf.trust.judged import JudgedGraph
from s3nmf.trust.levels import Levels
from s3nmf.trust.thresholds import noise_marked


def _check_parameters(model: Stored, X_fit: Any) -> None:
    """Refuse parameters that no model with these features, or without any, can have."""
    if (model.affinity == "precomputed") != (X_fit is None):
        has = "no features" if X_fit is None else "features"
        raise ValueError(f"affinity={model.affinity!r}, and the file has {has}.")
    if X_fit is not None:
        resolve_n_neighbors(model.n_neighbors, X_fit.shape[0])
        check_metric(X_fit, model.metric)
    if not isinstance(model.n_clusters, int | str):
        numbers_asked(model.n_clusters)


class Stored(BaseEstimator):  # type: ignore[misc]
    """An estimator whose parameters, and what it found, and in what, are written to a file and read from one."""

    n_clusters: int | Literal["auto"] | Iterable[int]
    affinity: Literal["nearest_neighbors", "precomputed"]
    n_neighbors: NeighborCount
    metric: str
    noise: bool
    labels_: IntArray
    n_noise_: int
    confidence_: FloatArray
    membership_: FloatArray
    second_choice_: IntArray
    member_labels_: IntArray
    weights_: FloatArray
    agreement_: FloatArray
    chosen_round_: int
    n_iter_: int
    affinity_matrix_: Affinity
    X_fit_: Any
    result_: S3NMFResult
    n_features_in_: int
    _diagnostics: Diagnostics
    _trace: dict[str, Any] | None
    _verdicts: dict[bool, Verdict]
    _limits: list[float]
    _levels: Levels | None
    _judged: JudgedGraph | None
    choice_: ClusterCount | None
    _column_names: tuple[str, ...] | None = None

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a file, which `load` reads.

        The file holds numbers and text only, see docs/file-format.md, and the same model always gives the same bytes. A
        `callback`, a `solver` that is a function, and a `random_state` that is not a number are not saved. The file
        that was there before is replaced in one step, or kept if anything goes wrong.

        Parameters
        ----------
        path : str or path
        """
        write_model(path, self.to_saved())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a model that `save`, or `s3nmf cluster --model`, wrote.

        The command line scales columns before it fits: what it wrote predicts rows that are scaled alike.

        Parameters
        ----------
        path : str or path

        Returns
        -------
        S3NMF

        Raises
        ------
        ModelFileError
            The file is damaged, of another version, or something else altogether. Nothing in a file is ever executed.
        """
        return cls.from_saved(read_model(path))

    def to_saved(self, origin: dict[str, Any] | None = None) -> SavedModel:
        """What a file holds of this model, and of the data that it was fitted to."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        return SavedModel(
            parameters=self.get_params(deep=False),
            result=self.result_,
            diagnostics=self._diagnostics,
            affinity_matrix=self.affinity_matrix_,
            X_fit=getattr(self, "X_fit_", None),
            feature_names=None if names is None else names.tolist(),
            origin=origin,
            trace=self._trace,
        )

    @classmethod
    def from_saved(cls, saved: SavedModel) -> Self:
        """The model that a file holds."""
        try:
            model = cls(**saved.parameters)
            model._validate_params()
            _check_parameters(model, saved.X_fit)
        except (TypeError, ValueError) as error:
            raise ModelFileError(f"The parameters are not those of a model: {error}") from error
        model.affinity_matrix_ = saved.affinity_matrix
        model._keep_features(saved.X_fit)
        model.n_features_in_ = (saved.affinity_matrix if saved.X_fit is None else saved.X_fit).shape[1]
        if saved.feature_names is not None:
            model.feature_names_in_ = np.array(saved.feature_names, dtype=object)
        model.choice_, model._judged = None, None
        model._describe(saved.result, saved.diagnostics, saved.trace)
        return model

    def _describe(self, result: S3NMFResult, found: Diagnostics, trace: dict[str, Any] | None = None) -> None:
        """Set the attributes that say what was found."""
        self.result_ = result
        self._trace = trace
        self._diagnostics = found
        self._verdicts, self._limits, self._levels = {}, [], None
        in_doubt = self.noise and self.affinity == "precomputed"
        self.labels_ = noise_marked(result.labels, result.confidence) if in_doubt else result.labels
        self.n_noise_ = int((self.labels_ == NO_CLUSTER).sum())
        self.confidence_ = result.confidence
        self.membership_ = found.shares
        self.second_choice_ = found.second_choice
        self.member_labels_ = result.member_labels
        self.weights_ = result.weights
        self.agreement_ = result.agreement
        self.chosen_round_ = result.chosen_round
        self.n_iter_ = sum(found.n_iter for found in result.history)

    def _keep_features(self, X: Any) -> None:
        """Keep the features, or forget those of an earlier fit."""
        if X is not None:
            self.X_fit_ = X
        elif hasattr(self, "X_fit_"):
            del self.X_fit_
