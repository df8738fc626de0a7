import numpy as np
import pytest

from experiments.control_charts import KINDS, control_charts


@pytest.fixture(scope="module")
def charts():
    X, kind = control_charts(random_state=0)
    return {name: X[kind == k] for k, name in enumerate(KINDS)}


def test_the_defaults_have_the_size_of_chart_and_a_seed_repeats_them(charts):
    assert all(series.shape == (100, 60) for series in charts.values())
    again, _ = control_charts(random_state=0)
    np.testing.assert_array_equal(np.vstack(list(charts.values())), again)
    assert control_charts(3, 20, random_state=1)[0].shape == (18, 20)


def test_normal_series_stay_within_three_scales_of_the_mean(charts):
    assert 24 <= charts["normal"].min() < 24.1
    assert 35.9 < charts["normal"].max() <= 36


def test_trends_have_slopes_between_a_fifth_and_a_half(charts):
    t = np.arange(60)
    for name, sign in (("increasing trend", 1), ("decreasing trend", -1)):
        slopes = sign * np.polyfit(t, charts[name].T, 1)[0]
        assert 0.12 < slopes.min() < 0.27
        assert 0.43 < slopes.max() < 0.58


def test_shifts_come_in_the_middle_third_and_stay(charts):
    for name, sign in (("upward shift", 1), ("downward shift", -1)):
        steps = sign * (charts[name][:, 40:].mean(axis=1) - charts[name][:, :20].mean(axis=1))
        assert 5 < steps.min() < 10
        assert 17 < steps.max() < 23
        assert np.abs(charts[name][:, :20] - 30).max() <= 6


def test_cycles_swing_by_ten_to_fifteen(charts):
    power = np.abs(np.fft.rfft(charts["cyclic"] - 30, axis=1))
    cycles = 1 + np.argmax(power[:, 1:], axis=1)
    assert set(cycles) == {4, 5, 6}
    assert 16 < np.abs(charts["cyclic"] - 30).max() <= 21


def test_the_real_chart_is_of_this_kind(charts, data_directory):
    with np.load(data_directory / "chart.npz") as file:
        X, y = file["X"], file["y"]
    for k, name in enumerate(KINDS):
        real = X[y == k]
        np.testing.assert_allclose(real.std(), charts[name].std(), rtol=0.1)
        np.testing.assert_allclose(real[:, 45:].mean(), charts[name][:, 45:].mean(), atol=1.5)
