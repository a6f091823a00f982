"""The client from PyPI against a server that run.mjs started, and stops and starts when asked to.

    client.py PORT        prints "ok NAME" or "FAIL NAME" per check; a line "@stop TERM", "@stop KILL" or "@start" asks
                          run.mjs for that, which answers a line when it is done
"""

import logging
import sys
import time
from datetime import datetime, timedelta, timezone

import requests
from harness import (
    TOTALS,
    at,
    check,
    demand,
    drain,
    event,
    new_client,
    queue_length,
    refused,
    same,
    server_down,
    spans,
    wait_until,
)

CLIENT = new_client("check")
HOST = CLIENT.client_hostname


def info_has_four_fields() -> None:
    info = CLIENT.get_info()
    same(set(info), {"hostname", "version", "testing", "device_id"})
    same(info["testing"], False)


def a_bucket_is_created_once() -> None:
    CLIENT.create_bucket("b", "currentwindow")
    CLIENT.create_bucket("b", "other")
    bucket = CLIENT.get_buckets()["b"]
    same([bucket[key] for key in ("id", "type", "client", "hostname")], ["b", "currentwindow", "check", HOST])
    same(bucket.get("last_updated"), None)
    datetime.fromisoformat(bucket["created"])


def bucket_ids_may_hold_anything_that_fits_a_path() -> None:
    for bucket_id in ("aw-watcher-window_Jörgs-Mac", "日本 🦊", "a b", "__proto__", "events", "a%2Fb"):
        CLIENT.create_bucket(bucket_id, "t")
        CLIENT.insert_event(bucket_id, event(0, 1, key=bucket_id))
        same(CLIENT.get_eventcount(bucket_id), 1)
        stored_id = bucket_id.replace("%2F", "/")
        same(CLIENT.export_bucket(bucket_id)["buckets"][stored_id]["events"][0]["data"], {"key": bucket_id})
        CLIENT.delete_bucket(bucket_id, force=True)
        same(stored_id in CLIENT.get_buckets(), False)


def events_go_in_and_come_out() -> None:
    CLIENT.insert_event("b", event(0, 5, app="Überblick", title="a\u0000\"\\🦊"))
    CLIENT.insert_events("b", [event(10, 2.5, n=1.5, deep={"list": [1, None, True]}), event(20)])
    same(
        spans(CLIENT.get_events("b")),
        [
            (20.0, 0.0, {}),
            (10.0, 2.5, {"n": 1.5, "deep": {"list": [1, None, True]}}),
            (0.0, 5.0, {"app": "Überblick", "title": "a\u0000\"\\🦊"}),
        ],
    )
    same(len(CLIENT.get_events("b", limit=None)), 3)


def limits_and_ranges_hold() -> None:
    same(len(CLIENT.get_events("b", limit=2)), 2)
    same(len(CLIENT.get_events("b", limit=0)), 0)
    same(len(CLIENT.get_events("b", limit=-1)), 3)
    same([s[:2] for s in spans(CLIENT.get_events("b", start=at(2), end=at(11.5)))], [(10.0, 1.5), (2.0, 3.0)])
    other_zone = timezone(timedelta(hours=5, minutes=30))
    same(len(CLIENT.get_events("b", start=at(15).astimezone(other_zone))), 1)
    same(CLIENT.get_eventcount("b"), 3)
    same(CLIENT.get_eventcount("b", start=at(2), end=at(11.5)), 2)
    same(CLIENT.get_eventcount("b", start=at(1000)), 0)


def one_event_is_read_and_deleted() -> None:
    demand("get_event")
    newest = CLIENT.get_events("b", limit=1)[0]
    same(CLIENT.get_event("b", newest.id), newest)
    CLIENT.delete_event("b", newest.id)
    CLIENT.delete_event("b", newest.id)
    same(CLIENT.get_eventcount("b"), 2)
    # Newer versions mean to return None as well, but raise.
    try:
        same(CLIENT.get_event("b", newest.id), None)
    except requests.HTTPError as error:
        same(error.response.status_code, 404)


def an_event_is_replaced_by_its_id() -> None:
    newest, *others = CLIENT.get_events("b")
    newest.data = {"edited": True}
    CLIENT.insert_event("b", newest)
    same(CLIENT.get_events("b"), [newest, *others])


def heartbeats_merge() -> None:
    CLIENT.create_bucket("beats", "t")
    for seconds, pulsetime in ((0, 5), (4, 5.0), (9, 5), (15, 5.9)):
        CLIENT.heartbeat("beats", event(seconds, state=1), pulsetime)
    CLIENT.heartbeat("beats", event(15.001, 3, state=2), 5)
    same(
        spans(CLIENT.get_events("beats")),
        [(15.001, 3.0, {"state": 2}), (15.0, 0.0, {"state": 1}), (0.0, 9.0, {"state": 1})],
    )
    refused(404, CLIENT.heartbeat, "no-such-bucket", event(0, state=1), 5)


def queued_heartbeats_arrive_in_order() -> None:
    client = new_client("check-queue")
    client.create_bucket("queue", "t", queued=True)
    with client:
        for second in range(120):
            client.heartbeat("queue", event(second, state=second // 30), 2.0, queued=True, commit_interval=5)
        client.heartbeat("queue", event(500, state="end"), 2.0, queued=True)
        drain(client)
    same(
        spans(client.get_events("queue")),
        [(90.0, 29.0, {"state": 3}), (60.0, 29.0, {"state": 2}), (30.0, 29.0, {"state": 1}), (0.0, 29.0, {"state": 0})],
    )


def settings_keep_every_value() -> None:
    demand("get_setting")
    same(CLIENT.get_setting("unset"), None)
    for value in ({"a": [1, None]}, [], "text", "", "45", 0, 1.5, False, True, "ä🦊"):
        CLIENT.set_setting("key.with-dots", value)
        same(CLIENT.get_setting("key.with-dots"), value)
    same(CLIENT.get_setting(), {"key.with-dots": "ä🦊"})
    CLIENT.set_setting("key.with-dots", None)
    same(CLIENT.get_setting(), {})


def an_export_can_be_imported() -> None:
    exported = CLIENT.export_all()
    same(set(exported["buckets"]), {"b", "beats", "queue"})
    one = CLIENT.export_bucket("beats")["buckets"]["beats"]
    same(one, exported["buckets"]["beats"])
    before = CLIENT.get_events("beats")
    CLIENT.import_bucket(one)
    same(CLIENT.get_eventcount("beats"), len(before))
    CLIENT.delete_bucket("beats", force=True)
    same("beats" in CLIENT.get_buckets(), False)
    CLIENT.import_bucket(one)
    same(spans(CLIENT.get_events("beats")), spans(before))
    same(CLIENT.get_buckets()["beats"]["created"], one["created"])


def many_events_fit_one_request() -> None:
    CLIENT.create_bucket("many", "t")
    CLIENT.insert_events("many", [event(i, 0.5, n=i) for i in range(20_000)])
    same(CLIENT.get_eventcount("many"), 20_000)
    events = CLIENT.get_events("many")
    same([e.data["n"] for e in events], list(reversed(range(20_000))))
    CLIENT.delete_bucket("many", force=True)


def deletion_asks_for_force() -> None:
    refused(401, CLIENT.delete_bucket, "beats")
    CLIENT.delete_bucket("beats", force=True)
    refused(404, CLIENT.delete_bucket, "beats", force=True)


def a_query_is_answered_or_cleanly_refused() -> None:
    try:
        same(CLIENT.query('RETURN = "x";', [(at(0), at(10))], name="n", cache=True), ["x"])
    except requests.HTTPError as error:
        # A server without the query language.
        same(error.response.status_code, 404)
        same(type(error.response.json()["message"]), str)


def beats_from_before_the_start_are_delivered() -> None:
    client = new_client("check-early")
    client.request_queue._attempt_reconnect_interval = 1
    client.create_bucket("early", "t", queued=True)
    with server_down("TERM"):
        client.connect()
        for second in range(60):
            client.heartbeat("early", event(second, state=second // 20), 2.0, queued=True)
        # Long enough for a try to connect.
        time.sleep(2)
        same(queue_length(client) > 0, True)
    drain(client)
    client.disconnect()
    expected = [(20.0, 19.0, {"state": 1}), (0.0, 19.0, {"state": 0})]
    # The client holds the newest beats back, how many depends on its commits.
    same([s for s in spans(client.get_events("early")) if s[0] < 40], expected)


def a_watcher_goes_on_after_a_restart(signal: str) -> None:
    bucket = f"restart-{signal}"
    client = new_client(bucket)
    client.create_bucket(bucket, "t", queued=True)
    with client:
        for second in range(0, 30):
            client.heartbeat(bucket, event(second, state=1), 5.0, queued=True, commit_interval=2)
        drain(client)
        before = spans(client.get_events(bucket))
        with server_down(signal):
            pass
        same(spans(client.get_events(bucket)), before)
        for second in range(30, 40):
            client.heartbeat(bucket, event(second, state=1), 5.0, queued=True, commit_interval=2)
        drain(client)
    # Still one event: the beats after the restart joined the one from before it.
    after = spans(client.get_events(bucket))
    same([(s[0], s[2]) for s in after], [(0.0, {"state": 1})])
    same(after[0][1] > before[0][1], True)


def beats_while_it_is_down_do_not_stop_the_watcher() -> None:
    client = new_client("check-down")
    client.create_bucket("down", "t", queued=True)
    with client:
        client.heartbeat("down", event(0, state=0), 1.0, queued=True)
        client.heartbeat("down", event(10, state=1), 1.0, queued=True)
        wait_until(lambda: "down" in CLIENT.get_buckets() and CLIENT.get_eventcount("down") == 1, "the first beat")
        with server_down("TERM"):
            client.heartbeat("down", event(20, state=2), 1.0, queued=True)
            # Long enough for a try to send it.
            time.sleep(1)
        client.heartbeat("down", event(30, state=3), 1.0, queued=True)
        client.heartbeat("down", event(40, state=4), 1.0, queued=True)
        drain(client)
    # Newer versions drop the beat that met a refused connection, on every server; older ones keep it.
    arrived = [s[2]["state"] for s in spans(client.get_events("down"))]
    same([state for state in arrived if state != 1], [3, 2, 0])


def waiting_for_the_start_works() -> None:
    demand("wait_for_start")
    CLIENT.wait_for_start()


def main() -> None:
    logging.disable(logging.CRITICAL)
    for body in (
        waiting_for_the_start_works,
        info_has_four_fields,
        a_bucket_is_created_once,
        bucket_ids_may_hold_anything_that_fits_a_path,
        events_go_in_and_come_out,
        limits_and_ranges_hold,
        one_event_is_read_and_deleted,
        an_event_is_replaced_by_its_id,
        heartbeats_merge,
        queued_heartbeats_arrive_in_order,
        settings_keep_every_value,
        an_export_can_be_imported,
        many_events_fit_one_request,
        deletion_asks_for_force,
        a_query_is_answered_or_cleanly_refused,
        beats_from_before_the_start_are_delivered,
        beats_while_it_is_down_do_not_stop_the_watcher,
    ):
        check(body.__name__.replace("_", " "), body)
    for signal in ("TERM", "KILL"):
        check(f"a watcher goes on after a restart ({signal})", a_watcher_goes_on_after_a_restart, signal)
    print(f"{TOTALS['ok']} passed, {TOTALS['FAIL']} failed")
    sys.exit(1 if TOTALS["FAIL"] else 0)


main()
