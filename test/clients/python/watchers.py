"""Watchers that behave like the usual ones, on the client from PyPI. Started by ../watcher-loop.mjs.

    watchers.py KIND PORT SECONDS SEED LOG        KIND: window, idle or input

Each line of LOG is a beat as the watcher made it ("beat") or a request with its answer ("sent").
"""

import json
import logging
import random
import sys
import time
from datetime import datetime, timedelta, timezone

from aw_client import ActivityWatchClient
from aw_core.models import Event

WINDOWS = [
    {"app": "Firefox", "title": "ActivityWatch – Mozilla Firefox"},
    {"app": "Firefox", "title": "Überblick « 日本語 » 🦊 – Mozilla Firefox"},
    {"app": "Code", "title": 'main.ts "draft" - project - Visual Studio Code'},
    {"app": "Code", "title": "C:\\Users\\x\\notes.md - Visual Studio Code"},
    {"app": "Terminal", "title": "vim ~/.config\ttab"},
    {"app": "unknown", "title": ""},
]
IDLE_TIMEOUT = 30
IDLE_POLL = 5
INPUT_POLL = 5


def now() -> datetime:
    return datetime.now(timezone.utc)


class RecordingClient(ActivityWatchClient):
    """Writes down what is reported and what goes over the wire."""

    def __init__(self, name: str, port: int, log) -> None:
        super().__init__(name, host="127.0.0.1", port=port)
        self.log = log
        # Shorter than the default of 10 s: more requests.
        self.commit_interval = 3

    def write(self, **entry) -> None:
        self.log.write(json.dumps(entry) + "\n")
        self.log.flush()

    def heartbeat(self, bucket_id, event, pulsetime, queued=False, commit_interval=None) -> None:
        self.write(kind="beat", bucket=bucket_id, pulsetime=pulsetime, event=event.to_json_dict())
        super().heartbeat(bucket_id, event, pulsetime, queued=queued, commit_interval=commit_interval)

    def _post(self, endpoint, data, params=None):
        entry = {"kind": "sent", "endpoint": endpoint, "event": data, "status": None, "answer": None}
        try:
            response = super()._post(endpoint, data, params)
            entry["status"] = response.status_code
            entry["answer"] = response.text
            return response
        except Exception as error:
            entry["answer"] = repr(error)
            raise
        finally:
            self.write(**entry)

    def finish(self, pulsetimes) -> None:
        """Lets the queue run empty, then sends what the client still holds back: the real ones drop that."""
        while self.request_queue._persistqueue.qsize() > 0:
            time.sleep(0.1)
        self.disconnect()
        for bucket_id, event in self.last_heartbeat.items():
            super().heartbeat(bucket_id, event, pulsetimes[bucket_id])


def watch_window(client, bucket, chance, deadline) -> dict:
    """Every second the current window; now and then the machine sleeps."""
    pulsetime = 2.0
    window = chance.choice(WINDOWS)
    change_at = time.monotonic()
    while time.monotonic() < deadline:
        if time.monotonic() >= change_at:
            window = chance.choice(WINDOWS)
            change_at = time.monotonic() + chance.choice([0.5, 1, 2, 4, 8, 15, 25])
        client.heartbeat(bucket, Event(timestamp=now(), data=dict(window)), pulsetime=pulsetime, queued=True)
        time.sleep(1 if chance.random() < 0.98 else 5)
    return {bucket: pulsetime}


def watch_idle(client, bucket, chance, deadline) -> dict:
    """The state machine of the idle watcher: one state is closed and the next opened 1 ms later."""
    pulsetime = IDLE_TIMEOUT + IDLE_POLL
    idle = False
    last_input = now()
    busy_until = time.monotonic() + chance.uniform(20, 50)
    silent_until = 0.0

    def ping(timestamp, duration=0):
        event = Event(timestamp=timestamp, duration=duration, data={"status": "afk" if idle else "not-afk"})
        client.heartbeat(bucket, event, pulsetime=pulsetime, queued=True)

    while time.monotonic() < deadline:
        clock = time.monotonic()
        if clock < busy_until:
            last_input = now() - timedelta(seconds=chance.uniform(0, 2))
            silent_until = busy_until + chance.uniform(IDLE_TIMEOUT / 2, IDLE_TIMEOUT * 2)
        elif clock >= silent_until:
            busy_until = clock + chance.uniform(20, 50)
        silence = (now() - last_input).total_seconds()
        if idle and silence < IDLE_TIMEOUT:
            ping(last_input)
            idle = False
            ping(last_input + timedelta(milliseconds=1))
        elif not idle and silence >= IDLE_TIMEOUT:
            ping(last_input)
            idle = True
            ping(last_input + timedelta(milliseconds=1), silence)
        elif idle:
            ping(last_input, silence)
        else:
            ping(last_input)
        time.sleep(IDLE_POLL)
    return {bucket: pulsetime}


def watch_input(client, bucket, chance, deadline) -> dict:
    """Counts per interval: a rest is extended, activity never is. Sent directly, not by the queue."""
    ended = now()
    while time.monotonic() < deadline:
        time.sleep(INPUT_POLL)
        began, ended = ended, now()
        resting = chance.random() < 0.5
        counts = {key: 0 if resting else chance.randrange(200) for key in ("presses", "clicks", "deltaX", "deltaY")}
        event = Event(timestamp=began, duration=ended - began, data=counts)
        client.heartbeat(bucket, event, pulsetime=INPUT_POLL + 0.1 if resting else 0.0)
    return {}


WATCHERS = {
    "window": (watch_window, "currentwindow"),
    "idle": (watch_idle, "afkstatus"),
    "input": (watch_input, "os.hid.input"),
}


def main() -> None:
    kind, port, seconds, seed, path = sys.argv[1:]
    logging.basicConfig(level=logging.WARNING)
    watch, bucket_type = WATCHERS[kind]
    with open(path, "w", encoding="utf8") as log:
        client = RecordingClient(f"loop-watcher-{kind}", int(port), log)
        bucket = f"{client.client_name}_{client.client_hostname}"
        client.wait_for_start()
        client.create_bucket(bucket, bucket_type, queued=kind != "input")
        client.connect()
        pulsetimes = watch(client, bucket, random.Random(f"{seed} {kind}"), time.monotonic() + float(seconds))
        client.finish(pulsetimes)


main()
