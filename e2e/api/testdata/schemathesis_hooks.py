"""What schemathesis cannot know of the API, so that its requests come as far as the tools."""

import os
from typing import Any

import schemathesis


@schemathesis.hook
def filter_body(ctx: Any, body: Any) -> bool:
    """A null is as if the argument was left out, whatever its type is."""
    if isinstance(body, (dict, list)):
        return all(filter_body(ctx, each) for each in (body.values() if isinstance(body, dict) else body))
    return body is not None


@schemathesis.hook
def before_call(ctx: Any, case: Any, kwargs: Any) -> None:
    """Requests that should be taken are of one project, on its client's device. Selectors have a language of their own
    (docs/selectors.md), models are those that are configured, and nobody waits for long."""
    if not case.meta.generation.mode.is_positive:
        return
    case.query = {"workspace": os.getcwd(), "client": "schemathesis"}
    if not isinstance(case.body, dict):
        return
    case.body.pop("llm", None)
    for name in case.body:
        if name.lower().endswith("selector"):
            case.body[name] = {"web": {"cssSelector": "body"}}
    content = case.operation.definition.raw["requestBody"]["content"]["application/json"]
    if "timeoutMs" in content["schema"].get("properties", {}):
        case.body["timeoutMs"] = 200
