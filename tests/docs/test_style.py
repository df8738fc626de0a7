"""Public text is plain technical English, in the field's terms and in British spelling.

"Factorization" keeps the z that it has in the name of the method. codespell, in `make lint`, looks for misspelt words.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
SOURCES = [*sorted((ROOT / "src").rglob("*.py")), *sorted((ROOT / "examples").glob("*.py"))]
TEMPLATES = [file for kind in ("html", "js") for file in sorted((ROOT / "src").rglob(f"*.{kind}"))]

# Riddles, and words of this project's own, with what the field says instead.
BANNED = {
    r"nobody": "say what happens",
    r"somewhere": "say where",
    r"much the same": "similar",
    r"one answer": "deterministic; one partition",
    r"weighs? (clusters )?(about )?alike": "degree-normalised",
    r"last look|look at shape": "refinement by ...",
    r"likeliest": "most likely",
    r"far likelier": "much more likely",
    r"hangs? on": "depends on",
    r"is no news": "say what follows",
    r"(that|which|what) (is|are|holds) no (number|matrix|array|list|text|method|table)s?": "is not a ...",
    r"of what is no": "returns ... for anything that is not a ...",
    r"trodden": "established",
    r"to be had": "available",
    r"candid": "honest, or say what is measured",
    r"the house|the room that": "the package",
    r"a riddle|as people do": "say what is meant",
    r"stands? out": "has a real border",
    r"runs? into each other": "overlap",
    r"swallow(s|ed)?": "merged into",
    r"like sizes": "similar sizes",
    r"weighed": "weighted",
    r"likelier": "more likely",
}
AMERICAN = {
    r"neighbors?(hoods?)?": "neighbour",
    r"(un)?colou?r(ed|s|ing)?(?<!our)(?<!oured)(?<!ours)(?<!ouring)": "colour",
    r"(normal|standard|regular|minim|maxim|optim|recogn|summar|visual|initial|random)iz(e|es|ed|ing|ation)": "-ise",
    r"centers?(ed)?": "centre",
    r"behaviors?": "behaviour",
    r"analyz(e|es|ed|ing)": "analyse",
    r"gray": "grey",
}

# In docstrings and messages: doctests, values in quotes, names of parameters and of attributes, expressions.
CODE = re.compile(r"^ *(?:>>>|\.\.\. ).*$|^ *[\w, ]+ : .*$|[\"']\w+[\"']|\w*[_=.({]\w[\w.={}()\[\]'\"-]*", re.MULTILINE)


def prose_of_page(text):
    """Without code, addresses, and names of files and parameters."""
    text = re.sub(r"^```.*?^```|^:::.*?$|^---.*?^---|<!--.*?-->", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"``?[^`]+``?|\]\([^)]*\)|<[^>]+>|https?://\S+", " ", text)


def prose_of_source(text):
    """Docstrings and sentences, without code in them."""
    nodes = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
    sentences = "\n".join(one for one in nodes if isinstance(one, str) and one.count(" ") > 2)
    return prose_of_page(CODE.sub(" ", sentences))


def prose_of_template(text):
    text = re.sub(r"<style.*?</style>|\{[{%].*?[}%]\}|<[^>]+>", " ", text, flags=re.DOTALL)
    return text if "function" not in text else "\n".join(re.findall(r'"([^"\n]* [^"\n]*)"', text))


def found(prose, words):
    return sorted(
        {
            f"{match[0]!r}: write {instead}"
            for word, instead in words.items()
            for match in re.finditer(rf"(?<![\w-])(?:{word})(?![\w-])", prose, re.IGNORECASE)
        }
    )


def everything():
    for files, prose in ((PAGES, prose_of_page), (SOURCES, prose_of_source), (TEMPLATES, prose_of_template)):
        for file in files:
            yield str(file.relative_to(ROOT)), prose(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("words", [BANNED, AMERICAN], ids=["riddles", "spelling"])
def test_public_text_is_plain(words):
    wrong = {name: said for name, prose in everything() if (said := found(prose, words))}
    assert not wrong, "\n".join(f"{name}: {'; '.join(said)}" for name, said in wrong.items())


def test_the_check_sees_prose_and_not_code():
    assert found(prose_of_page("Nobody knows.\n\n```python\nnobody\n```\n`nobody` [x](nobody.md)"), BANNED) == [
        "'Nobody': write say what happens"
    ]
    assert found(
        prose_of_source('def f():\n    """Return the nearest neighbors of n_neighbors points."""'), AMERICAN
    ) == ["'neighbors': write neighbour"]
    assert found(prose_of_template('<p title="x">A color of {{ color }}</p>'), AMERICAN) == ["'color': write colour"]
    assert found("The colours of neighbours, coloured", AMERICAN) == []
