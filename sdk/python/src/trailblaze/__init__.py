"""A typed client of Trailblaze.

    from trailblaze import TrailblazeClient

    async with await TrailblazeClient.connect() as tb:
        await tb.web.navigate("https://example.com")
        if await tb.is_visible(text="Accept"):
            await tb.tap(text="Accept")

`SyncTrailblazeClient` is the same without `await`.
"""

from . import _errors
from ._client import TrailblazeClient
from ._commands import GroupInfo, ServerInfo, ToolMetadata, TrailblazeToolRegistry
from ._errors import *  # noqa: F403
from ._sync import SyncTrailblazeClient
from ._wire import Meta

__all__ = ["GroupInfo", "Meta", "ServerInfo", "SyncTrailblazeClient", "ToolMetadata", "TrailblazeClient",
           "TrailblazeToolRegistry"]
__all__ += _errors.__all__
