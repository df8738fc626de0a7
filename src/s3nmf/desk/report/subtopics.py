"""Levels of clusters of texts as topics and subtopics."""

from __future__ import annotations

from dataclasses import dataclass

from s3nmf.desk.plots.tree import tree_of
from s3nmf.topics import CountedWords, topics_of
from s3nmf.trust.levels import Levels

_WORDS = 6


@dataclass(frozen=True)
class Topic:
    """A cluster of some level.

    Attributes
    ----------
    words : tuple of str
    size : int
    cluster : int or None
        Its number among the clusters that were found; None if it is several of them.
    parts : tuple of Topic
        What it falls into at the next finer level that divides it.
    """

    words: tuple[str, ...]
    size: int
    cluster: int | None
    parts: tuple[Topic, ...] = ()


def topics_and_subtopics(levels: Levels, texts: CountedWords) -> tuple[Topic, ...]:
    """The two topics of the coarsest level, each with its parts, down to the clusters that were found."""
    rows = tree_of(levels)
    words = [topics_of(texts, levels.cut(row.n_clusters)) for row in rows]

    def topic(at: int, cluster: int) -> Topic:
        node = rows[at].nodes[cluster]
        named = tuple(one.word for one in words[at].of(cluster, _WORDS))
        while at + 1 < len(rows):
            parts = [part.cluster for part in rows[at + 1].nodes if part.parent == cluster]
            at += 1
            if len(parts) > 1:
                return Topic(named, node.size, node.found, tuple(topic(at, part) for part in parts))
            (cluster,) = parts
        return Topic(named, node.size, node.found)

    return () if len(rows) < 2 else tuple(topic(1, node.cluster) for node in rows[1].nodes)
