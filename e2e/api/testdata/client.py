"""A client of the typed API with grpcio and the code that protoc makes of the contract."""
import os

import grpc
from trailblaze.v1 import commands_pb2, commands_pb2_grpc, session_service_pb2, session_service_pb2_grpc, types_pb2

token = ("authorization", "Bearer " + os.environ["TOKEN"])
options = types_pb2.CallOptions(client="python", workspace=os.getcwd())
with grpc.insecure_channel("127.0.0.1:" + os.environ["PORT"]) as channel:
    web, core = commands_pb2_grpc.WebCommandsStub(channel), commands_pb2_grpc.TrailblazeCommandsStub(channel)
    page = "data:text/html,<button>Buy</button>"
    opened = web.Navigate(commands_pb2.NavigateRequest(url=page, options=options), metadata=[token], timeout=60)
    assert opened.success and opened.call.session_id, opened
    seen = core.IsVisible(commands_pb2.IsVisibleRequest(text="Buy", options=options), metadata=[token], timeout=30)
    assert seen.visible, seen
    try:
        core.AssertVisible(
            commands_pb2.AssertVisibleRequest(text="Sell", timeout_ms=1, options=options), metadata=[token], timeout=30
        )
        raise SystemExit("an assertion that does not hold gave no error")
    except grpc.RpcError as error:
        status = dict(error.trailing_metadata())["grpc-status-details-bin"]
        at = status.index(b"trailblaze.v1.Failure") + len(b"trailblaze.v1.Failure")
        assert error.code() == grpc.StatusCode.NOT_FOUND or error.code() == grpc.StatusCode.FAILED_PRECONDITION, error
        assert b"Sell" in status[at:], status
    try:
        core.IsVisible(commands_pb2.IsVisibleRequest(text="Buy", options=options), timeout=30)
        raise SystemExit("a call without the token was answered")
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.UNAUTHENTICATED, error
    events = session_service_pb2_grpc.SessionServiceStub(channel).WatchEvents(
        session_service_pb2.WatchEventsRequest(session_id=opened.call.session_id, after=1, no_follow=True),
        metadata=[token], timeout=30,
    )
    numbers = [e.event.seq for e in events]
    assert numbers == list(range(2, 2 + len(numbers))) and len(numbers) > 3, numbers
print("all is well")
