"""What texts in clusters are about: the words that set each cluster apart, by tf-idf of clusters in place of texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer

from s3nmf._notebook import html_table
from s3nmf._types import FloatArray, IntArray
from s3nmf._words import counted
from s3nmf.partitions import indicator

__all__ = ["TopicWord", "Topics", "topic_words"]

# Words of two letters or more, with apostrophes and hyphens inside; numbers are none.
_WORD = r"(?u)\b[^\W\d_]{2,}(?:['\u2019-][^\W\d_]+)*\b"
_SHOWN = 8
# Articles and conjunctions are in most texts of any language. A word of a cluster is in more than so many times as
# large a share of its texts as of all others.
_TIMES_OUTSIDE = 2.0
# A word that is in fewer texts is a name or a mistake.
_FEWEST_TEXTS = 2


class TopicWord(NamedTuple):
    """A word of one cluster.

    Attributes
    ----------
    word : str
    score : float
        Its share of the cluster's words, times log(1 + mean number of words of a cluster / occurrences of this one).
    inside, outside : float
        The share of the cluster's texts, and of all others, that have the word.
    """

    word: str
    score: float
    inside: float
    outside: float


@dataclass(frozen=True, eq=False)
class Topics:
    """All words of all clusters.

    Attributes
    ----------
    words : tuple of str
    scores, inside, outside : arrays of shape (n_clusters, n_words)
        What `TopicWord` has of one of them.
    """

    words: tuple[str, ...]
    scores: FloatArray
    inside: FloatArray
    outside: FloatArray

    def of(self, cluster: int, most: int = _SHOWN) -> tuple[TopicWord, ...]:
        """The words with the best scores of a cluster; none that is nearly as common in others."""
        order = np.argsort(-self.scores[cluster], kind="stable")[:most]
        return tuple(
            TopicWord(self.words[j], *(float(of[cluster, j]) for of in (self.scores, self.inside, self.outside)))
            for j in order.tolist()
            if self.scores[cluster, j] > 0
        )

    def __len__(self) -> int:
        return int(self.scores.shape[0])

    def __str__(self) -> str:
        return "\n".join(f"{k}: {self._named(k)}" for k in range(len(self)))

    def _named(self, cluster: int) -> str:
        return ", ".join(one.word for one in self.of(cluster)) or "no words of its own"

    def _repr_html_(self) -> str:
        rows = [(str(k), self._named(k)) for k in range(len(self))]
        return html_table([f"Words of {counted(len(self), 'cluster')}."], ("cluster", "words"), rows)


def topic_words(texts: Sequence[Any], labels: IntArray) -> Topics:
    """The words that set clusters of texts apart, whatever they were clustered by: tf-idf, embeddings, a graph.

    A cluster is taken for one text (class tf-idf, as BERTopic has it): a word counts the more, the larger its share of
    the cluster's words is, and the rarer it is in all clusters. Words that are not in more than twice as large a share
    of the cluster's texts as of all others are left out: so no list of stop words is needed, in any language.

    Parameters
    ----------
    texts : sequence of str
        None is an empty text.
    labels : array of shape (n_texts,)
        -1 for texts in no cluster. Coarser clusters have words, too: `model.levels_.cut(5)` are topics, and the
        clusters of the model their subtopics.

    Returns
    -------
    Topics
        `print` names the best words of each cluster, and `of(k)` has them with their numbers.

    Examples
    --------
    >>> texts = ["The cat saw the dog.", "A dog and the cat", "The bond market fell.", "The market and the bond"] * 3
    >>> print(topic_words(texts, np.array([0, 0, 1, 1] * 3)))
    0: cat, dog, saw
    1: bond, market, fell
    """
    labels = np.asarray(labels)
    if len(texts) != labels.size:
        raise ValueError(f"There are {len(texts)} texts for {labels.size} labels. Pass one text a label.")
    if labels.size == 0 or labels.max() < 0:
        raise ValueError("There is no text in any cluster.")
    return topics_of(counted_words(texts), labels)


class CountedWords(NamedTuple):
    """How often each word is in each text, (n_texts, n_words), and the words."""

    counts: Any
    words: tuple[str, ...]


def topics_of(texts: CountedWords, labels: IntArray) -> Topics:
    """As `topic_words`, of texts whose words are counted."""
    counts, words = texts
    clusters = indicator(labels)
    of_cluster = np.asarray((clusters.T @ counts).toarray())
    totals = of_cluster.sum(axis=1, keepdims=True)
    share = np.divide(of_cluster, totals, out=np.zeros_like(of_cluster), where=totals > 0)
    common = of_cluster.sum(axis=0)
    rarity = np.log1p(np.divide(totals.mean(), common, out=np.zeros_like(common), where=common > 0))
    inside, outside = _shares_of_texts(clusters, counts)
    scores = share * rarity * (inside > _TIMES_OUTSIDE * outside)
    return Topics(words, scores, inside, outside)


def counted_words(texts: Sequence[Any]) -> CountedWords:
    """Words that are in two texts or more; of few texts, those of a single one too."""
    whole = ["" if text is None else str(text) for text in texts]
    vectorizer = CountVectorizer(token_pattern=_WORD, min_df=min(_FEWEST_TEXTS, max(1, len(texts) // 4)))
    try:
        counts = vectorizer.fit_transform(whole)
    except ValueError:  # of no words
        return CountedWords(sp.csr_array((len(whole), 0)), ())
    return CountedWords(sp.csr_array(counts, dtype=np.float64), tuple(vectorizer.get_feature_names_out().tolist()))


def _shares_of_texts(clusters: Any, counts: Any) -> tuple[FloatArray, FloatArray]:
    """The share of each cluster's texts, and of all others, that have a word."""
    has = counts.copy()
    has.data = np.ones_like(has.data)
    sizes = np.asarray(clusters.sum(axis=0)).reshape(-1, 1)
    within = np.asarray((clusters.T @ has).toarray())
    total = np.asarray(has.sum(axis=0)).ravel()
    return within / sizes, (total - within) / np.maximum(counts.shape[0] - sizes, 1)
