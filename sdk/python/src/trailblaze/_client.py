"""The client: generated commands over Connect's JSON."""

from __future__ import annotations

from typing import Any, TypedDict, cast

import httpx

from . import _commands as api
from ._errors import InvalidCall, Unavailable, TimedOut, error_of, refused
from ._find import Place, find


class Meta(TypedDict, total=False):
    """What Trailblaze sends along with the call of a tool, in `_meta.trailblaze`."""

    baseUrl: str
    sessionId: str
    invocationId: str
    device: dict[str, Any]
    memory: dict[str, Any]
    target: dict[str, Any]
    capabilities: dict[str, bool]


def _meta_of(ctx: Any) -> Meta:
    """The context of the call that a tool carries out: of FastMCP's Context, or of the request context of the official
    SDK."""
    request = getattr(ctx, "request_context", ctx)
    meta = getattr(request, "meta", None)
    if meta is not None and hasattr(meta, "model_dump"):
        meta = meta.model_dump()
    for name in ("trailblaze", "_trailblaze"):
        if isinstance(meta, dict) and isinstance(meta.get(name), dict) and meta[name].get("baseUrl"):
            return cast(Meta, meta[name])
    raise InvalidCall({"kind": "invalid", "message": "the call has no _meta.trailblaze with an address to call back",
                       "hint": "Call the tool through Trailblaze, or use TrailblazeClient.connect()."})


class _Base:
    """What the clients with and without `await` share."""

    def __init__(self, address: str | None = None, *, token: str | None = None, binary: str | None = None,
                 device: str | None = None, session: str | None = None, workspace: str | None = None,
                 timeout: float = 120, meta: Meta | None = None) -> None:
        self.meta: Meta = meta or {}
        self.platform: str = self.meta.get("device", {}).get("platform", "web").lower()
        self._address, self._token, self._binary, self._timeout = address, token, binary, timeout
        options = {"client": "python", "workspace": workspace, "invocationId": self.meta.get("invocationId")}
        self._fixed: dict[str, Any] = {
            "device_id": device, "session_id": session or self.meta.get("sessionId"),
            "options": {name: value for name, value in options.items() if value},
        }
        self._fixed = {name: value for name, value in self._fixed.items() if value}

    def _place(self) -> Place:
        if self.meta.get("baseUrl"):
            return Place(self.meta["baseUrl"])
        return find(self._address, self._token, self._binary)

    def _request(self, procedure: str, args: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        return "/" + procedure, {**self._fixed, **args}

    def _answer(self, procedure: str, response: httpx.Response) -> dict[str, Any]:
        try:
            body = response.json()
        except ValueError:
            body = None
        if response.status_code != 200 or not isinstance(body, dict):
            raise refused(response.status_code, body)
        outcome = body.get("result", {}) if procedure == _call_tool else body
        if outcome.get("failure"):
            raise error_of(outcome["failure"])
        return body

    def _failed(self, error: httpx.HTTPError) -> Exception:
        if isinstance(error, httpx.TimeoutException):
            return TimedOut({"kind": "timeout", "message": f"no answer within {self._timeout} s"})
        return Unavailable({"kind": "unavailable", "message": f"the daemon cannot be reached: {error}",
                            "hint": "See `trailblaze daemon status`. After it started again, connect anew."})

    def _http(self, place: Place) -> dict[str, Any]:
        headers = {"Connect-Protocol-Version": "1", "Connect-Timeout-Ms": str(int(self._timeout * 1000))}
        if place.token:
            headers["Authorization"] = "Bearer " + place.token
        return {"base_url": place.url, "headers": headers, "timeout": self._timeout + 5, "trust_env": False}


_call_tool = "trailblaze.v1.ToolService/CallTool"
_backends = "trailblaze.v1.ToolService/GetBackends"


def _value(response: dict[str, Any]) -> Any:
    """What a tool gave: its value, or the text for people when it has none."""
    result = response.get("result", {})
    if "value" in result:
        return result["value"]
    return "".join(part.get("text", "") for part in response.get("call", {}).get("content", []))


class TrailblazeClient(_Base, api.AsyncTrailblazeCommands):
    """Drives a device. `web`, `mobile` and `desktop` are None when the device has no such backend."""

    def __init__(self, address: str | None = None, **options: Any) -> None:
        _Base.__init__(self, address, **options)
        api.AsyncTrailblazeCommands.__init__(self, self._send)
        self._client: httpx.AsyncClient | None = None
        self.manage = api.AsyncManagementCommands(self._send)

    @classmethod
    async def connect(cls, address: str | None = None, **options: Any) -> TrailblazeClient:
        """Finds the daemon, or starts it, and learns what the device is."""
        client = cls(address, **options)
        client.platform = (await client._send(_backends, {})).get("platform", "web")
        return client

    @classmethod
    def from_context(cls, ctx: Any, **options: Any) -> TrailblazeClient:
        """The client of the call that a tool carries out: it acts in its session, on its device."""
        return cls(meta=_meta_of(ctx), **options)

    @property
    def web(self) -> api.AsyncWebCommands | None:
        return api.AsyncWebCommands(self._send) if self.platform == "web" else None

    @property
    def mobile(self) -> api.AsyncMobileCommands | None:
        return api.AsyncMobileCommands(self._send) if self.platform in ("android", "ios") else None

    @property
    def desktop(self) -> api.AsyncDesktopCommands | None:
        return api.AsyncDesktopCommands(self._send) if self.platform == "desktop" else None

    async def call_tool(self, name: str, **args: Any) -> Any:
        """Calls any tool by its name, and gives its value, or its text when it has none."""
        return _value(await self._send(_call_tool, {"name": name, "args": args}))

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def __aenter__(self) -> TrailblazeClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _send(self, procedure: str, args: dict[str, Any]) -> dict[str, Any]:
        if self._client is None:
            place = self._place()
            transport = httpx.AsyncHTTPTransport(uds=place.socket) if place.socket else None
            self._client = httpx.AsyncClient(transport=transport, **self._http(place))
        url, body = self._request(procedure, args)
        try:
            return self._answer(procedure, await self._client.post(url, json=body))
        except httpx.HTTPError as error:
            raise self._failed(error) from error


class SyncTrailblazeClient(_Base, api.TrailblazeCommands):
    """The same as TrailblazeClient, without `await`."""

    def __init__(self, address: str | None = None, **options: Any) -> None:
        _Base.__init__(self, address, **options)
        api.TrailblazeCommands.__init__(self, self._send)
        self._client: httpx.Client | None = None
        self.manage = api.ManagementCommands(self._send)

    @classmethod
    def connect(cls, address: str | None = None, **options: Any) -> SyncTrailblazeClient:
        """Finds the daemon, or starts it, and learns what the device is."""
        client = cls(address, **options)
        client.platform = client._send(_backends, {}).get("platform", "web")
        return client

    @classmethod
    def from_context(cls, ctx: Any, **options: Any) -> SyncTrailblazeClient:
        """The client of the call that a tool carries out: it acts in its session, on its device."""
        return cls(meta=_meta_of(ctx), **options)

    @property
    def web(self) -> api.WebCommands | None:
        return api.WebCommands(self._send) if self.platform == "web" else None

    @property
    def mobile(self) -> api.MobileCommands | None:
        return api.MobileCommands(self._send) if self.platform in ("android", "ios") else None

    @property
    def desktop(self) -> api.DesktopCommands | None:
        return api.DesktopCommands(self._send) if self.platform == "desktop" else None

    def call_tool(self, name: str, **args: Any) -> Any:
        """Calls any tool by its name, and gives its value, or its text when it has none."""
        return _value(self._send(_call_tool, {"name": name, "args": args}))

    def close(self) -> None:
        if self._client is not None:
            self._client.close()

    def __enter__(self) -> SyncTrailblazeClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, procedure: str, args: dict[str, Any]) -> dict[str, Any]:
        if self._client is None:
            place = self._place()
            transport = httpx.HTTPTransport(uds=place.socket) if place.socket else None
            self._client = httpx.Client(transport=transport, **self._http(place))
        url, body = self._request(procedure, args)
        try:
            return self._answer(procedure, self._client.post(url, json=body))
        except httpx.HTTPError as error:
            raise self._failed(error) from error
