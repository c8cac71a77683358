"""Calls the tool device: its arguments in each line of the input, the messages of the call in lines of the output."""

import asyncio
import json
import sys

from trailblaze import TrailblazeClient, TrailblazeError


async def main() -> None:
    async with TrailblazeClient() as tb:
        for line in sys.stdin:
            try:
                async for message in tb.tools.watch_tool("device", args=json.loads(line)):
                    print(json.dumps(message), flush=True)
            except TrailblazeError as error:
                failure = {"kind": error.kind, "message": error.message, "hint": error.hint}
                print(json.dumps({"failure": failure}), flush=True)


asyncio.run(main())
