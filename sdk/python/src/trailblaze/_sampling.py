"""Asks the model that Trailblaze was given, by MCP's sampling."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._errors import Unsupported
from ._wire import Meta


class Answer(NamedTuple):
    """What the model said."""

    content: str
    model: str


class Sampling:
    """Needs the package `mcp`, and `sampling: true` of the server in trailblaze.yaml."""

    def __init__(self, context: Any, meta: Meta) -> None:
        self._session, self._meta = getattr(context, "session", None), meta

    async def create_message(self, messages: list[dict[str, str]], *, include_screenshot: bool = False,
                             max_tokens: int = 1000, system_prompt: str | None = None) -> Answer:
        """Asks with messages `{"role": "user", "content": "…"}`, and with a picture of the screen when it is wanted."""
        if self._session is None or not self._meta.get("capabilities", {}).get("sampling"):
            raise Unsupported({"kind": "unsupported", "message": "this call may not ask the model",
                               "hint": "Write sampling: true to the server in trailblaze.yaml, and configure a model."})
        from mcp import types

        params = types.CreateMessageRequestParams.model_validate({
            "messages": [{"role": m["role"], "content": {"type": "text", "text": m["content"]}} for m in messages],
            "maxTokens": max_tokens, "systemPrompt": system_prompt, "metadata": {"include_screenshot": include_screenshot},
            "_meta": {"trailblazeInvocationId": self._meta.get("invocationId")},
        })
        result = await self._session.send_request(
            types.ServerRequest(types.CreateMessageRequest(method="sampling/createMessage", params=params)),
            types.CreateMessageResult)
        return Answer(getattr(result.content, "text", ""), result.model)
