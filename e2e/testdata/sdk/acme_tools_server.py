try:
    from mcp.server.mcpserver import MCPServer as Server
except ImportError:  # version 1 of the SDK
    from mcp.server.fastmcp import FastMCP as Server

from trailblaze import TrailblazeClient

tb = TrailblazeClient("localhost:52525")
server = Server()


@server.tool("acme_driver_login")
async def login(email: str, password: str) -> dict:
    """Log in to Acme Driver app with credentials."""
    await tb.clear_app_data(package_id="com.acme.driver")
    await tb.launch_app(package_id="com.acme.driver")
    await tb.tap(text="Sign in")
    await tb.input_text(text=email)
    await tb.input_text(text=password)
    await tb.tap(text="Submit")
    await tb.wait_until_visible(text="Go Online", timeout_ms=10000)
    return {"success": True}


if __name__ == "__main__":
    server.run()
