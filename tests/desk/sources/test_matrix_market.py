import io

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from graphs import affinities
from s3nmf.desk.sources.matrix_market import read_matrix_market
from s3nmf.desk.sources.options import Options
from s3nmf.sources import SourceError, read
from samples import weights

START = "%%MatrixMarket matrix coordinate real symmetric\n"


def parse(text):
    data = text if isinstance(text, bytes) else text.encode()
    return read_matrix_market(io.BytesIO(data), "g.mtx", Options(normalize=False))


@given(affinities(), st.sampled_from(["general", "symmetric"]), st.sampled_from([np.asarray, sp.coo_array]))
def test_files_of_scipy_are_read(W, symmetry, convert):
    stream = io.BytesIO()
    scipy.io.mmwrite(stream, convert(W), symmetry=symmetry, precision=17)
    graph = parse(stream.getvalue())
    np.testing.assert_array_equal(graph.affinity.toarray(), W)
    assert graph.ids == [str(k) for k in range(1, len(W) + 1)]


def test_patterns_and_integers_are_weights():
    text = "%%MatrixMarket matrix coordinate {} general\n% c\n\n3 3 2\n1 2{}\n2 3{}\n"
    for field, weight in (("pattern", ""), ("integer", " 1")):
        graph = parse(text.format(field, weight, weight))
        assert graph.affinity.toarray().tolist() == [[0, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0]]


def test_a_gzipped_file_is_read(tmp_path):
    import gzip  # noqa: PLC0415

    stream = io.BytesIO()
    scipy.io.mmwrite(stream, weights(), symmetry="symmetric", precision=17)
    (tmp_path / "w.mtx.gz").write_bytes(gzip.compress(stream.getvalue()))
    assert (read(tmp_path / "w.mtx.gz", normalize=False).affinity != weights()).nnz == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 2 3\n", "does not begin with '%%MatrixMarket"),
        (START.replace("real", "complex") + "2 2 1\n1 2 1 0\n", "'coordinate complex symmetric'"),
        (START.replace("symmetric", "skew-symmetric") + "2 2 1\n1 2 1\n", "real skew-symmetric"),
        (START, "the line of sizes is ''"),
        (START + "2 2\n", "the line of sizes is '2 2'"),
        (START + "-2 -2 1\n2 1 1\n", "the line of sizes is '-2 -2 1'"),
        (START + "3 2 1\n2 1 1\n", "has the shape (3, 2)"),
        (START + "2 2 1\n", "announces 1 entries and has none"),
        (START + "2 2 2\n2 1 1\n", "announces 2 lines of 3 numbers and has 1 of 3"),
        (START + "2 2 1\n2 1\n", "announces 1 lines of 3 numbers and has 1 of 2"),
        (START + "2 2 1\n3 1 1\n", "entry 1 is at [3, 1]; rows and columns are 1 to 2"),
        (START + "2 2 1\n0 1 1\n", "entry 1 is at [0, 1]"),
        (START + "2 2 1\n1.5 1 1\n", "entry 1 is at [1.5, 1]"),
        (START + "2 2 1\n2 1 x\n", "numpy cannot read it"),
        (START + "2 2 1\n2 1 -1\n", "has the weight -1"),
        (START + "1000000000000 1000000000000 1\n2 1 1\n", "announces 1,000,000,000,000 nodes and has 1 edge"),
        (START + "100000000000000000 100000000000000000 100000000000000000\n2 1 1\n", "has 1 of 3"),
        (START + "9" * 400 + " 2 1\n2 1 1\n", "the line of sizes is '999"),
        ("%%MatrixMarket matrix array real general\n1000000 1000000\n1\n", "announces 1,000,000,000,000 lines"),
        ("%%MatrixMarket matrix array real symmetric\n2 2\n0\n-1\n0\n", "has the weight -1"),
    ],
)
def test_a_header_is_believed_only_as_far_as_the_file_goes(text, said):
    with pytest.raises(SourceError) as error:
        parse(text)
    assert said in str(error.value)


def test_files_that_crash_the_reader_of_scipy_do_not_crash_this_one():
    with pytest.raises(SourceError, match="line 3 holds a NUL byte"):
        parse(START.encode() + b"2 2 1\n2 1 1.5\0\0\0\0\n")
    assert parse(START + f"2 2 1\n2 1 0.{'3' * 400}\n").affinity[0, 1] == pytest.approx(1 / 3)
