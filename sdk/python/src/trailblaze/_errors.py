"""Failures as exceptions, one class for each kind that a caller can act on."""

from __future__ import annotations

from typing import Any, cast

from ._commands import Failure


class TrailblazeError(Exception):
    """A call failed. `hint` says what to do next, `kind` is the word of the API for what went wrong."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        self.kind = failure.get("kind", "internal")
        self.message = failure.get("message", "")
        self.hint = failure.get("hint", "")
        super().__init__("\n".join(part for part in (self.message, self.hint) if part))


class AssertionFailed(TrailblazeError, AssertionError):
    """What was asserted does not hold."""


class NotFound(TrailblazeError, LookupError):
    """There is no such element, tool, device or session."""


class NotActed(TrailblazeError):
    """The action was not carried out."""


class TimedOut(TrailblazeError, TimeoutError):
    """It took too long."""


class Canceled(TrailblazeError):
    """The call was called off."""


class InvalidCall(TrailblazeError, ValueError):
    """The arguments are wrong."""


class Unavailable(TrailblazeError, ConnectionError):
    """The daemon or the device cannot be reached."""


class Unsupported(TrailblazeError, NotImplementedError):
    """The device cannot do it."""


class Busy(TrailblazeError):
    """Another client acts on the device."""


class Denied(TrailblazeError, PermissionError):
    """A policy or a missing token forbids it."""


_kinds: dict[str, type[TrailblazeError]] = {
    "assertion": AssertionFailed, "not_found": NotFound, "not_acted": NotActed, "timeout": TimedOut,
    "canceled": Canceled, "invalid": InvalidCall, "unavailable": Unavailable, "unsupported": Unsupported,
    "busy": Busy, "denied": Denied,
}
_codes = {
    "deadline_exceeded": "timeout", "unauthenticated": "denied", "permission_denied": "denied",
    "unimplemented": "unsupported", "invalid_argument": "invalid",
}


def error_of(failure: Failure) -> TrailblazeError:
    """The exception of a failure."""
    return _kinds.get(failure.get("kind", ""), TrailblazeError)(failure)


def refused(status: int, body: Any) -> TrailblazeError:
    """The exception of a response that is no success: an error of Connect, or one of the daemon's own checks."""
    if not isinstance(body, dict):
        body = {"message": f"the daemon answered with HTTP {status}"}
    if isinstance(body.get("error"), dict):
        return error_of(cast(Failure, body["error"]))
    for detail in body.get("details", []):
        if detail.get("type") == "trailblaze.v1.Failure" and "debug" in detail:
            return error_of(cast(Failure, detail["debug"]))
    code = str(body.get("code", "internal"))
    return error_of({"kind": _codes.get(code, code), "message": str(body.get("message", code))})
