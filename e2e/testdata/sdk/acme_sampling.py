from mcp.server.fastmcp import Context, FastMCP
from trailblaze import TrailblazeClient

mcp = FastMCP("acme")


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


if __name__ == "__main__":
    mcp.run()
