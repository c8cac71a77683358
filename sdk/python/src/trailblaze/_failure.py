"""The exception that all others are one of."""

from __future__ import annotations

from ._commands import Failure


class TrailblazeError(Exception):
    """A call failed. `hint` says what to do next, `kind` is the word of the API for what went wrong."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        self.kind = failure.get("kind", "internal")
        self.message = failure.get("message", "")
        self.hint = failure.get("hint", "")
        super().__init__("\n".join(part for part in (self.message, self.hint) if part))
