"""Pictures of a clustering, in the form of scikit-learn's displays; drawn by matplotlib (extra `plots`)."""

from s3nmf.desk.plots import (
    ChoiceDisplay,
    CoAssociationDisplay,
    ConfidenceDisplay,
    EmbeddingDisplay,
    LevelsDisplay,
    RoundsDisplay,
)

__all__ = [
    "ChoiceDisplay",
    "CoAssociationDisplay",
    "ConfidenceDisplay",
    "EmbeddingDisplay",
    "LevelsDisplay",
    "RoundsDisplay",
]
