from trailblaze import TrailblazeClient
from trailblaze.server import Context, Server

server = Server()


@server.tool("acme_visit")
async def visit(actor: str, url: str, ctx: Context) -> dict:
    """Has another actor of the trail begin to sign in."""
    bob = TrailblazeClient.from_context(ctx).on(actor)
    assert bob.web is not None
    await bob.web.navigate(url)
    await bob.call_tool("web_type", ref='textbox "Email"', text="bob@example.com")
    return {"success": True}


if __name__ == "__main__":
    server.run()
