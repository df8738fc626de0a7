"""The page's own policy: what the page does not use is forbidden to whatever gets into it."""

import re
from base64 import b64encode
from hashlib import sha256

import pytest

from browser import DESKTOP

pytest.importorskip("jinja2", reason="needs jinja2: pip install 's3nmf[report]'")

# A promise, which the browser waits for: polling would evaluate text, and that is forbidden, too.
LISTEN = """() => {
    const refused = new Promise((done) => {
        addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective), { once: true });
    });
    window.refused = Promise.race([refused, new Promise((done) => setTimeout(() => done("nothing"), 20000))]);
}"""
BREACHES = {
    "style-src-attr": "document.body.setAttribute('style', 'color: red')",
    "style-src-elem": "document.head.append(Object.assign(document.createElement('style'), {textContent: 'a {}'}))",
    "img-src": "new Image().src = 'http://localhost:9/x.png'",
    "connect-src": "fetch('http://localhost:9/').catch(() => 0)",
    "frame-src": "document.body.append(Object.assign(document.createElement('iframe'), {src: 'http://localhost:9/'}))",
    "form-action": "document.body.append(Object.assign(document.createElement('form'), {action: 'http://localhost:9/'}));"
    "document.forms[0].submit()",
    "base-uri": "document.head.append(Object.assign(document.createElement('base'), {href: 'http://localhost:9/'}))",
    "require-trusted-types-for": "try { document.body.innerHTML = '<b>' } catch { 0 }",
}


@pytest.mark.parametrize("directive", BREACHES)
def test_the_policy_forbids_what_the_page_does_not_use(new_context, written, directive):
    context = new_context(viewport=DESKTOP)
    page = context.new_page()
    page.goto(written.as_uri())
    page.evaluate(LISTEN)
    page.evaluate(f"() => {{ {BREACHES[directive]} }}")
    refused = page.evaluate("() => window.refused")
    assert refused.startswith(directive.removesuffix("-attr").removesuffix("-elem"))
    context.close()


def test_only_the_script_and_the_style_of_the_page_may_run(written):
    page = written.read_text(encoding="utf-8")
    policy = dict(part.split(" ", 1) for part in re.search('Policy" content="([^"]*)"', page)[1].split("; "))
    for tag in ("script", "style"):
        (text,) = re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert policy[f"{tag}-src"] == f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
    assert policy["default-src"] == "'none'"
