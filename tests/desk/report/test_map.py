"""The picture of the points in a browser: names, magnification, colours, edges, images."""

import re
from itertools import combinations

import numpy as np
import pytest

from browser import DESKTOP, PHONE, PLANE, TIP, TWO_FRAMES, Watch, column
from results import random_model
from s3nmf.report import write_report

pytest.importorskip("jinja2", reason="needs jinja2: pip install 's3nmf[report]'")

REMEMBER_TEXT = """
    window.drawn = [];
    const fill = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
        window.drawn.push(text);
        return fill.call(this, text, ...at);
    };
"""


def boxes(page, selector):
    side = "(one) => ['left', 'top', 'right', 'bottom'].map((side) => one.getBoundingClientRect()[side])"
    return page.eval_on_selector_all(selector, f"(all) => all.map({side})")


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_the_names_of_a_hundred_clusters_do_not_collide(new_context, tmp_path, quick_layout):
    path = tmp_path / "report.html"
    write_report(random_model(10_000, 100), path, ids=[f"specimen {row} {'x' * 80}" for row in range(10_000)])
    context = new_context(viewport=DESKTOP)
    page = context.new_page()
    page.goto(path.as_uri())
    page.evaluate(TWO_FRAMES)
    found = boxes(page, "#names span")
    assert len(found) > 80
    assert not [pair for pair in combinations(found, 2) if overlap(*pair)]
    # Pointing at one, or at its line of the legend, leaves its cluster alone on the stage.
    page.locator("#legend button").nth(42).focus()
    page.evaluate(TWO_FRAMES)
    assert page.locator("#names span").all_inner_texts() == ["42"]
    context.close()


def marked_place(page):
    box = page.locator("#ring").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_picture_is_magnified_and_moved_by_keys_buttons_wheel_and_drag(opened):
    plane = opened.locator(PLANE)
    plane.focus()
    opened.keyboard.press("End")
    start = marked_place(opened)
    box = plane.bounding_box()

    def place():
        opened.evaluate(TWO_FRAMES)
        return marked_place(opened)

    opened.keyboard.press("+")
    nearer = place()
    assert nearer != start
    opened.keyboard.press("Shift+ArrowRight")
    assert place()[0] < nearer[0]
    opened.keyboard.press("0")
    assert place() == pytest.approx(start, abs=0.6)
    opened.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    opened.mouse.wheel(0, -400)
    opened.evaluate(TWO_FRAMES)
    opened.keyboard.press("End")
    before = place()
    opened.mouse.down()
    opened.mouse.move(box["x"] + box["width"] / 2 + 30, box["y"] + box["height"] / 2 + 20)
    opened.mouse.up()
    opened.keyboard.press("End")
    after = place()
    assert (after[0] - before[0], after[1] - before[1]) != (0, 0)
    opened.locator("#zoom-reset").click()
    opened.locator("#zoom-in").click()
    opened.locator("#zoom-out").click()
    plane.focus()
    opened.keyboard.press("End")
    assert place() == pytest.approx(start, abs=0.6)


def test_two_fingers_magnify(new_context, written):
    context = new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(written.as_uri())
    page.locator(PLANE).scroll_into_view_if_needed()
    box = page.locator(PLANE).bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touches = context.new_cdp_session(page)
    for kind, apart in [("touchStart", 20), ("touchMove", 40), ("touchMove", 80), ("touchEnd", None)]:
        points = (
            [] if apart is None else [{"x": middle[0] + side * apart, "y": middle[1], "id": side} for side in (0, 1)]
        )
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.evaluate(TWO_FRAMES)
    assert page.locator("#plane.near").count() == 1
    page.locator("#zoom-reset").tap()
    page.evaluate(TWO_FRAMES)
    assert page.locator("#plane.near").count() == 0
    context.close()


def test_a_kept_column_colours_the_map_and_is_told_of_each_point(opened):
    before = opened.evaluate("document.querySelector('#plane canvas').toDataURL()")
    opened.locator("#colour-by").select_option("0")
    assert opened.evaluate("document.querySelector('#plane canvas').toDataURL()") != before
    assert opened.locator("#legend button .quiet").all_inner_texts() == ["100", "100", "100"]
    opened.locator("#colour-by").select_option("1")
    assert opened.locator("#legend button").count() == 5
    opened.locator("#cluster-filter").select_option("1")  # which is about clusters
    assert opened.locator("#legend button").count() == 4
    opened.locator(PLANE).focus()
    opened.keyboard.press("Home")
    assert "age: " in opened.locator(TIP).inner_text()


def test_the_tip_compares_a_point_with_its_cluster_and_its_second_choice(opened, model):
    point = np.argsort(model.confidence_, kind="stable")[0]
    own, other = model.labels_[point], model.second_choice_[point]
    opened.locator(PLANE).focus()
    opened.keyboard.press("Home")
    text = opened.locator(TIP).inner_text()
    assert re.search(rf"width: \S+ \(cluster {own}: \S+, cluster {other}: \S+\)", text)
    assert re.search(rf"width: \S+ \(cluster {own}: \S+, cluster {other}: \S+\)", column(opened, 6)[0])


def test_a_graph_shows_its_edges_and_the_names_of_its_nodes(new_context, tmp_path, quick_layout):
    model = random_model(40, 2)
    write_report(model, tmp_path / "report.html", ids=[f"node-{row}" for row in range(40)], thing="node")
    context = new_context(viewport=DESKTOP)
    page = context.new_page()
    page.add_init_script(REMEMBER_TEXT)
    page.goto((tmp_path / "report.html").as_uri())
    names = set(page.evaluate("window.drawn"))
    assert len([name for name in names if name.startswith("node-")]) > 20
    before = page.evaluate("document.querySelector('#plane canvas').toDataURL()")
    page.locator(PLANE).focus()
    page.keyboard.press("Home")  # the edges of this node come out
    page.evaluate(TWO_FRAMES)
    assert page.evaluate("document.querySelector('#plane canvas').toDataURL()") != before
    assert re.search(r"edges: (2 to cluster \d|1 to cluster \d, 1 to cluster \d)$", page.locator(TIP).inner_text())
    context.close()


def test_images_are_shown_in_the_tip(new_context, tmp_path, model):
    values = np.random.default_rng(0).random((300, 6))
    write_report(model, tmp_path / "report.html", values=values, image=(2, 3))
    context = new_context(viewport=DESKTOP)
    page = context.new_page()
    page.watch = Watch(page)
    page.goto((tmp_path / "report.html").as_uri())
    page.locator(PLANE).focus()
    page.keyboard.press("Home")
    assert page.locator("#tip canvas").evaluate("(image) => [image.height, image.width]") == [2, 3]
    assert page.locator("#tip img").evaluate_all("(all) => all.every((image) => image.naturalWidth === 3)")
    assert page.watch.said == []
    context.close()
