"""A typed client of Trailblaze.

    from trailblaze import TrailblazeClient

    async with await TrailblazeClient.connect() as tb:
        await tb.web.navigate("https://example.com")
        if await tb.is_visible(text="Accept"):
            await tb.tap(text="Accept")

`SyncTrailblazeClient` is the same without `await`.
"""

from ._client import TrailblazeClient
from ._errors import (
    AssertionFailed,
    Busy,
    Canceled,
    Denied,
    InvalidCall,
    NotActed,
    NotFound,
    TimedOut,
    TrailblazeError,
    Unavailable,
    Unsupported,
)
from ._sync import SyncTrailblazeClient
from ._wire import Meta

__all__ = [
    "AssertionFailed", "Busy", "Canceled", "Denied", "InvalidCall", "Meta", "NotActed", "NotFound",
    "SyncTrailblazeClient", "TimedOut", "TrailblazeClient", "TrailblazeError", "Unavailable", "Unsupported",
]
