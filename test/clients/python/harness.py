"""What the checks of client.py are made of: events, comparisons, the talk with run.mjs, the verdicts."""

import sys
import time
import traceback
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone

import requests
from aw_client import ActivityWatchClient
from aw_core.models import Event

PORT = int(sys.argv[1])
# The client has no option for a key: whoever needs one gives it to the HTTP library.
if len(sys.argv) > 2:
    default_headers = requests.sessions.default_headers
    requests.sessions.default_headers = lambda: {**default_headers(), "Authorization": f"Bearer {sys.argv[2]}"}
TOTALS = {"ok": 0, "FAIL": 0}
T0 = datetime(2024, 3, 1, 10, 0, 0, tzinfo=timezone.utc)


def at(seconds: float) -> datetime:
    return T0 + timedelta(seconds=seconds)


def event(seconds: float, duration: float = 0, **data) -> Event:
    return Event(timestamp=at(seconds), duration=duration, data=data)


def spans(events) -> list:
    """Events as (seconds after T0, duration, data), newest first as answered."""
    return [((e.timestamp - T0).total_seconds(), e.duration.total_seconds(), e.data) for e in events]


class MissingInClient(Exception):
    """The version under test is too old for the check."""


def demand(method: str) -> None:
    if not hasattr(ActivityWatchClient, method):
        raise MissingInClient(method)


def same(actual, expected) -> None:
    if actual != expected:
        raise AssertionError(f"expected {expected!r}, got {actual!r}")


def refused(status: int, call, *args, **kwargs) -> None:
    try:
        answer = call(*args, **kwargs)
    except requests.HTTPError as error:
        same(error.response.status_code, status)
        same(type(error.response.json()["message"]), str)
        return
    raise AssertionError(f"expected status {status}, got {answer!r}")


def ask_runner(request: str) -> None:
    print(request)
    sys.stdin.readline()


@contextmanager
def server_down(signal: str):
    """Stops the server, and starts it again in any case: the next check needs it."""
    ask_runner(f"@stop {signal}")
    try:
        yield
    finally:
        ask_runner("@start")


def wait_until(holds, what: str, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.05)


def queue_length(client) -> int:
    return client.request_queue._persistqueue.qsize()


def drain(client) -> None:
    """Waits until the queue is empty and what was taken from it last is answered."""
    wait_until(lambda: queue_length(client) == 0 and client.request_queue._current is None, "an empty queue")


def new_client(name: str) -> ActivityWatchClient:
    client = ActivityWatchClient(name, host="127.0.0.1", port=PORT)
    client.commit_interval = 10
    return client


def check(name: str, body, *args) -> None:
    try:
        body(*args)
        verdict = "ok"
    except MissingInClient as error:
        print(f"skip {name}: this version of the client has no {error}")
        return
    except Exception:
        verdict = "FAIL"
        traceback.print_exc()
    TOTALS[verdict] += 1
    print(f"{verdict} {name}")
