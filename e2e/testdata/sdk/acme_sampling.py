try:
    from mcp.server.mcpserver import Context
    from mcp.server.mcpserver import MCPServer as Server
except ImportError:  # version 1 of the SDK
    from mcp.server.fastmcp import Context
    from mcp.server.fastmcp import FastMCP as Server

from trailblaze import TrailblazeClient

mcp = Server("acme")


@mcp.tool("acme_verify_screen_color")
async def verify_screen_color(expected_color: str, ctx: Context) -> dict:
    """Asks what color the button is."""
    tb = TrailblazeClient.from_context(ctx)

    # Request LLM completion via MCP Sampling
    result = await tb.sampling.create_message(
        messages=[{"role": "user", "content": f"Is the button {expected_color}?"}],
        include_screenshot=True,
    )

    return {"success": "yes" in result.content.lower()}


@mcp.resource("trailblaze://registry")
async def registry() -> dict:
    return {"tools": {"acme_verify_screen_color": {"kind": "query"}}}


if __name__ == "__main__":
    mcp.run()
