"""The call that a tool carries out: what came along with it, and the model that it may ask."""

from typing import Any, NamedTuple, cast

from ._commands import CallContext
from ._connect import no_context, no_model


def meta_of(ctx: Any) -> CallContext:
    """The context of a call, of what a tool has of it: Context of the official SDK or of FastMCP, its request context, or
    `_meta.trailblaze` itself. The older form, `{"deviceId", "sessionId", "platform"}`, has no address: the daemon is found."""
    request = getattr(ctx, "request_context", ctx)
    meta = getattr(request, "meta", request)
    meta = meta.model_dump() if hasattr(meta, "model_dump") else meta
    if isinstance(meta, dict):
        for found in (meta, meta.get("trailblaze"), meta.get("_trailblaze")):
            if isinstance(found, dict) and found.get("baseUrl"):
                return cast(CallContext, found)
            if isinstance(found, dict) and found.get("deviceId"):
                device = {"id": found["deviceId"], "platform": found.get("platform", "web")}
                return cast(CallContext, {"device": device, "sessionId": found.get("sessionId")})
    raise no_context()


Answer = NamedTuple("Answer", [("content", str), ("model", str)])  # of the model


class Sampling:
    """Asks the model by MCP's sampling. Needs the package `mcp`, and `sampling: true` of the server in trailblaze.yaml."""

    def __init__(self, context: Any, meta: CallContext) -> None:
        self._session, self._meta = getattr(context, "session", None), meta

    async def create_message(self, messages: list[dict[str, str]], *, include_screenshot: bool = False,
                             max_tokens: int = 1000, system_prompt: str | None = None) -> Answer:
        """Asks with messages `{"role": "user", "content": "…"}`, and with a picture of the screen when it is wanted."""
        if self._session is None or not self._meta.get("capabilities", {}).get("sampling"):
            raise no_model()
        from mcp import types

        request: Any = types.CreateMessageRequest.model_validate({"method": "sampling/createMessage", "params": {
            "messages": [{"role": m["role"], "content": {"type": "text", "text": m["content"]}} for m in messages],
            "maxTokens": max_tokens, "systemPrompt": system_prompt, "metadata": {"include_screenshot": include_screenshot},
            "_meta": {"trailblazeInvocationId": self._meta.get("invocationId")},
        }})
        if isinstance(types.ServerRequest, type):  # version 1 of the package wraps requests
            request = types.ServerRequest(request)
        result = await self._session.send_request(request, types.CreateMessageResult)
        return Answer(getattr(result.content, "text", ""), result.model)
