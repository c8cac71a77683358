"""A typed client of Trailblaze.

    from trailblaze import TrailblazeClient

    async with await TrailblazeClient.connect() as tb:
        assert tb.web  # None for a phone
        await tb.web.navigate("https://example.com")
        if await tb.is_visible(text="Accept"):
            await tb.tap(text="Accept")

`SyncTrailblazeClient` is the same without `await`.
"""

from pkgutil import extend_path

from . import _commands, _connect, _locators
from ._client import TrailblazeClient
from ._commands import *  # noqa: F403
from ._connect import *  # noqa: F403
from ._locators import *  # noqa: F403
from ._sync import SyncTrailblazeClient

__path__ = extend_path(__path__, __name__)  # what protoc makes of the contract is trailblaze.v1, and may lie elsewhere
__all__ = ["SyncTrailblazeClient", "TrailblazeClient"]
__all__ += _commands.__all__
__all__ += _connect.__all__
__all__ += _locators.__all__
