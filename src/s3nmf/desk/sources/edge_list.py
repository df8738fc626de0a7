"""Graphs as lines of text: two nodes and, where it matters, a weight."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import BinaryIO

import numpy as np

from s3nmf._words import counted, shortened
from s3nmf.desk.sources.delimited import Record, records, sampled
from s3nmf.desk.sources.errors import SourceError
from s3nmf.desk.sources.formats import file_format
from s3nmf.desk.sources.graph import Graph, graph_from_edges
from s3nmf.desk.sources.numbers import plain
from s3nmf.desk.sources.opening import text_lines
from s3nmf.desk.sources.options import Options
from s3nmf.desk.sources.table_or_edges import EDGE_HEADERS

_SAMPLE_LINES = 200
_DELIMITERS = ("\t", ",", ";", "|")
_WIDTHS = (2, 3)
_COMMENTS = ("#", "%")


@file_format("edges", ".edges", ".edgelist", ".el", kind="graph", is_stream=True)
def read_edge_list(stream: BinaryIO, source: str, options: Options) -> Graph:
    """Read an edge list; ids are text, nodes are in the order of their first edge.

    Columns are separated by tabs, commas, semicolons, bars or blanks. Lines at the top that begin with "# " or "% " are
    comments, as SNAP and KONECT write them; "#ai" is a node.
    """
    lines = text_lines(stream, source, options.encoding)
    sample = list(islice(lines, _SAMPLE_LINES))
    n_comments = next((k for k, line in enumerate(sample) if not _is_comment(line)), len(sample))
    edges = _split(sample[n_comments:], lines, source, n_comments)
    top = list(islice(edges, 2))
    if not top:
        raise SourceError(f"{source} has no edges. Each line names two nodes and, if it has three columns, a weight.")
    skipped = sum(bool(line.strip()) for line in sample[:n_comments])
    notes = [f"Skipped {counted(skipped, 'line')} of comments."] if skipped else []
    if _is_header([cells for *_, cells in top]):
        notes.append(f"Took line {top[0][0]} as a header.")
        top = top[1:]
    number_of: dict[str, int] = {}
    ends, weights = array("q"), array("d")
    width = len(top[0][-1]) if top else 2
    for start, _, cells in chain(top, edges):
        _check_edge(cells, width, start, source)
        for name in cells[:2]:
            ends.append(number_of.setdefault(name, len(number_of)))
        weights.append(_weight(cells[2], start, source) if width == 3 else 1.0)
    return graph_from_edges(
        np.array(ends, dtype=np.intp),
        np.array(weights, dtype=np.float64),
        list(number_of),
        source,
        notes=notes,
        normalize=options.normalize,
    )


def _split(sample: list[str], rest: Iterator[str], source: str, skipped: int) -> Iterator[Record]:
    """Records by what cuts the most of the first lines into two or three columns: a delimiter, or else blanks."""
    cuts: dict[str | None, list[list[str]]] = {mark: list(sampled(sample, mark)) for mark in _DELIMITERS}
    cuts[None] = [line.split() for line in sample]
    fitting = {mark: sum(len(cells) in _WIDTHS for cells in rows) for mark, rows in cuts.items()}
    if not any(fitting.values()):  # what cuts them most explains best what is wrong
        fitting = {mark: sum(map(len, rows)) for mark, rows in cuts.items()}
    best = max(fitting, key=lambda mark: fitting[mark])
    if best is not None:
        return records(chain(sample, rest), best, source, skipped=skipped, skip_blanks=True)
    lines = enumerate(chain(sample, rest), skipped + 1)
    return ((number, number, cells) for number, line in lines if (cells := line.split()))


def _is_comment(line: str) -> bool:
    return not line.strip() or (line.startswith(_COMMENTS) and (line[1:2].isspace() or len(line) == 1))


def _is_header(top: Sequence[Sequence[str]]) -> bool:
    names = tuple(cell.strip().casefold() for cell in top[0])
    if names[:2] in EDGE_HEADERS:
        return True
    weighted = [len(cells) == 3 and plain(cells[2]) is not None for cells in top]
    return len(names) == 3 and weighted == [False, True]


def _check_edge(cells: Sequence[str], width: int, start: int, source: str) -> None:
    if len(cells) != width or width not in _WIDTHS:
        raise SourceError(
            f"{source}: line {start} has {counted(len(cells), 'column')}. Each line of an edge list has the same two "
            "(two nodes) or three (and a weight), separated by tabs, commas, semicolons, bars or blanks."
        )
    if not (cells[0] and cells[1]):
        raise SourceError(f"{source}: line {start} names only one node. Each edge needs two.")


def _weight(cell: str, start: int, source: str) -> float:
    weight = plain(cell)
    if weight is None or not (math.isfinite(weight) and weight >= 0):
        raise SourceError(
            f"{source}: the weight {shortened(repr(cell))} in line {start} is not a number that is 0 or more. Weights "
            "are similarities: leave out the edge, or turn distances into similarities."
        )
    return weight
