import pytest

from benchmarks.members.packaged import classes_and_measures
from benchmarks.members.page import digits
from benchmarks.members.results import Results, on_findable


def row(method, draw, ari):
    return {"set": "tables of R", "method": method, "draw": float(draw), "seed": 0.0, "ari": ari, "failed": ""}


def test_means_are_over_the_draws_that_all_methods_have():
    ours = [row("S3NMF", draw, ari) for draw, ari in enumerate([0.1, 0.5, 0.9, 0.7])]
    rival = [row("k-means", draw, ari) for draw, ari in enumerate([0.0, 0.1, float("nan")])]
    means, n_draws, n_findable = on_findable(Results(ours + rival), "tables of R")
    assert (n_draws, n_findable) == (2, 1)
    assert means["S3NMF"] == pytest.approx((0.3, 0.5))
    assert means["k-means"] == pytest.approx((0.05, 0.1))


def test_a_table_of_measures_gives_a_case_for_each_column_of_classes():
    rows = [f"{i},{i},{i % 40},{-i},{'ab'[i % 2]},{'uvw'[i % 3]},{i % 2},name {i}" for i in range(100)]
    gaps = ["101,NA,1,2,a,u,0,name", "102,,1,2,a,u,0,name"]
    found = list(classes_and_measures("\n".join(["n,x,y,z,two,three,flag,name", *rows, *gaps])))
    assert [int(y.max()) + 1 for y, _ in found] == [2, 3]
    assert all(X.shape == (100, 3) and y.shape == (100,) for y, X in found)
    assert list(classes_and_measures("\n".join(["n,x,y,z,two", *(line[:20] for line in rows[:50])]))) == []


def test_shares_have_no_zero_before_the_point_and_no_sign_before_zero():
    assert [digits(value) for value in (0.8531, 1.0, -0.0213, -0.0001, None)] == [".853", "1.000", "-.021", ".000", ""]
