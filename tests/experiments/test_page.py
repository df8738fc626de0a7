import re

import pytest

from experiments import defaults, discussion
from experiments.levels import Level, levels_by_protocol, levels_of
from experiments.page import appendix, page, write_page
from experiments.results import Results
from experiments.store import Store
from experiments.wording import escaped
from outcomes import keyed, outcome


@pytest.fixture(scope="module")
def paragraphs(by_hand):
    texts = discussion.discussion(by_hand, levels_by_protocol(by_hand)).split("\n\n")
    return {text.split(".**")[0].strip("*"): text for text in texts}


def test_graphs_are_compared_where_a_method_depends_on_no_seed(paragraphs):
    # SR on SEEDS .850 ± 0 (.833 ± 0), on IRIS .600 ± 0 (.463 ± .000).
    says = "SR is such a method on SEEDS (+0.017 from the paper), IRIS (+0.137 from the paper)."
    assert paragraphs["Graphs"].endswith(says)


def test_a_method_that_depends_on_its_seed_says_nothing_about_graphs():
    assert discussion.graphs({("SEEDS", "SR", "ACC"): Level(0.8, 0.005, 20)}) == {"SEEDS": -0.033}
    assert discussion.graphs({("SEEDS", "SR", "ACC"): Level(0.8, 0.006, 20)}) == {}
    assert discussion.graphs({("SEEDS", "SR", "ACC"): Level(0.8, None, 1)}) == {}


def test_compared_methods_are_set_against_the_paper(paragraphs):
    # SEEDS: SC .850 ± .071 (.828) and SNMF .550 (.602 ± .072) are near; SR .850 ± 0 (.833 ± 0) and SSC .650 (.831) not.
    # IRIS: SSC .650 ± .212 (.587 ± .040) and SNMF .650 (.645) are near; SC .800 ± .141 (.467) and SR .600 (.463) not.
    assert "in 4 of 8 cells; it is higher than the paper's in 6." in paragraphs["Compared methods, fixed"]
    assert "Furthest apart: SC on IRIS (0.800, paper 0.467)" in paragraphs["Compared methods, fixed"]
    assert "SNMF -0.024" in paragraphs["Compared methods, fixed"]  # (-.052 + .005) / 2


def test_s3nmf_is_set_against_the_paper(paragraphs):
    text = paragraphs["S3NMF"]
    assert "below the paper's on SEEDS (-0.021), IRIS (-0.176); equal, to 0.005, or above on none" in text
    assert "within our range over runs on none" in text
    assert "at least as good as the members' mean on 2 of 2 data sets" in text
    assert "worse than single SNMFs on none" in text
    assert "within our range over runs on SEEDS" in paragraphs["S3NMF (text)"]
    assert "on 0 of 2 data sets" in paragraphs["S3NMF (text)"]


def test_the_authors_run_is_the_papers(paragraphs):
    assert paragraphs["The authors' starts"].endswith("SEEDS comes out at 0.881 ± 0.000, the paper's.")


def test_spread_cells_and_ranks_are_put_into_words(paragraphs):
    assert "varies less than SNMF's on 2 of 2 data sets; as much or more on none" in paragraphs["Spread"]
    text = paragraphs["Against the others"]
    assert "best in 44 of 50 cells. Here it is best in 5 of 10 (fixed) and 0 of 10 (oracle)." in text
    assert "By ACC (fixed) its average rank is 1.50 of 5, place" in text
    assert "0 of 4 others are significantly worse (none)" in text


def test_the_sweeps_are_put_into_words(paragraphs):
    # .785 against .780 and .725
    assert "Learned weights bring +0.005, in the paper +0.118; more than a hundredth on none" in paragraphs["Ablation"]
    assert "brings +0.060, in the paper +0.111" in paragraphs["Ablation"]
    # At the stop .7 and .7, first .5 and .6, best .8 and .9.
    assert "ACC rises by 0.150 on average over 1 data sets" in paragraphs["Rounds"]
    assert "0.150 better than the stop, at most 0.150 (SEEDS)" in paragraphs["Rounds"]
    assert (
        "From b = 1 to 20 ACC changes by +0.340 on average over 1 data sets, from 20 to 50 by +0.110"
        in paragraphs["Members"]
    )
    assert "moves by 0.100 on average over 1 data sets, at most by 0.100 (SEEDS)" in paragraphs["tau"]


def test_the_page_is_drawn_again_from_its_own_file(by_hand, tmp_path, monkeypatch):
    write_page(by_hand, tmp_path / "reproduction.md")
    first = (tmp_path / "reproduction.md").read_text(encoding="utf-8")
    drawn = sorted((tmp_path / "reproduction").iterdir(), key=lambda path: path.stat().st_mtime_ns)
    monkeypatch.setattr("experiments.page.draw_all", lambda *_: drawn)
    write_page(Results(tmp_path / "reproduction.parquet"), tmp_path / "reproduction.md")
    assert (tmp_path / "reproduction.md").read_text(encoding="utf-8") == first
    tables = (tmp_path / "reproduction-tables.md").read_text(encoding="utf-8")
    assert "(reproduction-tables.md#runs)" in first
    assert "\n## Runs\n" in tables
    links = re.findall(r"\]\(([^)#]+)", first + tables)
    assert len(links) >= 8
    assert all((tmp_path / link).is_file() for link in links)


def test_the_page_begins_with_what_was_found(by_hand, tmp_path):
    write_page(by_hand, tmp_path / "reproduction.md")
    first = " ".join((tmp_path / "reproduction.md").read_text(encoding="utf-8").split())
    assert "SEEDS comes out at 0.881; the paper has 0.881." in first
    assert "best method in 5 of 10 cells (fixed), 0 of 10 cells (oracle); the paper says 44 of 50." in first
    assert "reaches the paper's, to 0.005, on 0 of 2 data sets." in first


def test_runs_fit_into_a_small_file(by_hand, tmp_path):
    write_page(by_hand, tmp_path / "reproduction.md")
    assert (tmp_path / "reproduction.parquet").stat().st_size < 40_000


def test_versions_and_machine_are_those_of_the_runs(tmp_path):
    store = Store(tmp_path)
    store.save(outcome(keyed(1), numpy="1.2.3", machine="an abacus", finished="2020-02-02T00:00:00"))
    store.save(outcome(keyed(2), seed=1, numpy="1.2.4", machine="an abacus", finished="2020-02-03T00:00:00"))
    results = Results(tmp_path)
    text = appendix(results, levels_by_protocol(results), {}, "page.md")
    assert "| numpy | 1.2.3 | 1 |" in text
    assert "| numpy | 1.2.4 | 1 |" in text
    assert "| machine | an abacus | 2 |" in text
    assert "| finished | 2020-02-02 to 2020-02-03 | 2 |" in text
    assert "| SC | none |" in text
    assert "oracle)" not in text


def test_the_page_names_the_states_of_the_code_that_made_the_runs(tmp_path):
    for seed, code in enumerate(["v1-3-gabc", None, "v1-3-gabc", "0.1.0+5f"]):
        Store(tmp_path).save(outcome(keyed(seed), seed=seed, code=code))
    results = Results(tmp_path)
    text = page(results, levels_by_protocol(results), {}, "runs.parquet", "tables.md")
    said = "The state of the code that made them, as `git describe` names it, is `v1-3-gabc` (2 runs), "
    assert f"{said}`0.1.0+5f` (1 runs), not recorded (1 runs)." in " ".join(text.split())
    text = appendix(results, levels_by_protocol(results), {}, "page.md")
    assert "| code | v1-3-gabc | 2 |\n| code | 0.1.0+5f | 1 |\n| code | not recorded | 1 |" in text


def test_a_page_of_one_run_says_nothing_it_cannot_know(tmp_path):
    store = Store(tmp_path / "store")
    members = dict.fromkeys(("members_acc", "members_nmi", "members_pur", "members_ari", "members_f1"), 0.4)
    store.save(outcome(method="S3NMF", parameters='{"n_members": 20, "tau": 2.0}', n_members=20, **members))
    write_page(Results(store.directory), tmp_path / "page.md")
    text = (tmp_path / "page-tables.md").read_text(encoding="utf-8")
    assert "| S3NMF | **0.500** | **0.881 ± 0.000** |" in text
    assert "## Figures" not in text
    assert "**Ablation.**" not in text


def test_asterisks_of_data_sets_are_escaped_and_others_not():
    assert escaped("**Bold.** MNIST*, USPS*, USPST") == "**Bold.** MNIST\\*, USPS\\*, USPST"


def test_the_defaults_are_compared_with_the_text(by_hand):
    text = defaults.defaults_page(by_hand)
    assert "| SEEDS | 2 | 0.850 | 0.880 | +0.030 | 0.870 | 0.860 | -0.010 | 0.2 | 0.2 | 1.0 |" in text
    assert "| IRIS | 2 | 0.610 | 0.710 | +0.100 | 0.620 | 0.710 | +0.090 | 0.2 | 0.2 | 1.0 |" in text
    assert "| **mean** | | | | **+0.0650** | | | **+0.0400** | | | **1.0** |" in text
    assert "lower than the literal one's on 0 of 2 data sets" in text


def test_without_both_forms_there_is_nothing_to_compare(tmp_path):
    Store(tmp_path).save(outcome())
    with pytest.raises(ValueError, match=r"no runs of S3NMF and S3NMF \(text\)"):
        defaults.defaults_page(Results(tmp_path))


def test_the_levels_know_how_many_runs_they_are_of(by_hand):
    levels = levels_of(by_hand)
    assert levels["SEEDS", "SC", "ACC"].n == 2
    assert levels["SEEDS", "S3NMF (authors' starts)", "ACC"].std is None
