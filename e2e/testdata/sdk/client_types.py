"""What checkers of types are to refuse: with --strict, mypy reports an ignored line that is right."""

from trailblaze import SyncTrailblazeClient


def wrong(tb: SyncTrailblazeClient) -> None:
    SyncTrailblazeClient.connect(devise="web/a")  # type: ignore[call-arg]
    SyncTrailblazeClient.connect(timeout="5")  # type: ignore[arg-type]
    tb.tap(texx="Sign in")  # type: ignore[call-arg]
    tb.tap(text=3)  # type: ignore[arg-type]
    for event in tb.events("a", after=1):
        tb.events("a", after=event["seq"])
