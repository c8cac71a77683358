"""Finds the daemon, or starts it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

from ._errors import NotFound, Unavailable


def find(address: str | None = None, token: str | None = None, binary: str | None = None) -> tuple[str, str, str | None]:
    """URL, token and socket, when there is no TCP, of the daemon at an address with its token; else the way back of a tool server; else the daemon of `trailblaze`,
    which starts when none runs. TRAILBLAZE_BIN names the program when it is not in PATH."""
    if address and token:
        return (address if "://" in address else "http://" + address), token, None
    back, own = os.environ.get("TRAILBLAZE_BASE_URL"), os.environ.get("TRAILBLAZE_CALLBACK_TOKEN")
    if back and own:
        return back, own, None
    program = shutil.which(binary or os.environ.get("TRAILBLAZE_BIN") or "trailblaze")
    if program is None:
        raise NotFound({"kind": "not_found", "message": "the program trailblaze is not in PATH",
                        "hint": "Install it, or set TRAILBLAZE_BIN to the program."})
    try:
        said = subprocess.run([program, "daemon", "start", "--json"], capture_output=True, timeout=30, check=True)
        boot = json.loads(Path(json.loads(said.stdout)["boot"]).read_text())
    except subprocess.CalledProcessError as error:
        raise Unavailable({"kind": "unavailable", "message": error.stderr.decode(errors="replace").strip(),
                           "hint": "Run `trailblaze daemon serve` to see why."}) from error
    except (OSError, ValueError, KeyError, subprocess.TimeoutExpired) as error:
        raise Unavailable({"kind": "unavailable", "message": f"the daemon of {program} does not start: {error}",
                           "hint": "Run `trailblaze daemon serve` to see why."}) from error
    if boot.get("port"):
        return f"http://127.0.0.1:{boot['port']}", boot["token"], None
    return "http://trailblaze", boot["token"], boot["socket"]
