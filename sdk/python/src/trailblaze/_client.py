"""The client: generated commands over Connect's JSON. `make proto` makes _sync.py of this file, without `await`."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import AsyncIterator
from typing import Any

import httpx

from . import _commands as api, _connect as wire
from ._context import Sampling, meta_of
from ._find import find
from ._locators import AsyncFinders

__tracebackhide__ = True  # pytest shows where a test calls, and not what is called here


class TrailblazeClient(AsyncFinders):
    """Drives a device. `web`, `mobile` and `desktop` are None when the device has no such backend."""

    def __init__(self, address: str | None = None, *, token: str | None = None, binary: str | None = None,
                 device: str | None = None, session: str | None = None, workspace: str | None = None, intent: str | None = None,
                 secrets: dict[str, str] | None = None, timeout: float = 120, context: Any = None) -> None:
        super().__init__(self._send, self._receive)
        self.meta: api.CallContext = meta_of(context) if context is not None else {}
        self.platform = self.meta.get("device", {}).get("platform", "web").lower()
        self.sampling = Sampling(context, self.meta)  # asks the model that Trailblaze was given
        self.intent = intent  # why the calls are made: the step that they belong to in a recording
        self.timeout, self._at, self._session = timeout, (address, token, binary), session or self.meta.get("sessionId")
        called = self.meta.get("baseUrl") is not None  # in a call; an older context names a device of the daemon
        if self.meta and not called:
            device = device or self.meta.get("device", {}).get("id")
        self._usual = api.given(device_id=device, session_id=self._session)
        own = "tb_" + base64.b32encode(os.urandom(17)).decode().lower()[:26]  # a client of its own, with a device of its own
        workspace = workspace if called else os.path.abspath(workspace or "")
        self._options = api.given(client="python", clientId=None if called else own, workspace=workspace, secrets=secrets,
                                  invocationId=self.meta.get("invocationId"))
        self._client: httpx.AsyncClient | None = None
        self._context = context

    @classmethod
    async def connect(cls, address: str | None = None, **options: wire.Unpack[wire.Options]) -> TrailblazeClient:
        """Finds the daemon, or starts it, and learns what the device is."""
        client = cls(address, **options)
        client.platform = (await client.tools.get_backends()).get("platform", "web")
        return client

    @classmethod
    def from_context(cls, ctx: Any, **options: wire.Unpack[wire.Options]) -> TrailblazeClient:
        """The client of the call that a tool carries out: it acts in its session, on its device."""
        return cls(context={} if ctx is None else ctx, **options)

    def on(self, actor: str, platform: str | None = None) -> TrailblazeClient:
        """The device of another actor of the trail that is played; platform is that of the call's own device, unless it is given."""
        if not self.meta.get("invocationId"):
            raise wire.no_context()
        other = TrailblazeClient(context=self._context, intent=self.intent, timeout=self.timeout)
        other._options = {**self._options, "invocationId": f"{self.meta.get('invocationId')}@{actor}"}
        other.platform, other._client = platform or self.platform, self._http()
        return other

    async def call_tool(self, name: str, /, **args: Any) -> Any:
        """Calls any tool by its name, and gives its value, or its text when it has none."""
        response = await self.tools.call_tool(name, args_json=json.dumps(args))
        result, parts = response.get("result", {}), response.get("call", {}).get("content", [])
        if "valueJson" in result:
            return json.loads(result["valueJson"])
        return result.get("value", "\n".join(part["text"] for part in parts if part.get("text")))

    async def events(self, session: str | None = None, *, after: int | str = 0, follow: bool = True) -> AsyncIterator[api.Event]:
        """The events of a session in order, each once, until it ends. A connection that is lost is made anew."""
        came = True
        while True:
            try:
                events = self.sessions.watch_events(session or self._session or "", after=str(after), no_follow=not follow)
                async for message in events:
                    after, came = message["event"]["seq"], True
                    yield message["event"]
                return
            except wire.Unavailable:
                if not came:
                    raise
            came = False  # a second loss without an event between them is an error
            await self.close()

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def _http(self) -> httpx.AsyncClient:
        if self._client is None:
            url, token, socket = (self.meta["baseUrl"], None, None) if self.meta.get("baseUrl") else find(*self._at)
            self._client = httpx.AsyncClient(
                base_url=url, headers=api.given(authorization=token and "Bearer " + token), timeout=self.timeout + 5,
                trust_env=False, transport=httpx.AsyncHTTPTransport(uds=socket) if socket else None)
        return self._client

    def _filled(self, args: dict[str, Any]) -> dict[str, Any]:
        return {**self._usual, "options": {**self._options, **api.given(intent=self.intent)}, **args}

    async def _send(self, procedure: str, args: dict[str, Any]) -> dict[str, Any]:
        body = self._filled(args)
        headers = {"Connect-Protocol-Version": "1", "Connect-Timeout-Ms": str(int(self.timeout * 1000))}
        try:
            response = await self._http().post("/" + procedure, json=body, headers=headers)
        except httpx.TimeoutException as error:
            raise wire.no_answer(f"{self.timeout} s") from error
        except httpx.HTTPError as error:
            raise wire.lost(error) from error
        return wire.answer_of(procedure, response.status_code, response.content)

    async def _receive(self, procedure: str, args: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        rest, headers = bytearray(), {"Content-Type": "application/connect+json"}
        if "call" in args:
            args = {"call": self._filled(args["call"])}
        try:
            async with self._http().stream("POST", "/" + procedure, content=wire.frame(args), headers=headers,
                                           timeout=None) as response:
                if response.status_code != 200:
                    wire.answer_of(procedure, response.status_code, await response.aread())
                async for data in response.aiter_raw():
                    for message in wire.messages(rest, data):
                        if message is None:
                            return
                        yield message
        except httpx.HTTPError as error:
            raise wire.lost(error) from error
        raise wire.lost("the stream was cut off")
