"""A visit in a real browser: from a file to what is taken away."""

import csv

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from browser import DESKTOP, PHONE, SCREENS, broken_rules
from desk.app.conftest import NAMES, running

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 's3nmf[test]'")

HOSTILE = "<img src=x onerror='window.hacked=1'>"
PATIENCE = 120_000
# Filters of warnings belong to the whole process, and the page computes in a thread of its own while tests come and go.
pytestmark = pytest.mark.filterwarnings("ignore")
CLUSTERS = "#cluster-list li"


class Visitor:
    """A tab, what it says on its console, and whom it asks."""

    def __init__(self, context, address, fewest=2):
        self.tab = context.new_page()
        self.said, self.asked = [], []
        self.tab.on("console", lambda message: self.said.append(message.text))
        self.tab.on("pageerror", lambda error: self.said.append(str(error)))
        self.tab.on("request", lambda request: self.asked.append(request.url))
        self.tab.goto(address)
        self.wait(fewest=fewest)

    def wait(self, n_clusters=None, fewest=2):
        """Until nothing is left to do, and so many clusters are there."""
        self.expect("#busy").to_have_class("idle", timeout=PATIENCE)
        self.expect(f"{CLUSTERS}:nth-child({n_clusters or fewest})").to_be_visible(timeout=PATIENCE)
        if n_clusters:
            self.expect(CLUSTERS).to_have_count(n_clusters, timeout=PATIENCE)

    def expect(self, selector):
        """What the page is to become: asked without evaluating text, which it does not allow."""
        return sync_api.expect(self.tab.locator(selector))

    def texts(self, selector):
        return self.tab.locator(selector).all_inner_texts()

    def names(self):
        return self.tab.eval_on_selector_all(f"{CLUSTERS} input[type=text]", "all => all.map((one) => one.value)")

    def mark(self, *clusters):
        for cluster in clusters:
            self.tab.get_by_label(f"Mark cluster {cluster}", exact=True).check()


@pytest.fixture
def visitor(new_context, page):
    context = new_context(viewport=DESKTOP)
    visitor = Visitor(context, page.address)
    yield visitor
    assert visitor.said == []
    assert all(url.startswith((page.address.partition("?")[0], "blob:", "data:")) for url in visitor.asked)
    context.close()


def test_a_whole_visit_from_a_file_to_labels(visitor, tmp_path):
    tab = visitor.tab
    assert visitor.texts("#verdict-title") == ["3 clusters."]
    assert "token" not in tab.url
    tab.get_by_label("One cluster more").click()
    visitor.wait(n_clusters=4)
    tab.get_by_label("3 clusters: all borders are real", exact=False).click()
    visitor.wait(n_clusters=3)
    visitor.mark(0, 2)
    tab.locator("#merge").click()
    visitor.wait(n_clusters=2)
    visitor.mark(0)
    tab.locator("#split").click()
    visitor.wait(n_clusters=3)
    tab.get_by_label("Name of cluster 1", exact=True).fill("short ones")
    tab.keyboard.press("Enter")
    visitor.expect("#names").to_contain_text("short ones", timeout=PATIENCE)
    tab.get_by_role("checkbox", name="height").uncheck()
    tab.locator("#scale").select_option("minmax")
    tab.locator("#apply").click()
    visitor.expect("#notes").to_contain_text("Scaled 2 columns", timeout=PATIENCE)
    visitor.wait()
    assert visitor.names() == ["", "", ""]
    tab.get_by_role("checkbox", name="height").check()
    tab.locator("#scale").select_option("")
    tab.locator("#apply").click()
    visitor.expect("#names").to_contain_text("short ones", timeout=PATIENCE)
    visitor.wait()
    with tab.expect_download() as saved:
        tab.locator("#labels").click()
    saved.value.save_as(tmp_path / "labels.csv")
    with (tmp_path / "labels.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert (len(rows), rows[0]["plant"]) == (89, "plant-1")
    assert {row["cluster_name"] for row in rows} == {"Cluster 0", "short ones", "Cluster 2"}
    assert "--drop color --missing drop" in tab.locator("#command").inner_text()


def test_points_are_reached_without_a_mouse(visitor):
    tab = visitor.tab
    tab.locator("#plane").focus()
    tab.keyboard.press("ArrowRight")
    first = visitor.texts("#point-table tbody tr td:first-child")[0]
    visitor.expect("#point-title").to_have_text(first)
    assert sorted(visitor.texts("#values tbody td:first-child")) == sorted(NAMES)
    visitor.expect("#tip").to_contain_text(first)
    assert tab.locator("#ring").is_visible()
    tab.keyboard.press("End")
    visitor.expect("#point-title").not_to_have_text(first)


def test_whoever_loads_the_page_again_finds_it_as_it_was_and_two_tabs_differ(new_context, page):
    context = new_context(viewport=DESKTOP)
    first, second = Visitor(context, page.address), Visitor(context, page.address)
    first.tab.get_by_label("Name of cluster 0", exact=True).fill("mine")
    first.tab.keyboard.press("Enter")
    first.expect("#names").to_contain_text("mine", timeout=PATIENCE)
    second.tab.get_by_label("One cluster fewer").click()
    second.wait(n_clusters=2)
    first.tab.reload()
    first.wait()
    assert first.names() == ["mine", "", ""]
    assert second.names() == ["", ""]
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_scrolls_one_way_only(new_context, page, scheme):
    context = new_context(viewport=PHONE, color_scheme=scheme)
    visitor = Visitor(context, page.address)
    assert visitor.tab.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    background = visitor.tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(253, 253, 252)") == (scheme == "light")
    context.close()


@SCREENS
def test_no_rule_of_accessibility_is_broken(new_context, page, axe, viewport, scheme):
    # The page's own policy would not let axe in.
    context = new_context(viewport=viewport, color_scheme=scheme, bypass_csp=True)
    visitor = Visitor(context, page.address)
    visitor.tab.locator("#plane").focus()
    visitor.tab.keyboard.press("ArrowRight")
    visitor.expect("#values tbody tr").not_to_have_count(0)
    assert broken_rules(visitor.tab, axe) == {}
    context.close()


def test_hostile_names_of_files_columns_rows_and_clusters_are_only_text(new_context, tmp_path):
    path = tmp_path / (HOSTILE.replace("/", "") + "; $(touch hacked).csv")
    lines = [f"plant{HOSTILE},a{HOSTILE},b"]
    lines += [f"{HOSTILE} {row},{row % 2 * 9 + row % 5},{row % 2 * 9 + row % 7}" for row in range(40)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with running(path) as page:
        context = new_context(viewport=DESKTOP)
        visitor = Visitor(context, page.address)
        visitor.tab.get_by_label("Name of cluster 0", exact=True).fill(HOSTILE)
        visitor.tab.keyboard.press("Enter")
        visitor.expect("#names").to_contain_text("onerror", timeout=PATIENCE)
        visitor.tab.locator("#point-table tbody button").first.click()
        visitor.expect("#values tbody").to_contain_text("onerror", timeout=PATIENCE)
        assert HOSTILE in visitor.tab.locator("#point-title").inner_text()
        assert visitor.tab.locator("img").count() == 0
        assert visitor.tab.evaluate("window.hacked") is None
        assert visitor.said == []
        context.close()


def test_a_mistake_in_a_column_is_said_and_the_column_can_be_left_out(new_context, tmp_path):
    path = tmp_path / "typo.csv"
    cells = [f"x{row},{row % 2 * 9 + row % 5},{row % 2 * 9 + row % 7},{row % 3}" for row in range(40)]
    path.write_text("\n".join(["id,a,b,c", *cells, "x40,1,2,12kg"]) + "\n")
    with running(path) as page:
        context = new_context(viewport=DESKTOP)
        tab = context.new_page()
        tab.goto(page.address)
        sync_api.expect(tab.locator("#error")).to_contain_text("'12kg' in line 42", timeout=PATIENCE)
        sync_api.expect(tab.locator("#verdict-title")).to_have_text("No clusters yet")
        assert tab.locator("#id").input_value() == "id"
        assert not tab.get_by_role("checkbox", name="id", exact=True).is_checked()
        tab.get_by_role("checkbox", name="c", exact=True).uncheck()
        tab.locator("#apply").click()
        sync_api.expect(tab.locator(f"{CLUSTERS}:nth-child(2)")).to_be_visible(timeout=PATIENCE)
        assert tab.locator("#error").is_hidden()
        context.close()


def test_whoever_is_advised_to_look_for_unequal_sizes_can(new_context, tmp_path):
    X, _ = make_blobs([500, 500, 60, 60], centers=[[0, 0], [4.5, 0], [0, 4.5], [4.5, 4.5]], random_state=5)
    np.savetxt(tmp_path / "four.csv", X, delimiter=",", header="x,y", comments="", fmt="%.3f")
    with running(tmp_path / "four.csv") as page:
        context = new_context(viewport=DESKTOP)
        visitor = Visitor(context, page.address)
        visitor.tab.locator("#n-clusters").fill("4")
        visitor.tab.keyboard.press("Enter")
        visitor.expect("#doubts").to_contain_text("try “Clusters of very unequal sizes”.", timeout=PATIENCE)
        visitor.tab.get_by_label("Clusters of very unequal sizes").check()
        visitor.expect("#doubts").not_to_contain_text("Clusters of very unequal sizes", timeout=PATIENCE)
        visitor.expect("#command").to_contain_text("-k 4 --recipe unequal")
        assert visitor.said == []
        context.close()


def test_where_there_is_one_cluster_nothing_is_said_of_several(new_context, tmp_path):
    noise = np.random.default_rng(0).normal(size=(200, 3))
    np.savetxt(tmp_path / "noise.csv", noise, delimiter=",", header="x,y,z", comments="")
    with running(tmp_path / "noise.csv") as page:
        context = new_context(viewport=DESKTOP)
        visitor = Visitor(context, page.address, fewest=1)
        visitor.expect("#judgement").to_have_text("No border divides the data.", timeout=PATIENCE)
        assert visitor.texts("#verdict-title") == ["1 cluster."]
        for several in ("#points", "#levels"):
            assert visitor.tab.locator(several).is_hidden()
        visitor.tab.get_by_label("One cluster more").click()
        visitor.wait(n_clusters=2)
        visitor.expect("#judgement").to_have_text(
            "Do not rely on them: the data show no clear clusters.", timeout=PATIENCE
        )
        visitor.tab.get_by_label("1 cluster, recommended", exact=True).click()
        visitor.wait(n_clusters=1)
        assert visitor.said == []
        context.close()


def test_the_tree_of_levels_is_drawn(visitor):
    tree = visitor.tab.locator("#tree")
    assert tree.locator("circle").count() == 1 + 2 + 3
    assert tree.locator(".branch").count() == 2 + 3
    assert tree.locator("circle:not(.joined), circle[style]").count() >= 3


def test_a_refusal_stays_a_fault_passes_and_a_tab_that_was_forgotten_is_to_be_loaded_again(new_context, page):
    context = new_context(viewport=DESKTOP)
    visitor = Visitor(context, page.address)
    tab = visitor.tab
    tab.locator("#n-clusters").fill("5000")
    tab.keyboard.press("Enter")
    visitor.expect("#error").to_contain_text("can be cut into")
    tab.route("**/now?*", lambda route: route.fulfill(status=500, body="Internal Server Error"))
    with tab.expect_response(lambda answer: answer.status == 500):
        pass
    tab.unroute("**/now?*")
    with tab.expect_response(lambda answer: "seen=-1" in answer.url and answer.ok):
        pass
    visitor.expect("#error").to_contain_text("can be cut into")
    tab.get_by_label("One cluster fewer").click()
    visitor.wait(n_clusters=2)
    visitor.expect("#error").to_be_hidden()
    tab.route("**/now?*", lambda route: route.fulfill(status=410, json={"error": "Load the page again."}))
    visitor.expect("#stopped").to_have_text("Load the page again.", timeout=PATIENCE)
    context.close()


def test_a_program_that_was_stopped_is_said_to_be(new_context, plants):
    with running(plants) as page:
        context = new_context(viewport=DESKTOP)
        visitor = Visitor(context, page.address)
        page.stop()
        page.wait()
        visitor.expect("#stopped").to_contain_text("The program was stopped", timeout=PATIENCE)
        assert visitor.tab.locator("#merge").is_disabled()
        context.close()
