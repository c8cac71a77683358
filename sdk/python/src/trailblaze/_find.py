"""Finds the daemon, or starts it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import httpx

from ._connect import NotFound, TimedOut, TrailblazeError, Unavailable


def find(address: str | None = None, token: str | None = None, binary: str | None = None) -> tuple[str, str, str | None]:
    """URL, token and, when there is no TCP, socket: of the daemon at an address with its token; else the way back of a
    tool server; else the daemon of `trailblaze`, which starts when none runs. TRAILBLAZE_BIN names the program when it is
    not in PATH."""
    if address and token:
        return (address if "://" in address else "http://" + address), token, None
    back, own = os.environ.get("TRAILBLAZE_BASE_URL"), os.environ.get("TRAILBLAZE_CALLBACK_TOKEN")
    if back and own:
        return back, own, None
    name = binary or os.environ.get("TRAILBLAZE_BIN") or "trailblaze"
    program = shutil.which(name)
    if program is None:
        raise NotFound({"kind": "not_found", "message": f"there is no program {name}",
                        "hint": "Install it, or set TRAILBLAZE_BIN to the program."})
    try:
        said = subprocess.run([program, "daemon", "start", "--json"], capture_output=True, timeout=30, check=True)
        boot = json.loads(Path(json.loads(said.stdout)["boot"]).read_text())
    except (OSError, ValueError, KeyError, subprocess.SubprocessError) as error:
        why = getattr(error, "stderr", b"") or str(error).encode()
        raise Unavailable({"kind": "unavailable", "hint": "Run `trailblaze daemon serve` to see why.",
                           "message": f"the daemon of {program} does not start: {why.decode(errors='replace').strip()}"}) from error
    if boot.get("port"):
        return f"http://127.0.0.1:{boot['port']}", boot["token"], None
    return "http://trailblaze", boot["token"], boot["socket"]


def lost(error: Exception | str, timeout: float) -> TrailblazeError:
    """The exception of a request without an answer."""
    if isinstance(error, httpx.TimeoutException):
        return TimedOut({"kind": "timeout", "message": f"no answer within {timeout} s"})
    return Unavailable({"kind": "unavailable", "message": f"the daemon cannot be reached: {error}",
                        "hint": "See `trailblaze daemon status`. After it started again, connect anew."})
