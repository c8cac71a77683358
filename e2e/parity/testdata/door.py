"""Calls tools for the parity suite: a call in each line of the input, what the SDK gives in each line of the output."""

import asyncio
import json
import os
import sys

from trailblaze import TrailblazeClient, TrailblazeError


async def main() -> None:
    async with TrailblazeClient(device="web/python", workspace=os.getcwd(), secrets=json.loads(sys.argv[1])) as tb:
        for line in sys.stdin:
            call = json.loads(line)
            try:
                said = {"value": await tb.call_tool(call["tool"], **call["args"])}
            except TrailblazeError as error:
                said = {"failed": True, "kind": error.kind, "message": error.message, "hint": error.hint}
            print(json.dumps(said), flush=True)


asyncio.run(main())
