"""The page in a browser."""

import csv

import numpy as np
import pytest

from browser import DESKTOP, HOSTILE, PHONE, PLANE, ROWS, TIP, TWO_FRAMES, column
from s3nmf._words import two_digits
from s3nmf.report import write_report

pytest.importorskip("jinja2", reason="needs jinja2: pip install 's3nmf[report]'")


def test_the_page_is_quiet_and_asks_the_network_for_nothing(opened):
    opened.wait_for_timeout(300)
    assert opened.locator("h1").inner_text() == HOSTILE


def test_hostile_names_do_nothing(opened):
    opened.locator("#find").fill("window.hacked")
    assert opened.locator(ROWS).count() == 6
    opened.locator(ROWS).first.get_by_role("button").click()
    assert HOSTILE[:20] in opened.locator(TIP).inner_text()
    opened.wait_for_timeout(200)
    assert opened.evaluate("window.hacked") is None


def test_arrow_keys_go_through_the_points_the_least_certain_first(opened, model):
    order = np.argsort(model.confidence_, kind="stable")
    opened.locator(PLANE).focus()
    shown = []
    for _ in range(3):
        opened.keyboard.press("ArrowRight")
        shown.append(opened.locator(TIP).inner_text())
    for text, point in zip(shown, order, strict=False):
        assert f"Cluster {model.labels_[point]}, confidence {model.confidence_[point]:.2f}" in text
    opened.keyboard.press("ArrowLeft")
    assert opened.locator(TIP).inner_text() == shown[1]
    opened.keyboard.press("Escape")
    assert opened.locator(TIP).is_hidden()


def test_pointing_at_a_point_tells_what_the_keyboard_tells(opened):
    opened.locator(PLANE).focus()
    opened.keyboard.press("Home")
    expected = opened.locator(TIP).inner_text()
    box = opened.locator("#ring").bounding_box()
    opened.keyboard.press("Escape")
    opened.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert opened.locator(TIP).inner_text() == expected
    opened.mouse.move(1, 1)
    assert opened.locator(TIP).is_hidden()


def test_the_points_are_drawn_where_they_are(opened):
    opened.locator(PLANE).focus()
    opened.keyboard.press("End")  # the most certain: a full mark, in the colour of its cluster
    colour = opened.evaluate("""() => {
        const ring = document.getElementById("ring"), canvas = document.querySelector("#plane canvas");
        const scale = canvas.width / canvas.clientWidth;
        const at = [parseFloat(ring.style.left), parseFloat(ring.style.top)].map((place) => Math.round(place * scale));
        return Array.from(canvas.getContext("2d").getImageData(...at, 1, 1).data);
    }""")
    assert colour[3] > 200


def test_a_header_sorts_and_sorts_the_other_way_round(opened, model):
    head = opened.locator("#point-table th", has_text="Confidence")
    assert [float(text) for text in column(opened, 3)] == [
        float(f"{share:.2f}") for share in np.sort(model.confidence_)[:15]
    ]
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert column(opened, 3)[0] == two_digits(model.confidence_.max())
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    name = opened.locator("#point-table th", has_text="Point")
    name.get_by_role("button").press("Enter")
    assert head.get_attribute("aria-sort") is None
    opened.locator("#find").fill("plant")
    assert column(opened, 1)[:3] == ["plant-1", "plant-2", "plant-3"]


def test_a_cluster_filters_the_picture_and_the_table(opened, model):
    before = opened.evaluate("document.querySelector('#plane canvas').toDataURL()")
    opened.locator("#legend button").nth(2).click()
    assert opened.locator("#legend button").nth(2).get_attribute("aria-pressed") == "true"
    assert opened.locator("#cluster-filter").input_value() == "2"
    assert set(column(opened, 2)) == {"2"}
    assert opened.locator("#count").inner_text() == f"15 of {(model.labels_ == 2).sum()} points"
    assert opened.locator("#names span").all_inner_texts() == ["2"]
    assert opened.evaluate("document.querySelector('#plane canvas').toDataURL()") != before
    opened.locator(PLANE).focus()
    opened.keyboard.press("Home")
    assert "Cluster 2," in opened.locator(TIP).inner_text()
    opened.locator("#cluster-filter").select_option("")
    assert opened.locator("#names span").count() == 4


def test_more_rows_are_shown_when_asked_for(opened):
    assert opened.locator(ROWS).count() == 15
    opened.locator("#more").click()
    assert opened.locator(ROWS).count() == 115
    opened.locator("#find").fill("plant-299")
    assert column(opened, 1) == ["plant-299"]
    assert opened.locator("#more").is_hidden()
    opened.locator("#find").fill("no such id")
    assert opened.locator("#count").inner_text() == "0 of 0 points"


def test_a_point_of_the_table_is_found_in_the_picture(opened):
    button = opened.locator(ROWS).nth(2).get_by_role("button")
    name = button.inner_text()
    button.press("Enter")
    assert name in opened.locator(TIP).inner_text()
    assert opened.evaluate("document.activeElement.id") == "plane"


def test_everything_that_does_something_is_reached_by_the_tab_key(opened):
    reached = set()
    for _ in range(60):
        opened.keyboard.press("Tab")
        reached.add(opened.evaluate("(at => at.id || at.className || at.textContent)(document.activeElement)"))
    controls = {"download", "colour-by", "zoom-in", "zoom-reset", "plane", "cluster-filter", "find", "more"}
    assert controls | {"Confidence", "Point"} <= reached


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_is_wider_than_the_screen_however_long_the_names(new_context, model, tmp_path, viewport):
    values = np.random.default_rng(0).normal(size=(300, 2)) + model.labels_[:, None]
    names = {"feature_names": ["f" * 300, "g"], "title": "t" * 300, "source": "s" * 300, "notes": ["n" * 300]}
    write_report(
        model, tmp_path / "report.html", ids=[f"{'i' * 300}{row}" for row in range(300)], values=values, **names
    )
    context = new_context(viewport=viewport)
    page = context.new_page()
    page.goto((tmp_path / "report.html").as_uri())
    page.locator(PLANE).focus()
    page.keyboard.press("Home")
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    page.set_viewport_size({"width": viewport["width"] - 40, "height": 700})
    page.evaluate(TWO_FRAMES)
    canvas, plane = page.evaluate("[document.querySelector('#plane canvas').width, plane.clientWidth]")
    assert canvas == 2 * plane < 2 * (viewport["width"] - 40)
    context.close()


def test_a_finger_shows_a_point_too(new_context, written):
    context = new_context(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    page = context.new_page()
    page.goto(written.as_uri())
    page.locator(PLANE).scroll_into_view_if_needed()
    page.locator(PLANE).focus()
    page.keyboard.press("Home")
    expected, box = page.locator(TIP).inner_text(), page.locator("#ring").bounding_box()
    page.keyboard.press("Escape")
    page.touchscreen.tap(box["x"] + 8, box["y"] + 8)
    assert page.locator(TIP).inner_text() == expected
    context.close()


def test_light_dark_and_paper(opened):
    def brightness():
        return opened.evaluate("getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).map(Number)")[0]

    assert brightness() > 240
    opened.emulate_media(color_scheme="dark")
    assert brightness() < 40
    opened.emulate_media(media="print")
    assert brightness() == 255
    assert opened.locator(".controls").first.is_hidden()


def test_without_scripts_all_but_the_drawings_is_there(new_context, written, model):
    context = new_context(viewport=DESKTOP, java_script_enabled=False)
    page = context.new_page()
    page.goto(written.as_uri())
    assert page.locator(ROWS).count() == 15
    assert column(page, 3)[0] == f"{model.confidence_.min():.2f}"
    assert page.locator("noscript p").is_visible()
    context.close()


def test_the_script_says_the_same_as_the_page_without_it(new_context, written):
    said = []
    for enabled in (False, True):
        context = new_context(java_script_enabled=enabled)
        page = context.new_page()
        page.goto(written.as_uri())
        said.append(page.locator(ROWS).all_inner_texts())
        context.close()
    assert said[0] == said[1]


def test_the_labels_can_be_downloaded(opened, model):
    with opened.expect_download() as download:
        opened.locator("#download").click()
    rows = list(csv.reader(download.value.path().read_text(encoding="utf-8").splitlines()))
    assert download.value.suggested_filename == "labels.csv"
    assert rows[0] == ["point", "cluster", "confidence", "second_cluster"]
    assert [int(row[1]) for row in rows[1:]] == model.labels_.tolist()
    assert rows[8][0] == "plant-7"
