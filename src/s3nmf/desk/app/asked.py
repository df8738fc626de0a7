"""What a request may hold, before anything looks at it: a JSON object whose fields are each of one kind."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from s3nmf.desk.app.choices import ChoiceError

LARGEST = 1_000_000
_REMEDY = "Load this page again."
_SHOWN = 40


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_text_or_null(value: Any) -> bool:
    return isinstance(value, str | None)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_list_of(kind: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(kind, value))


_KINDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    **dict.fromkeys(("visit", "again", "id", "scale"), (_is_text_or_null, "a text or null")),
    **dict.fromkeys(("what", "missing", "name"), (_is_text, "a text")),
    **dict.fromkeys(("n_clusters", "cluster"), (_is_number, "a whole number")),
    "unequal": (lambda value: isinstance(value, bool), "true or false"),
    "drop": (_is_list_of(_is_text), "a list of texts"),
    "clusters": (_is_list_of(_is_number), "a list of whole numbers"),
}


def asked_in(sent: bytes) -> dict[str, Any]:
    """The fields of a request, or a ChoiceError that says in one sentence what it should be.

    Examples
    --------
    >>> asked_in(b'{"drop": ["height"]}')
    {'drop': ['height']}
    """
    if len(sent) > LARGEST:
        raise ChoiceError(f"A request has more than {LARGEST:,} bytes. {_REMEDY}")
    try:
        asked = json.loads(sent)
    except (ValueError, RecursionError) as error:  # lists in lists in lists, without end
        raise ChoiceError(f"A request is no JSON that can be read. {_REMEDY}") from error
    if not isinstance(asked, dict):
        raise ChoiceError(f"A request must be a JSON object. {_REMEDY}")
    for name, value in asked.items():
        if name not in _KINDS:
            raise ChoiceError(f"A request has the field {name[:_SHOWN]!r}, which means nothing. {_REMEDY}")
        fits, kind = _KINDS[name]
        if not fits(value):
            raise ChoiceError(f"In a request, {name} is {json.dumps(value)[:_SHOWN]}; it must be {kind}. {_REMEDY}")
    return asked
