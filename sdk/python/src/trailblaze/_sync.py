# Code generated from _client.py by sdk/gen. DO NOT EDIT.
"""The client without `await`: generated commands over Connect's JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx

from . import _commands as api
from ._find import find
from ._wire import BACKENDS, CALL_TOOL, WATCH, Frames, Meta, answer_of, frame, given, meta_of, unreachable, value_of


class SyncTrailblazeClient(api.Device):
    """Drives a device. `web`, `mobile` and `desktop` are None when the device has no such backend."""

    def __init__(self, address: str | None = None, *, token: str | None = None, binary: str | None = None,
                 device: str | None = None, session: str | None = None, workspace: str | None = None,
                 intent: str | None = None, secrets: dict[str, str] | None = None, timeout: float = 120,
                 context: Any = None) -> None:
        super().__init__(self._send)
        self.meta: Meta = meta_of(context) if context is not None else {}
        self.platform: str = self.meta.get("device", {}).get("platform", "web").lower()
        self.intent = intent  # why the calls are made: the step that they belong to in a recording
        self.timeout = timeout
        self._context, self._at = context, (address, token, binary)
        self._device, self._session = device, session or self.meta.get("sessionId")
        self._options = given(client="python", workspace=workspace, secrets=secrets,
                              invocationId=self.meta.get("invocationId"))
        self._client: httpx.Client | None = None

    @classmethod
    def connect(cls, address: str | None = None, **options: Any) -> SyncTrailblazeClient:
        """Finds the daemon, or starts it, and learns what the device is."""
        client = cls(address, **options)
        client.platform = (client._send(BACKENDS, {})).get("platform", "web")
        return client

    @classmethod
    def from_context(cls, ctx: Any, **options: Any) -> SyncTrailblazeClient:
        """The client of the call that a tool carries out: it acts in its session, on its device."""
        return cls(context=ctx, **options)

    def call_tool(self, name: str, /, **args: Any) -> Any:
        """Calls any tool by its name, and gives its value, or its text when it has none."""
        return value_of(self._send(CALL_TOOL, {"name": name, "argsJson": json.dumps(args)}))

    def events(self, session: str | None = None, *, after: int = 0, follow: bool = True) -> Iterator[api.Event]:
        """The events of a session in order, each once, until it ends. A connection that is lost is made anew."""
        came = True
        while True:
            frames, body = Frames(), {"session_id": session or self._session, "after": after, "no_follow": not follow}
            try:
                with self._http().stream("POST", "/" + WATCH, content=frame(body), timeout=None,
                                               headers={"Content-Type": "application/connect+json"}) as response:
                    if response.status_code != 200:
                        response.read()
                        answer_of(WATCH, response)
                    for data in response.iter_raw():
                        for message in frames.feed(data):
                            event: api.Event = message["event"]
                            after, came = int(event["seq"]), True
                            yield event
                if frames.ended:
                    return
            except httpx.TransportError as error:
                if not came:
                    raise unreachable(error, self.timeout) from error
            came = False  # a second loss without an event between them is an error
            self.close()

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def __enter__(self) -> SyncTrailblazeClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _http(self) -> httpx.Client:
        if self._client is None:
            url, token, socket = (self.meta["baseUrl"], "", None) if self.meta else find(*self._at)
            transport = httpx.HTTPTransport(uds=socket) if socket else None
            headers = {"Connect-Protocol-Version": "1", **({"Authorization": "Bearer " + token} if token else {})}
            self._client = httpx.Client(base_url=url, headers=headers, timeout=self.timeout + 5, trust_env=False,
                                             transport=transport)
        return self._client

    def _send(self, procedure: str, args: dict[str, Any]) -> dict[str, Any]:
        fixed = given(device_id=self._device, session_id=self._session, options={**self._options, **given(intent=self.intent)})
        headers = {"Connect-Timeout-Ms": str(int(self.timeout * 1000))}
        try:
            response = self._http().post("/" + procedure, json={**fixed, **args}, headers=headers)
        except httpx.HTTPError as error:
            raise unreachable(error, self.timeout) from error
        return answer_of(procedure, response)
