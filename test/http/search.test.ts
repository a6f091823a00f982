// Searches over HTTP, by the client and in process; docs/guides/search.md

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { seededRandom } from "../../bench/data.js";
import { connect } from "../../src/client/index.js";
import { type Micros, parseTimestamp, serializeTimestamp } from "../../src/domain/time.js";
import type { ActivityServer } from "../../src/index.js";
import { micros } from "../../src/index.js";
import { DaySet } from "../../src/service/search/days.js";
import { BUCKET, type Send, withServer } from "../harness.js";
import { ADAPTERS, json, refusal } from "./client.js";
import { pausesDuring } from "./pauses.js";

const test = suite("search");

const START = parseTimestamp("2024-03-01T00:00:00Z") as Micros;
const SECOND = 1_000_000;

/** The app of each category. */
const APPS: Readonly<Record<string, string>> = {
  'Work > "A > \\"B\\""': "editor",
  Work: "mail",
  Uncategorized: "game",
};

interface Found {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly summary: Readonly<Record<string, unknown>>;
}

function unreachable(): void {
  assert.unreachable("it was answered");
}

async function search(send: Send, query: string): Promise<Found> {
  return json(await send("GET", `/api/0/search?${query}`)) as Found;
}

interface Given {
  readonly bucket: string;
  readonly from: number;
  readonly to: number;
  readonly app: string;
  readonly title: string;
}

/** Events of three buckets that overlap, in seconds from the start. */
function randomEvents(seed: number): Given[] {
  const random = seededRandom(seed);
  return Array.from({ length: 300 }, (_, index) => {
    const from = Math.floor(random() * 4 * 86_400);
    const to = from + Math.floor(random() ** 4 * 50_000);
    return {
      bucket: ["window_a", "window_b", "other"][index % 3] as string,
      from,
      to,
      app: ["editor", "mail", "game"][Math.floor(random() * 3)] as string,
      title: `Ticket ${Math.floor(random() * 20)}`,
    };
  });
}

async function fill(server: ActivityServer, events: readonly Given[]): Promise<void> {
  for (const id of ["window_a", "window_b", "other"]) {
    await server.buckets.create(id, { ...BUCKET, hostname: id === "window_b" ? "laptop" : "desk" });
    const own = events.filter(({ bucket }) => bucket === id);
    await server.events.insert(
      id,
      own.map(({ from, to, app, title }) => ({
        timestamp: micros(START + from * SECOND),
        duration: { seconds: to - from },
        data: { app, title },
      })),
    );
  }
}

/** Seconds of which an event covers some, looked at one by one. */
function covered(events: readonly Given[]): number {
  const ids = new Set(events.map(({ bucket }) => bucket));
  let sum = 0;
  for (const id of ids) {
    const seconds = new Uint8Array(Math.max(...events.map(({ to }) => to)));
    for (const { bucket, from, to } of events) if (bucket === id) seconds.fill(1, from, to);
    sum += seconds.reduce((total, one) => total + one, 0);
  }
  return sum;
}

function daysOf(events: readonly Given[]): number {
  const days = new Set<number>();
  for (const { from, to } of events) {
    for (let day = Math.floor(from / 86_400); day === Math.floor(from / 86_400) || day * 86_400 < to; day++)
      days.add(day);
  }
  return days.size;
}

for (const [name, open] of Object.entries(ADAPTERS)) {
  test(`${name}: finds, counts and groups what a naive search does`, () =>
    open((storage) =>
      withServer({ storage }, async ({ send, server }) => {
        const events = randomEvents(7);
        await fill(server, events);
        const mails = events.filter(({ app }) => app === "mail");
        for (const order of ["newest", "oldest"]) {
          const { rows, summary } = await search(send, `filter=app%3Dmail&order=${order}`);
          assert.is(rows.length, mails.length);
          const times = rows.map(({ timestamp }) => parseTimestamp(timestamp as string) as number);
          assert.equal(
            times,
            times.toSorted((a, b) => (order === "newest" ? b - a : a - b)),
          );
          assert.equal(summary, {
            events: mails.length,
            seconds: covered(mails),
            days: daysOf(mails),
            first: serializeTimestamp(START + Math.min(...mails.map(({ from }) => from)) * SECOND),
            last: serializeTimestamp(START + Math.max(...mails.map(({ to }) => to)) * SECOND),
          });
          const limited = await search(send, `filter=app%3Dmail&order=${order}&limit=5`);
          assert.equal(limited, { rows: rows.slice(0, 5), summary });
          const lines = (await send("GET", `/api/0/search?filter=app%3Dmail&order=${order}&format=ndjson`)).body;
          assert.equal(
            lines
              .toString()
              .trimEnd()
              .split("\n")
              .map((line) => JSON.parse(line)),
            [...rows, { summary }],
          );
        }
        const byApp = await search(send, "group=app&bucket=window_*&host=desk&host=laptop");
        assert.is(byApp.summary["groups"], 3);
        const windows = events.filter(({ bucket }) => bucket !== "other");
        for (const { key, events: count, seconds } of byApp.rows) {
          const own = windows.filter(({ app }) => app === key);
          assert.equal([count, seconds], [own.length, covered(own)]);
        }
        const folded = await search(send, "group=title&numbers=fold&host=laptop");
        assert.equal(
          folded.rows.map(({ key, events: count }) => [key, count]),
          [["Ticket #", 100]],
        );
        const byDay = await search(send, "group=day&filter=app%3Dmail");
        assert.is(byDay.rows.length, daysOf(mails));
        const sum = byDay.rows.reduce((total, { seconds }) => total + (seconds as number), 0);
        assert.is(sum, covered(mails));
      }),
    ));
}

test("cuts events to a range and to the active time, days to a time zone", () =>
  withServer({ buckets: ["window"] }, async ({ send, server }) => {
    await server.buckets.create("afk", { ...BUCKET, type: "afkstatus" });
    const at = (hour: number): Micros => START + hour * 3600 * SECOND;
    await server.events.insert("window", [
      { timestamp: micros(at(22)), duration: "4h", data: { app: "a" } },
      { timestamp: micros(at(30)), duration: "1h", data: { app: "b" } },
      { timestamp: micros(at(31)), duration: "0s" as const, data: { app: "a" } },
    ]);
    await server.events.insert("afk", [
      { timestamp: micros(at(22)), duration: "30m", data: { status: "not-afk" } },
      { timestamp: micros(at(22.5)), duration: "1h", data: { status: "afk" } },
      { timestamp: micros(at(23.5)), duration: "1h", data: { status: "not-afk" } },
    ]);
    const windows = "bucket=window&group=app";
    const seconds = async (query: string): Promise<unknown> =>
      (await search(send, `${windows}&${query}`)).rows.map(({ key, seconds: all }) => [key, all]);
    assert.equal(await seconds(""), [
      ["a", 14_400],
      ["b", 3600],
    ]);
    assert.equal(await seconds("active=true"), [["a", 5400]]);
    assert.equal(await seconds("end=2024-03-01T23:00:00Z"), [["a", 3600]]);
    const { rows, summary } = await search(send, "bucket=window&active=true");
    assert.equal(
      rows.map(({ timestamp, duration, id }) => [timestamp, duration, id]),
      [
        ["2024-03-01T23:30:00+00:00", 3600, 1],
        ["2024-03-01T22:00:00+00:00", 1800, 1],
      ],
    );
    assert.equal([summary["events"], summary["seconds"]], [1, 5400]);
    const days = async (query: string): Promise<unknown> =>
      (await search(send, `bucket=window&group=day&filter=app%3Da&${query}`)).rows.map(({ key, seconds: all }) => [
        key,
        all,
      ]);
    assert.equal(await days(""), [
      ["2024-03-02", 7200],
      ["2024-03-01", 7200],
    ]);
    assert.equal(await days("day_start=04:00"), [
      ["2024-03-01", 14_400],
      ["2024-03-02", 0],
    ]);
    assert.equal(await days("time_zone=Europe/Berlin"), [
      ["2024-03-02", 10_800],
      ["2024-03-01", 3600],
    ]);
  }));

test("a day on which clocks change is as long as its clocks show, whenever days begin", () =>
  withServer({ buckets: ["window"] }, async ({ send, server }) => {
    for (const [zone, dayStart, start, day, hours] of [
      // From midnight back to eleven, and at midnight on to one.
      ["America/Santiago", "00:00", "2024-04-06T03:00Z", "2024-04-06", 25],
      ["America/Santiago", "00:00", "2024-09-08T04:00Z", "2024-09-08", 23],
      ["Europe/Berlin", "04:00", "2024-03-30T03:00Z", "2024-03-30", 23],
      ["Europe/Berlin", "00:00", "2024-10-26T22:00Z", "2024-10-27", 25],
      ["Australia/Lord_Howe", "00:00", "2024-10-05T13:30Z", "2024-10-06", 23.5],
      ["Australia/Lord_Howe", "04:00", "2024-04-05T17:00Z", "2024-04-06", 24.5],
    ] as const) {
      const [event] = await server.events.insert("window", [{ timestamp: start, duration: "28h", data: {} }]);
      const path = `group=day&time_zone=${zone}&day_start=${dayStart}`;
      const found = (await search(send, path)).rows.find(({ key }) => key === day);
      assert.is(found?.seconds, hours * 3600, `${day} in ${zone} from ${dayStart}`);
      await server.events.delete("window", event?.id ?? 0);
    }
  }));

test("the active time is the same from the newest event on, where it is read bit by bit", () =>
  withServer({}, async ({ send, server }) => {
    const random = seededRandom(9);
    await fill(server, randomEvents(3));
    for (const afk of ["afk", "afk_too"]) {
      await server.buckets.create(afk, { ...BUCKET, type: "afkstatus", hostname: afk === "afk" ? "desk" : "laptop" });
      let from = 0;
      const beats = Array.from({ length: 500 }, (_, index) => {
        from += Math.floor(random() * 700);
        // Some overlap, some touch, some leave a gap that is closed, and once there is none for two days.
        const seconds = index === 250 ? 170_000 : Math.floor(random() ** 3 * 2000);
        const timestamp = START + from * SECOND;
        from += afk === "afk" ? seconds + (random() < 0.5 ? 0 : 3) : 0;
        return {
          timestamp: micros(timestamp),
          duration: { seconds },
          data: { status: random() < 0.6 ? "not-afk" : "afk" },
        };
      });
      await server.events.insert(afk, beats);
    }
    for (const filter of ["", "&filter=app%3Dgame", "&end=2024-03-03T01:00:00Z", "&start=2024-03-02T05:00:00Z"]) {
      const newest = await search(send, `active=true&bucket=window_*${filter}`);
      const oldest = await search(send, `active=true&bucket=window_*&order=oldest${filter}`);
      const sorted = ({ rows }: Found): string[] => rows.map((row) => JSON.stringify(row)).sort();
      assert.equal(sorted(newest), sorted(oldest), filter);
      assert.equal(newest.summary, oldest.summary, filter);
    }
  }));

test("counts days right where clocks are put forward", () =>
  withServer({ buckets: ["b"] }, async ({ send, server }) => {
    // Days begin at whole seconds, whatever fraction an event begins at.
    const timestamp = "2024-03-30T12:00:00.750+01:00";
    await server.events.insert("b", { timestamp, duration: "36h", data: {} });
    const { rows } = await search(send, "group=day&time_zone=Europe/Berlin");
    const days = rows.map(({ key, seconds }) => `${key} ${seconds}`);
    assert.equal(days, ["2024-03-31 82800", "2024-03-30 43199.25", "2024-04-01 3600.75"]);
  }));

test("searches by the client and in process", () =>
  withServer({}, async ({ server }) => {
    await fill(server, randomEvents(3));
    const client = connect(server);
    const rows = client.search({ filter: ["app=mail"], bucket: ["window_*"] });
    const ids: number[] = [];
    for await (const { id, data } of rows) {
      assert.is(data["app"], "mail");
      ids.push(id);
    }
    const summary = await rows.summary();
    assert.is(summary.events, ids.length);
    const own = server.search({ filter: ["app=mail"], bucket: ["window_*"] });
    const found: number[] = [];
    for await (const { id, bucket } of own) {
      assert.match(bucket, /^window_/);
      found.push(id);
    }
    assert.equal(found, ids);
    const { first, last, ...counts } = await own.summary();
    const times = { first: serializeTimestamp(first as number), last: serializeTimestamp(last as number) };
    assert.equal({ ...counts, ...times }, summary);
    const groups = server.search({ group: "app", numbers: "fold", limit: 1, timeZone: "UTC", dayStart: "00:00" });
    const told = await groups.summary();
    assert.equal([told.events, told.groups], [300, 3]);
    for await (const { seconds } of server.search({ group: "app" })) assert.ok(seconds > 0 && seconds < 1e6);
    for await (const { key } of client.search({ group: "app" })) assert.type(key, "string");
    // The summary of an earlier reading is not that of one that stops.
    for await (const _row of rows) break;
    await rows.summary().then(unreachable, (error: Error) => assert.match(error.message, /stopped early/));
    assert.throws(() => server.search({ host: "desk" as never }), /host must be a list, got 'desk'/);
    assert.throws(() => server.search({ surplus: 1 } as never), /unknown field 'surplus'/);
    const aborted = server.search({ filter: ["x"], signal: AbortSignal.abort("not needed any more") });
    await aborted.summary().then(unreachable, (reason) => assert.is(reason, "not needed any more"));
  }));

test("groups by category, as filters find categories", () =>
  withServer({}, async ({ server, send }) => {
    const events = randomEvents(5);
    await fill(server, events);
    const ungrouped = await search(send, "group=category");
    assert.equal(
      ungrouped.rows.map(({ key, events: count }) => [key, count]),
      [["Uncategorized", events.length]],
    );
    // A rule of words that needs several steps, and a name that needs quotes.
    const classes = [
      { name: ["Work", 'A > "B"'], rule: { type: "regex", regex: "^(editor|edit)+$" } },
      { name: ["Work"], rule: { type: "regex", regex: "editor|mail" } },
      { name: ["Odd 7"], rule: { type: "none" } },
    ];
    await server.settings.put("classes", classes);
    const { rows, summary } = await search(send, "group=category");
    const counts = new Map(rows.map(({ key, events: count }) => [key, count]));
    const countOf = (name: string) => events.filter(({ app }) => app === name).length;
    assert.equal(counts, new Map([...counts.keys()].map((key) => [key, countOf(APPS[String(key)] ?? "")])));
    assert.is(summary["groups"], 3);
    for (const key of counts.keys()) {
      const found = await search(send, `filter=${encodeURIComponent(`category:${key}`)}`);
      const below = key === "Work" ? countOf("editor") : 0;
      assert.is(found.rows.length, (counts.get(key) as number) + below, String(key));
    }
    // A key of the data that is called so is quoted.
    const quoted = await search(send, "group=%22category%22");
    assert.equal(
      quoted.rows.map(({ key }) => key),
      [null],
    );
    const inProcess: unknown[] = [];
    for await (const { key } of server.search({ group: "category" })) inProcess.push(key);
    assert.equal(inProcess, [...counts.keys()]);
  }));

test("what was read is read again, not empty", () =>
  withServer({}, async ({ server }) => {
    await fill(server, randomEvents(3));
    const client = connect(server);
    const sizeOf = async (items: AsyncIterable<unknown>): Promise<number> => {
      let size = 0;
      for await (const item of items) size += typeof item === "string" ? item.length : 1;
      return size;
    };
    for (const items of [
      ...[server.search({ group: "app" }), server.search({ limit: 7 }), server.export(), server.export("other")],
      ...[client.search({ group: "app" }), client.search({ limit: 7 }), client.exportText()],
      ...[client.buckets.exportText("other"), client.buckets.exportCsv("other")],
    ]) {
      const size = await sizeOf(items);
      assert.ok(size > 0);
      assert.is(await sizeOf(items), size);
      if ("summary" in items) assert.is((await items.summary()).events, 300);
    }
    const reader = server.events.read("other");
    assert.is((await reader.toArray()).length, 100);
    assert.is((await reader.toArray()).length, 100);
    assert.is(await sizeOf(reader), 100);
    for await (const _event of reader) break;
    assert.is(await sizeOf(reader.chunks()), await sizeOf(reader.chunks()));
  }));

test("refuses what it cannot read", () =>
  withServer({}, async ({ send }) => {
    const refused = async (query: string): Promise<string> => refusal(await send("GET", `/api/0/search?${query}`), 400);
    assert.match(await refused("filter=title~%2F(%2F"), /of the pattern/);
    assert.match(await refused("filter=title~%2F(%2F&format=ndjson"), /of the pattern/);
    assert.match(await refused("group=a%20b"), /group 'a b': expected a key/);
    assert.match(await refused("time_zone=Mars"), /time_zone must be/);
    assert.equal(await search(send, "start=2024-03-02&end=2024-03-01"), {
      rows: [],
      summary: { events: 0, seconds: 0, days: 0, first: null, last: null },
    });
  }));

test("an event that lasts for centuries lets others in while its days are counted", () =>
  withServer({ buckets: ["window"] }, async ({ send, server }) => {
    const start = Date.parse("1750-01-01T12:00:00Z") * 1000;
    const end = Date.parse("2000-01-01T12:00:00Z") * 1000;
    await server.events.insert("window", [
      { timestamp: micros(start), duration: `${(end - start) / SECOND}s`, data: { app: "a" } },
      { timestamp: micros(start + SECOND), duration: 0, data: { app: "b" } },
    ]);
    const asked = (): Promise<Found> => search(send, "bucket=window&group=day&limit=2");
    const [pauses, { rows, summary }] = await pausesDuring(asked);
    const allDays = (Date.UTC(2000, 0, 1) - Date.UTC(1750, 0, 1)) / 86_400_000 + 1;
    assert.ok(pauses > allDays / 1000, `${pauses} pauses`);
    assert.equal([summary["days"], summary["groups"]], [allDays, allDays]);
    assert.equal(
      rows.map(({ seconds }) => seconds),
      [86_400, 86_400],
    );
  }));

test("days are counted once, in whatever order they come", () => {
  const random = seededRandom(4);
  for (let round = 0; round < 200; round++) {
    const set = new DaySet();
    const all = new Set<number>();
    for (let run = 0; run < 20; run++) {
      const first = Math.floor(random() * 60) - 30;
      const last = first + Math.floor(random() ** 3 * 10);
      set.add(first, last);
      for (let day = first; day <= last; day++) all.add(day);
    }
    assert.is(set.size, all.size, `round ${round}`);
  }
});

test.run();
