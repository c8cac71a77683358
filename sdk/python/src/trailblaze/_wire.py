"""What the clients with and without `await` share: Connect's JSON, and the context of a call."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypedDict, cast

import httpx

from ._commands import Failure
from ._errors import CODES, KINDS, InvalidCall, TimedOut, TrailblazeError, Unavailable

CALL_TOOL = "trailblaze.v1.ToolService/CallTool"
BACKENDS = "trailblaze.v1.ToolService/GetBackends"
WATCH = "trailblaze.v1.SessionService/WatchEvents"


class Meta(TypedDict, total=False):
    """What Trailblaze sends along with the call of a tool, in `_meta.trailblaze`."""

    baseUrl: str
    sessionId: str
    invocationId: str
    device: dict[str, Any]
    memory: dict[str, Any]
    target: dict[str, Any]
    capabilities: dict[str, bool]


def meta_of(ctx: Any) -> Meta:
    """The context of a call, of what a tool has of it: FastMCP's Context, the request context of the official SDK, or
    `_meta.trailblaze` itself."""
    request = getattr(ctx, "request_context", ctx)
    meta = getattr(request, "meta", request)
    if hasattr(meta, "model_dump"):
        meta = meta.model_dump()
    if isinstance(meta, dict):
        for found in (meta, meta.get("trailblaze"), meta.get("_trailblaze")):
            if isinstance(found, dict) and found.get("baseUrl"):
                return cast(Meta, found)
    raise InvalidCall({"kind": "invalid", "message": "the call has no _meta.trailblaze with an address to call back",
                       "hint": "Call the tool through Trailblaze, or use TrailblazeClient.connect()."})


def given(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}


def error_of(failure: Failure) -> TrailblazeError:
    """The exception of a failure."""
    return KINDS.get(failure.get("kind", ""), TrailblazeError)(failure)


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
    return error_of({"kind": CODES.get(code, code), "message": str(body.get("message", code))})


def answer_of(procedure: str, response: httpx.Response) -> dict[str, Any]:
    """The body of a response. A failure that it tells is raised."""
    try:
        body = response.json()
    except ValueError:
        body = None
    if response.status_code != 200 or not isinstance(body, dict):
        raise refused(response.status_code, body)
    outcome = body.get("result", {}) if procedure == CALL_TOOL else body
    if outcome.get("failure"):
        raise error_of(outcome["failure"])
    return body


def value_of(response: dict[str, Any]) -> Any:
    """What a tool gave: its value, or the text for people when it has none."""
    result = response.get("result", {})
    if "valueJson" in result:
        return json.loads(result["valueJson"])
    if "value" in result:
        return result["value"]
    texts = (part.get("text", "") for part in response.get("call", {}).get("content", []))
    return "\n".join(text for text in texts if text)


def unreachable(error: httpx.HTTPError, timeout: float) -> Exception:
    if isinstance(error, httpx.TimeoutException):
        return TimedOut({"kind": "timeout", "message": f"no answer within {timeout} s"})
    return Unavailable({"kind": "unavailable", "message": f"the daemon cannot be reached: {error}",
                        "hint": "See `trailblaze daemon status`. After it started again, connect anew."})


def frame(message: dict[str, Any]) -> bytes:
    """A message as Connect's streams carry it: a byte of flags, the length, the JSON."""
    data = json.dumps(message).encode()
    return b"\0" + len(data).to_bytes(4, "big") + data


class Frames:
    """Cuts the messages of a stream out of its bytes. The last one ends it, and is an error when the stream failed."""

    def __init__(self) -> None:
        self._rest = b""
        self.ended = False

    def feed(self, data: bytes) -> Iterator[dict[str, Any]]:
        self._rest += data
        while len(self._rest) >= 5 and len(self._rest) >= (end := 5 + int.from_bytes(self._rest[1:5], "big")):
            last, message = self._rest[0] & 2, json.loads(self._rest[5:end] or b"{}")
            self._rest = self._rest[end:]
            if last:
                self.ended = True
                if message.get("error"):
                    raise refused(200, message["error"])
            else:
                yield message
