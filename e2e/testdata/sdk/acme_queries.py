try:
    from mcp.server.mcpserver import MCPServer as Server
except ImportError:  # version 1 of the SDK
    from mcp.server.fastmcp import FastMCP as Server

from trailblaze import TrailblazeClient

tb = TrailblazeClient("localhost:52525")
server = Server()


@server.tool("acme_handle_onboarding")
async def handle_onboarding() -> dict:
    # Check if cookie consent dialog is shown
    if await tb.is_visible(text="Accept Cookies"):
        await tb.tap(text="Accept")

    # Check if we need to dismiss a tutorial
    if await tb.is_visible(text="Skip Tutorial"):
        await tb.tap(text="Skip")

    # Check which screen we're on
    if await tb.has_text("Welcome back"):
        return {"screen": "returning_user"}
    elif await tb.has_text("Create Account"):
        return {"screen": "new_user"}
    else:
        return {"screen": "unknown"}


@server.tool("acme_login_with_retry")
async def login_with_retry(email: str, password: str, max_attempts: int = 3) -> dict:
    for attempt in range(max_attempts):
        await tb.tap(text="Sign In")
        await tb.input_text(email)
        await tb.input_text(password)
        await tb.tap(text="Submit")

        # Check outcome without throwing
        if await tb.is_visible(text="Dashboard", timeout_ms=5000):
            return {"success": True, "attempts": attempt + 1}

        if await tb.is_visible(text="Invalid credentials"):
            # Wrong password, no point retrying
            return {"success": False, "error": "invalid_credentials"}

        # Network error or slow response, try again

    return {"success": False, "error": "max_attempts_exceeded"}


if __name__ == "__main__":
    server.run()
