"""Pictures of a clustering, in the form of scikit-learn's displays; drawn by matplotlib (extra `plots`)."""

from s3nmf.desk.plots.choice import ChoiceDisplay
from s3nmf.desk.plots.co_association import CoAssociationDisplay
from s3nmf.desk.plots.confidence import ConfidenceDisplay
from s3nmf.desk.plots.embedding import EmbeddingDisplay
from s3nmf.desk.plots.levels import LevelsDisplay
from s3nmf.desk.plots.rounds import RoundsDisplay

__all__ = [
    "ChoiceDisplay",
    "CoAssociationDisplay",
    "ConfidenceDisplay",
    "EmbeddingDisplay",
    "LevelsDisplay",
    "RoundsDisplay",
]
