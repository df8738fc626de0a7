"""Messages that name parameters: Python spells one n_neighbors=5, the command line --neighbors 5.

A `Message` is a text in Python's spelling, and whoever shows it to somebody who typed something else spells its
parameters anew. It may be what any exception or warning says, and a part of another message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple, Self, TypeAlias

from s3nmf._words import begun, shortened


class Parameter(NamedTuple):
    """A parameter, by its name in Python, and the value it has or should have; None if only its name is meant.

    Examples
    --------
    >>> print(Parameter("id"), Parameter("id", "name"), Parameter("drop", ["a", "b"]))
    id id='name' drop=['a', 'b']
    """

    name: str
    value: Any = None

    def __str__(self) -> str:
        if self.value is None:
            return self.name
        if isinstance(self.value, list):
            return f"{self.name}=[{begun(shortened(repr(value)) for value in self.value)}]"
        return f"{self.name}={shortened(repr(self.value))}"


Spelling: TypeAlias = Callable[[Parameter], str]


class Message(str):
    """A text that names parameters: `Message(template, *parts, **named)` is `template.format(*parts, **named)`.

    Parts that are parameters, or messages, are spelled anew by `spelled`; all other parts stay what they are.

    Examples
    --------
    >>> message = Message("{k} is too many: {n} points.", k=Parameter("n_clusters", 9), n=7)
    >>> print(message)
    n_clusters=9 is too many: 7 points.
    >>> print(message.spelled(lambda parameter: f"-k {parameter.value}"))
    -k 9 is too many: 7 points.
    """

    _template: str
    _parts: tuple[Any, ...]
    _named: dict[str, Any]

    def __new__(cls, template: str, /, *parts: Any, **named: Any) -> Self:
        message = super().__new__(cls, template.format(*parts, **named))
        message._template, message._parts, message._named = template, parts, named
        return message

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self._template, *self._parts, **self._named), ()

    def spelled(self, spelling: Spelling) -> str:
        """The text with every parameter in another spelling."""
        parts = [_spelled(part, spelling) for part in self._parts]
        named = {name: _spelled(part, spelling) for name, part in self._named.items()}
        return self._template.format(*parts, **named)


def spelled(said: str | BaseException, spelling: Spelling) -> str:
    """What a text, an error or a warning says, with its parameters in this spelling if it names any."""
    text = said.args[0] if isinstance(said, BaseException) and len(said.args) == 1 else said
    return text.spelled(spelling) if isinstance(text, Message) else str(said)


def joined(texts: Iterable[str]) -> Message:
    """Sentences one after the other."""
    parts = list(texts)
    return Message(" ".join(["{}"] * len(parts)), *parts)


def _spelled(part: Any, spelling: Spelling) -> Any:
    if isinstance(part, Parameter):
        return spelling(part)
    return part.spelled(spelling) if isinstance(part, Message) else part
