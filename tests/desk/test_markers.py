import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu

from s3nmf.desk import markers
from s3nmf.desk.markers import markers_of


def some_expression(seed, n=40, genes=6, scaled=False):
    """Logarithms of a few counts, with many zeros and ties; and three clusters, or none."""
    random = np.random.default_rng(seed)
    values = np.log1p(random.poisson(0.7, (n, genes)))
    labels = np.concatenate([[0, 1, 2], random.integers(-1, 3, n - 3)])
    return (values - 0.5 if scaled else values), labels


def literal(values, labels, k):
    """Each gene of one cluster, tested alone by SciPy, and adjusted by the definition."""
    inside = labels == k
    p = np.array(
        [mannwhitneyu(x[inside], x[~inside], method="asymptotic", use_continuity=False).pvalue for x in values.T]
    )
    order = np.argsort(-p, kind="stable")
    adjusted = np.empty(p.size)
    adjusted[order] = np.minimum.accumulate(p[order] * p.size / np.arange(p.size, 0, -1))
    return p, np.minimum(adjusted, 1)


@given(st.integers(0, 10_000), st.booleans(), st.booleans())
def test_every_gene_is_tested_as_scipy_tests_it_alone(seed, scaled, sparse):
    values, labels = some_expression(seed, scaled=scaled)
    found = markers_of(sp.csr_array(values) if sparse else values, labels, list("abcdef"))
    for k in range(3):
        p, adjusted = literal(values, labels, k)
        varies = np.ptp(values, axis=0) > 0
        np.testing.assert_allclose(found.p_values[k, varies], p[varies], atol=1e-12)
        if varies.all():
            np.testing.assert_allclose(found.adjusted_p_values[k], adjusted, atol=1e-12)
        inside = labels == k
        np.testing.assert_allclose(found.means[k], values[inside].mean(axis=0), atol=1e-12)
        np.testing.assert_allclose(found.inside[k], (values[inside] != 0).mean(axis=0))
        np.testing.assert_allclose(found.outside[k], (values[~inside] != 0).mean(axis=0))


@pytest.mark.parametrize("entries", [1, 7, 10**7])
def test_blocks_of_genes_change_nothing(monkeypatch, entries):
    values, labels = some_expression(3)
    whole = markers_of(values, labels, list("abcdef"))
    monkeypatch.setattr(markers, "_BLOCK", entries)
    part = markers_of(values, labels, list("abcdef"))
    np.testing.assert_array_equal(part.scores, whole.scores)


def test_a_gene_without_any_expression_marks_nothing():
    values, labels = np.zeros((12, 2)), np.repeat([0, 1], 6)
    found = markers_of(values, labels, ["none", "too"])
    assert not found.scores.any()
    assert (found.p_values == 1).all()
    assert found.of(0) == ()
    assert str(found) == "0: none\n1: none"


def test_fold_changes_are_those_of_counts_and_none_of_scaled_values():
    values = np.log1p(np.array([[8.0], [8.0], [2.0], [2.0]]))
    labels = np.array([0, 0, 1, 1])
    assert markers_of(values, labels, ["g"]).log2_fold_changes[0, 0] == pytest.approx(2.0)
    twos = np.log2(1 + np.array([[8.0], [8.0], [2.0], [2.0]]))
    assert markers_of(twos, labels, ["g"], base=2.0).log2_fold_changes[0, 0] == pytest.approx(2.0)
    assert np.isnan(markers_of(values - 5, labels, ["g"]).log2_fold_changes).all()


def test_a_notebook_names_the_genes_of_each_cluster():
    values, labels = np.repeat([[3.0, 0.0], [0.0, 2.0]], 20, axis=0), np.repeat([0, 1], 20)
    said = markers_of(values, labels, ["CD3D", "<b>"], ["T", "B"])._repr_html_()
    assert "CD3D (100%)" in said
    assert "<b>" not in said
