"""Fixtures for pytest: `trailblaze`, a client with a device of its own for each test, and `async_trailblaze`, the same for
tests that await, whichever plug-in of pytest runs those.

A test that fails keeps a picture and the text of the screen in the folder of --trailblaze-artifacts, and names them and
its session in its report. `trailblaze_step` names a step of the trail that the session becomes when it is saved.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import hashlib
import inspect
import re
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ._client import TrailblazeClient
from ._connect import NotFound, TrailblazeError
from ._sync import SyncTrailblazeClient


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("trailblaze")
    group.addoption("--trailblaze-artifacts", default="test-results", help="folder for what failed tests leave")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    report = yield
    if report.when == "call" and report.failed:
        client = getattr(item, "funcargs", {}).get("trailblaze")
        if isinstance(client, SyncTrailblazeClient):
            kept = _keep(client, item)
            report.sections.append(("trailblaze", "\n".join(kept)))
            item.user_properties += [("trailblaze", each) for each in kept]  # for JUnit's XML
    return report


def _folder(test: str) -> str:
    """The folder of a test. Where its name cannot tell all that the test's does, such as its parameters, a hash does."""
    plain = test.replace("::", "-").replace("/", "-")
    name = re.sub(r"[^\w.-]+", "-", plain).strip("-")[:120]
    return name if name == plain else f"{name}-{hashlib.sha256(test.encode()).hexdigest()[:6]}"


def _keep(client: SyncTrailblazeClient, item: pytest.Item) -> list[str]:
    """Keeps what the screen shows, and says where. A screen that cannot be read does not hide why the test failed."""
    folder = Path(item.config.getoption("--trailblaze-artifacts")) / _folder(item.nodeid)
    folder.mkdir(parents=True, exist_ok=True)
    kept: list[str] = []
    try:
        seen = client.capture_screen()
        (folder / "screen.txt").write_text(seen.get("text", ""))
        kept += [str(folder / "screen.txt"), "session " + seen.get("call", {}).get("sessionId", "")]
        for part in client.get_screenshot(format="PNG").get("call", {}).get("content", []):
            if "image" in part:
                (folder / "screen.png").write_bytes(base64.b64decode(part["image"].get("data", "")))
                kept.append(str(folder / "screen.png"))
    except (TrailblazeError, OSError) as error:
        kept.append(f"the screen could not be kept: {error}")
    return kept


@pytest.fixture
def trailblaze_device(request: pytest.FixtureRequest) -> str:
    """The id of the test's device. Tests of one name may run side by side."""
    name = re.sub(r"[^a-z0-9]+", "-", request.node.name.lower()).strip("-")[:40]
    return f"web/{name}-{uuid.uuid4().hex[:6]}"


@pytest.fixture
def trailblaze(trailblaze_device: str) -> Iterator[SyncTrailblazeClient]:
    """A client with a device of its own, which is closed after the test."""
    with SyncTrailblazeClient(device=trailblaze_device) as client, contextlib.suppress(NotFound):  # a test may open none
        yield client
        client.manage.device("DISCONNECT", device_id=trailblaze_device)


@pytest.fixture
def async_trailblaze(request: pytest.FixtureRequest, trailblaze_device: str,
                     trailblaze: SyncTrailblazeClient) -> TrailblazeClient:
    """A client for a test that awaits, on the device that `trailblaze` closes. It is no async fixture, which would be
    for one plug-in alone: the test itself ends the client's connections, in the loop that they belong to."""
    client, test = TrailblazeClient(device=trailblaze_device), request.node.obj
    if not inspect.iscoroutinefunction(test):
        pytest.fail("async_trailblaze is for tests with async def; others take trailblaze", pytrace=False)

    @functools.wraps(test)
    async def closing(*args: Any, **kwargs: Any) -> None:
        async with client:
            await test(*args, **kwargs)

    request.node.obj = closing
    return client


@pytest.fixture
def trailblaze_step(request: pytest.FixtureRequest, trailblaze: SyncTrailblazeClient) -> Callable[[str], None]:
    """Names the step that the calls after it belong to."""

    def step(text: str) -> None:
        for client in (trailblaze, request.node.funcargs.get("async_trailblaze")):
            if client is not None:
                client.intent = text

    return step
