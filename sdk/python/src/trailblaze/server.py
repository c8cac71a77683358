"""A server of tools, `MCPServer` of the package `mcp` (`FastMCP` in its version 1), that Trailblaze starts:

    server = Server("acme")
    server.run()

`run` serves one client on stdin and stdout, or with `--transport http --port N` on the command line several at once, on
this machine alone. Trailblaze starts it with these arguments when the calls of two devices meet.
"""

import argparse
from typing import Any

try:
    from mcp.server.mcpserver import Context, MCPServer
except ImportError:  # version 1
    from mcp.server.fastmcp import Context, FastMCP as MCPServer  # type: ignore[no-redef, unused-ignore]

__all__ = ["Context", "Server"]


class Server(MCPServer):  # type: ignore[misc, type-arg, unused-ignore]
    """`MCPServer` whose `run` obeys the command line."""

    def run(self, transport: Any = None, **options: Any) -> None:
        """Serves the tools. A transport that is given holds; else the command line says which."""
        parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
        parser.add_argument("--transport", choices=["stdio", "http"], default="stdio")
        parser.add_argument("--port", type=int)
        given, _ = parser.parse_known_args()  # the program may have arguments of its own
        if transport is None and given.transport == "http":
            if given.port is None:
                parser.error("--transport http needs --port")
            transport = "streamable-http"  # on 127.0.0.1, where the package checks Host and Origin
            if hasattr(self.settings, "port"):  # version 1
                self.settings.port = given.port
            else:
                options["port"] = given.port
        super().run(transport or "stdio", **options)
