# Code generated from proto/trailblaze/v1 by sdk/gen. DO NOT EDIT.
"""What Connect's JSON says: responses, streams, and failures as exceptions, one class for each kind to act on."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypedDict

from ._commands import Failure

if TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack  # checkers of types bring it along

__tracebackhide__ = True  # of pytest


class Options(TypedDict, total=False):
    """What a client is made with, besides an address."""

    token: str | None
    binary: str | None
    device: str | None
    session: str | None
    workspace: str | None
    intent: str | None
    secrets: dict[str, str] | None
    timeout: float


class TrailblazeError(Exception):
    """A call failed. `hint` says what to do next, `kind` is the word of the API for what went wrong."""

    __module__ = "trailblaze"  # where programs have it from

    def __new__(cls, *args: Any) -> TrailblazeError:
        # The package mcp, from version 2 on, tells what a tool raised only of its own ToolError.
        told = getattr(sys.modules.get("mcp.server.mcpserver.exceptions"), "ToolError", cls)
        if not issubclass(cls, told):
            both = type(cls.__name__, (cls, told), {"__module__": cls.__module__, "__doc__": cls.__doc__})
            cls = _TOLD.setdefault(cls, both)
        return super().__new__(cls, *args)

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        self.kind = failure.get("kind", "internal")
        self.message = failure.get("message", "")
        self.hint = failure.get("hint", "")
        self.args = ("\n".join(part for part in (self.message, self.hint) if part),)

    def __reduce__(self) -> tuple[Any, tuple[Failure]]:
        return error_of, (self.failure,)  # to another process, and a copy


_TOLD: dict[type[TrailblazeError], type[TrailblazeError]] = {}


class InvalidCall(TrailblazeError, ValueError):
    """The arguments are wrong."""

    __module__ = "trailblaze"


class NotFound(TrailblazeError, LookupError):
    """There is no such element, tool, device or session."""

    __module__ = "trailblaze"


class AssertionFailed(TrailblazeError, AssertionError):
    """What was asserted does not hold."""

    __module__ = "trailblaze"


class NotActed(TrailblazeError):
    """The action was not carried out, or had no effect."""

    __module__ = "trailblaze"


class TimedOut(TrailblazeError, TimeoutError):
    """It took too long."""

    __module__ = "trailblaze"


class Canceled(TrailblazeError):
    """The call was called off."""

    __module__ = "trailblaze"


class Unavailable(TrailblazeError, ConnectionError):
    """The daemon or the device cannot be reached."""

    __module__ = "trailblaze"


class Unsupported(TrailblazeError, NotImplementedError):
    """The device cannot do it."""

    __module__ = "trailblaze"


class Conflict(TrailblazeError):
    """A name is taken, or means more than one thing."""

    __module__ = "trailblaze"


class Busy(TrailblazeError):
    """Another client acts on the device."""

    __module__ = "trailblaze"


class Denied(TrailblazeError, PermissionError):
    """A policy or a missing token forbids it."""

    __module__ = "trailblaze"


class Inconclusive(TrailblazeError):
    """The evidence is too poor to say pass or fail."""

    __module__ = "trailblaze"

_KINDS: dict[str, type[TrailblazeError]] = {
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
_CODES = {
    "invalid_argument": "invalid",
    "resource_exhausted": "invalid",
    "deadline_exceeded": "timeout",
    "unimplemented": "unsupported",
    "unauthenticated": "denied",
    "permission_denied": "denied",
}
_NESTED = [
    "trailblaze.v1.ToolService/CallTool",
]


def error_of(failure: Failure) -> TrailblazeError:
    """The exception of a failure."""
    return _KINDS.get(failure.get("kind", ""), TrailblazeError)(failure)



def no_context() -> TrailblazeError:
    return error_of({"kind": "invalid", "message": f"the call has no _meta.trailblaze with an address to call back",
                     "hint": "Call the tool through Trailblaze, or make a client without a context."})


def no_model() -> TrailblazeError:
    return error_of({"kind": "unsupported", "message": f"this call may not ask the model",
                     "hint": "Write sampling: true to the server in trailblaze.yaml, and configure a model."})


def no_program(program: object) -> TrailblazeError:
    return error_of({"kind": "not_found", "message": f"there is no program {program}",
                     "hint": "Install it, or set TRAILBLAZE_BIN to the program."})


def no_token(address: object) -> TrailblazeError:
    return error_of({"kind": "denied", "message": f"the daemon at {address} needs its token",
                     "hint": "Give it beside the address, or leave out both: the daemon of this machine is found."})


def no_start(program: object, why: object) -> TrailblazeError:
    return error_of({"kind": "unavailable", "message": f"the daemon of {program} does not start: {why}",
                     "hint": "Run `trailblaze daemon serve` to see why."})


def no_answer(limit: object) -> TrailblazeError:
    return error_of({"kind": "timeout", "message": f"no answer within {limit}",
                     "hint": "Give the client a longer time limit."})


def lost(why: object) -> TrailblazeError:
    return error_of({"kind": "unavailable", "message": f"the daemon cannot be reached: {why}",
                     "hint": "See `trailblaze daemon status`. After it started again, connect anew."})


def refused(status: int, body: Any) -> TrailblazeError:
    """The exception of a response that is no success: an error of Connect, or one of the daemon's own checks."""
    if not isinstance(body, dict):
        body = {"message": f"the daemon answered with HTTP {status}"}
    if isinstance(body.get("error"), dict):
        return error_of(body["error"])
    for detail in body.get("details", []):
        if detail.get("type") == "trailblaze.v1.Failure" and "debug" in detail:
            return error_of(detail["debug"])
    code = str(body.get("code", "internal"))
    return error_of({"kind": _CODES.get(code, code), "message": str(body.get("message", code))})


def answer_of(procedure: str, status: int, text: bytes) -> dict[str, Any]:
    """The body of a response. A failure that it tells is raised."""
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    if status != 200 or not isinstance(body, dict):
        raise refused(status, body)
    failure = (body.get("result", {}) if procedure in _NESTED else body).get("failure")
    if failure:
        raise error_of(failure)
    return body


def frame(message: dict[str, Any]) -> bytes:
    """A message as streams carry it: a byte of flags, the length, the JSON."""
    data = json.dumps(message).encode()
    return b"\0" + len(data).to_bytes(4, "big") + data


def messages(rest: bytearray, data: bytes) -> Iterator[dict[str, Any] | None]:
    """Takes the whole messages off the rest of a stream and its next bytes. None ends it; one that failed raises, as does
    the result of a call that failed."""
    rest += data
    while len(rest) >= 5 and len(rest) >= (end := 5 + int.from_bytes(rest[1:5], "big")):
        last, message = rest[0] & 2, json.loads(rest[5:end] or b"{}")
        del rest[:end]
        if last and message.get("error"):
            raise refused(200, message["error"])
        if failure := message.get("result", {}).get("result", {}).get("failure"):
            raise error_of(failure)
        yield None if last else message


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
