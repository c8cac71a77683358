"""Finds the daemon, or starts it."""

import json
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

from ._connect import no_program, no_start, no_token


def find(address: str | None = None, token: str | None = None, binary: str | None = None) -> tuple[str, str, str | None]:
    """URL, token and, when there is no TCP, socket: of the daemon at an address with its token; else the way back of a
    tool server; else the daemon of `trailblaze`, which starts when none runs, and which an address without its token has to
    be of. The program is the one that TRAILBLAZE_BIN names, that of the package trailblaze-cli beside this Python, or the
    one in PATH."""
    if address and token:
        return (address if "://" in address else "http://" + address), token, None
    back, own = os.environ.get("TRAILBLAZE_BASE_URL"), os.environ.get("TRAILBLAZE_CALLBACK_TOKEN")
    if back and own:
        return back, own, None
    name = binary or os.environ.get("TRAILBLAZE_BIN")
    program = shutil.which(name) if name else shutil.which("trailblaze", path=sysconfig.get_path("scripts")) or shutil.which("trailblaze")
    if program is None:
        raise no_program(name or "trailblaze")
    try:
        said = subprocess.run([program, "daemon", "start", "--json"], capture_output=True, timeout=30, check=True)
        boot = json.loads(Path(json.loads(said.stdout)["boot"]).read_text())
    except (OSError, ValueError, KeyError, subprocess.SubprocessError) as error:
        raise no_start(program, (getattr(error, "stderr", b"") or str(error).encode()).decode(errors="replace").strip()) from error
    port, token = boot.get("port"), boot["token"]
    if address and not address.endswith(f":{port}"):
        raise no_token(address)
    return (f"http://127.0.0.1:{port}", token, None) if port else ("http://trailblaze", token, boot["socket"])
