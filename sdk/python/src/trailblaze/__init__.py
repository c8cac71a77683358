"""A typed client of Trailblaze.

    from trailblaze import TrailblazeClient

    async with await TrailblazeClient.connect() as tb:
        await tb.web.navigate("https://example.com")
        if await tb.is_visible(text="Accept"):
            await tb.tap(text="Accept")

`SyncTrailblazeClient` is the same without `await`.
"""

from . import _connect
from ._client import TrailblazeClient
from ._commands import CallContext, GroupInfo, ServerInfo, ToolMetadata, TrailblazeToolRegistry
from ._connect import *  # noqa: F403
from ._sync import SyncTrailblazeClient

__all__ = ["CallContext", "GroupInfo", "ServerInfo", "SyncTrailblazeClient", "ToolMetadata", "TrailblazeClient",
           "TrailblazeToolRegistry"]
__all__ += _connect.__all__
