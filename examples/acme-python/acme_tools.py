"""Acme's own tools: an MCP server that Trailblaze starts, and that calls Trailblaze back.

    python acme_tools.py                                # one device: stdin and stdout
    python acme_tools.py --transport http --port 52530  # several devices: Trailblaze does this by itself
"""

import argparse
import json
import urllib.request
from typing import Any

import anyio
import uvicorn

try:
    from mcp.server.mcpserver import Context, MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
except ImportError:  # version 1 of the SDK
    from mcp.server.fastmcp import Context, FastMCP as MCPServer
    from mcp.server.fastmcp.exceptions import ToolError


class Trailblaze:
    """The session that a tool was called from. It lasts as long as the call."""

    def __init__(self, ctx: Context):
        meta = dict(ctx.request_context.meta)["trailblaze"]
        self.meta, self.memory = meta, meta["memory"]

    def page(self, path: str) -> str:
        """Address of a page of the shop: the base URL of the run, and a path."""
        if "baseUrl" not in self.memory:
            raise ToolError("the address of the shop is not known: give it with --base-url")
        return self.memory["baseUrl"] + path

    async def call(self, tool: str, **args: Any) -> Any:
        """Calls a tool of the session. A tool that fails raises."""
        result = await anyio.to_thread.run_sync(self._post, tool, args)
        if result["type"] != "call_tool_result" or not result["success"]:
            raise ToolError(result.get("message") or result["errorMessage"])
        return result["structured_content"] or result["textContent"]

    def _post(self, tool: str, args: dict[str, Any]) -> dict[str, Any]:
        body = {
            "version": 1,
            "session_id": self.meta["sessionId"],
            "invocation_id": self.meta["invocationId"],
            "action": {"type": "call_tool", "tool_name": tool, "arguments_json": json.dumps(args)},
        }
        request = urllib.request.Request(
            self.meta["baseUrl"] + "/scripting/callback",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["result"]


options = argparse.ArgumentParser()
options.add_argument("--transport", default="stdio")
options.add_argument("--port", type=int, default=52530)
options = options.parse_args()

server = MCPServer("acme", log_level="WARNING")


@server.tool()
async def acme_login(email: str, password: str, ctx: Context) -> dict[str, Any]:
    """Signs a customer in to the shop."""
    tb = Trailblaze(ctx)
    await tb.call("web_navigate", url=tb.page("/account"))
    await tb.call("web_type", ref='textbox "Email"', text=email)
    await tb.call("web_type", ref='textbox "Password"', text=password)
    await tb.call("web_click", ref='button "Sign in"')
    await tb.call("web_verifyTextVisible", text="Good to see you")
    return {"success": True}


@server.tool()
async def acme_addToCart(product: str, ctx: Context, attempts: int = 3) -> dict[str, Any]:
    """Puts a product into the cart. What the shop shows late is looked for again."""
    tb = Trailblaze(ctx)
    await tb.call("web_navigate", url=tb.page("/"))
    for attempt in range(attempts):
        try:
            await tb.call("web_click", ref=f'button "Add to cart" in article "{product}"')
            return {"success": True, "attempts": attempt + 1}
        except ToolError as error:
            last = str(error)
    return {"success": False, "error": f"{product} cannot be added: {last}"}


@server.tool()
async def acme_signOut(ctx: Context) -> dict[str, Any]:
    """Signs out, if anybody is signed in."""
    tb = Trailblaze(ctx)
    await tb.call("web_navigate", url=tb.page("/account"))
    button = 'button "Sign out"'
    if not (await tb.call("isVisible", ref=button))["visible"]:
        return {"success": True, "wasSignedIn": False}
    await tb.call("web_click", ref=button)
    return {"success": True, "wasSignedIn": True}


@server.tool()
async def acme_openCart(ctx: Context) -> dict[str, Any]:
    """Opens the cart: the calls that do it are made, and recorded, in place of this one."""
    return {"success": True, "_trailblaze_delegates": [
        {"tool": "web_click", "args": {"ref": 'link "Cart, 1 item"'}},
    ]}


@server.resource("trailblaze://registry", mime_type="application/json")
def registry() -> str:
    return json.dumps({
        "tools": {
            "acme_login": {"platforms": ["web"], "groups": ["auth"], "secretArguments": ["password"]},
            "acme_signOut": {"platforms": ["web"], "groups": ["auth"]},
            "acme_addToCart": {"platforms": ["web"], "groups": ["cart"], "timeoutMs": 60000},
            "acme_openCart": {"platforms": ["web"], "groups": ["cart"], "isRecordable": False, "isDelegating": True},
        },
        "groups": {"auth": {"description": "Sign in and out"}, "cart": {"description": "The cart"}},
        "serverInfo": {"name": "acme-tools", "version": "1.0.0"},
    })


if __name__ == "__main__":
    if options.transport == "http":
        uvicorn.run(server.streamable_http_app(), host="127.0.0.1", port=options.port, log_level="warning")
    else:
        server.run()
