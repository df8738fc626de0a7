import io
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from s3nmf.desk.sources.edge_list import read_edge_list
from s3nmf.desk.sources.options import Options
from s3nmf.sources import SourceError

NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=6)


def parse(text):
    return read_edge_list(io.BytesIO(text.encode()), "g.edges", Options(normalize=False))


@pytest.mark.parametrize("delimiter", ["\t", ",", ";", "|", " ", "   "])
@pytest.mark.parametrize("weighted", [False, True])
def test_columns_are_separated_by_what_separates_them(delimiter, weighted):
    edges = [("007", "née", 2.5), ("née", "🦊", 1), ("🦊", "007", 0.5)]
    text = "".join(delimiter.join(map(str, edge[: 2 + weighted])) + "\n" for edge in edges)
    graph = parse(text)
    assert graph.ids == ["007", "née", "🦊"]
    W = graph.affinity.toarray()
    assert W[0, 1] == W[1, 0] == (2.5 if weighted else 1)
    assert W[2, 0] == (0.5 if weighted else 1)


@given(st.lists(NAMES, min_size=2, max_size=6, unique=True))
def test_any_name_survives_in_quotes(names):
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    lines = [f"{one},{other},{k + 1}" for k, (one, other) in enumerate(pairwise(quoted))]
    assert parse("source,target,weight\n" + "\n".join(lines)).ids == names


def test_ids_with_blanks_need_another_delimiter():
    assert parse("New York\tLos Angeles\nLos Angeles\tSan Diego\n").ids == ["New York", "Los Angeles", "San Diego"]


def test_blanks_after_a_delimiter_do_not_matter():
    assert parse("a, b, 1\nb, c, 2\n").ids == ["a", "b", "c"]
    assert parse('a," b"\nb,c\n').ids == ["a", " b", "b", "c"], "unless they are in quotes"


def test_comments_and_headers_are_told_from_edges():
    graph = parse("# Directed graph\n#\n% sym\n\nsource target\na b\nb c\n")
    assert graph.ids == ["a", "b", "c"]
    assert graph.notes[:2] == ("Skipped 3 lines of comments.", "Took line 5 as a header.")
    assert parse("u,v,strength\na,b,1\nb,c,2\n").ids == ["a", "b", "c"]
    assert parse("#ai,#ml\n#ml,#dl\n").ids == ["#ai", "#ml", "#dl"], "hashtags are nodes"
    assert parse("u v\nv w\n").ids == ["u", "v", "w"], "names are no header"


def test_edges_in_both_directions_are_added():
    graph = parse("a b 1\nb a 2\nb c 1\nc c 1\n")
    np.testing.assert_array_equal(graph.affinity.toarray(), [[0, 3, 0], [3, 0, 1], [0, 1, 0]])
    assert "1 edge listed more than once, or in both directions: weights were added." in graph.notes
    assert any("Dropped 1 self-loop" in said for said in graph.notes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a b\nb\n", "line 2 has 1 column"),
        ("a b 1 2\nb c 1 2\n", "line 1 has 4 columns"),
        ("a,b,1,2\nb,c,1,2\n", "line 1 has 4 columns"),
        ("# x\n\na,b,1\nb,c,1\nc,d\n", "line 5 has 2 columns"),
        ("# x\n# y\na b\nb c d e\n", "line 4 has 4 columns"),
        ('# x\na,b\nb,"c\n', "the quote that opens in line 3 is never closed"),
        ("a b 1\nb c x\n", "the weight 'x' in line 2 is not a number that is 0 or more"),
        ("a b 1\nb c -2\n", "the weight '-2' in line 2"),
        ("a b 1\nb c nan\n", "the weight 'nan' in line 2"),
        ("a b 1\nb c 1e999\n", "the weight '1e999' in line 2"),
        ("a,b,1\nb,,1\n", "line 2 names only one node"),
        ("# only\n# comments\n", "has no edges"),
        ("source,target\n", "no edge between two nodes|has 0 nodes"),
        ("a a\n", "has 1 node"),
        ("a b 0\nb c 0\n", "no edge between two nodes"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text, said):
    with pytest.raises(SourceError) as error:
        parse(text)
    assert any(words in str(error.value) for words in said.split("|"))
