# Code generated from proto/trailblaze/v1 by sdk/gen. DO NOT EDIT.
"""Failures as exceptions, one class for each kind that a caller can act on."""

from __future__ import annotations

from ._failure import TrailblazeError


class InvalidCall(TrailblazeError, ValueError):
    """The arguments are wrong."""


class NotFound(TrailblazeError, LookupError):
    """There is no such element, tool, device or session."""


class AssertionFailed(TrailblazeError, AssertionError):
    """What was asserted does not hold."""


class NotActed(TrailblazeError):
    """The action was not carried out, or had no effect."""


class TimedOut(TrailblazeError, TimeoutError):
    """It took too long."""


class Canceled(TrailblazeError):
    """The call was called off."""


class Unavailable(TrailblazeError, ConnectionError):
    """The daemon or the device cannot be reached."""


class Unsupported(TrailblazeError, NotImplementedError):
    """The device cannot do it."""


class Conflict(TrailblazeError):
    """A name is taken, or means more than one thing."""


class Busy(TrailblazeError):
    """Another client acts on the device."""


class Denied(TrailblazeError, PermissionError):
    """A policy or a missing token forbids it."""


class Inconclusive(TrailblazeError):
    """The evidence is too poor to say pass or fail."""


KINDS: dict[str, type[TrailblazeError]] = {
    "invalid": InvalidCall,
    "not_found": NotFound,
    "assertion": AssertionFailed,
    "not_acted": NotActed,
    "timeout": TimedOut,
    "canceled": Canceled,
    "unavailable": Unavailable,
    "unsupported": Unsupported,
    "conflict": Conflict,
    "busy": Busy,
    "denied": Denied,
    "inconclusive": Inconclusive,
}
CODES = {
    "invalid_argument": "invalid",
    "deadline_exceeded": "timeout",
    "unimplemented": "unsupported",
    "unauthenticated": "denied",
    "permission_denied": "denied",
}
__all__ = [
    "TrailblazeError",
    "InvalidCall",
    "NotFound",
    "AssertionFailed",
    "NotActed",
    "TimedOut",
    "Canceled",
    "Unavailable",
    "Unsupported",
    "Conflict",
    "Busy",
    "Denied",
    "Inconclusive",
]
