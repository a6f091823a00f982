import { createHash } from "node:crypto";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { micros } from "../../src/index.js";
import type { EventDraft } from "../../src/storage/index.js";
import { type DayOptions, type RealisticDay, realisticDay } from "../../src/testing/index.js";
import { testRefusals, wrong } from "./refusal.js";

const test = suite("realistic day");

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Days of 23, 24 and 25 hours, east and west of Greenwich, and at either side of the date line. */
const PLACES: readonly DayOptions[] = [
  {},
  { timezone: "America/New_York", date: "2024-03-10" },
  { timezone: "Europe/Berlin", date: "2024-10-27" },
  { timezone: "Asia/Kathmandu", date: "2024-06-15" },
  { timezone: "Pacific/Apia", date: "2011-12-31" },
  { timezone: "America/Havana", date: "2024-03-10" },
  // Clocks go forward at 22:00.
  { timezone: "America/Nuuk", date: "2024-03-30" },
];
const SEEDS = [1, 2, 3, -7, 1_000_003];
const DAYS: readonly { readonly name: string; readonly day: RealisticDay }[] = PLACES.flatMap((place) =>
  SEEDS.map((seed) => {
    const day = realisticDay({ ...place, seed });
    return { name: `seed ${seed}, ${day.date} in ${day.timezone}`, day };
  }),
);

const endOf = ({ timestamp, duration }: EventDraft): number => timestamp + duration;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const presenceOf = ({ afk }: RealisticDay): EventDraft[] => afk.events.filter(({ data }) => data.status === "not-afk");
const titleOf = (event: EventDraft): string => String(event.data.title);

/** The event of an ascending list that covers all of another one. */
function around(events: readonly EventDraft[], inner: EventDraft): EventDraft | undefined {
  return events.find((outer) => outer.timestamp <= inner.timestamp && endOf(outer) >= endOf(inner));
}

/** What every day has, whatever the seed and the place. */
const PROPERTIES: Readonly<Record<string, (day: RealisticDay, name: string) => void>> = {
  "every event lies within the date, is longer than 0 and comes after the one before it"(day, name) {
    for (const { bucket, events } of [day.window, day.afk, day.web, day.editor]) {
      let last = day.start;
      for (const event of events) {
        assert.ok(event.timestamp >= last, `${name} ${bucket.id}`);
        assert.ok(event.duration > 0, `${name} ${bucket.id}`);
        assert.is(event.timestamp % 1000, 0);
        last = micros(endOf(event));
      }
      assert.ok(last <= day.end, `${name} ${bucket.id}`);
    }
  },

  "somebody is there for 7 to 9 hours between morning and evening"(day, name) {
    const presence = presenceOf(day);
    const clock = new Intl.DateTimeFormat("en-GB", { timeZone: day.timezone, timeStyle: "short", hourCycle: "h23" });
    const arrival = clock.format((presence[0] as EventDraft).timestamp / 1000);
    const hours = sum(presence.map(({ duration }) => duration)) / HOUR;
    assert.ok(arrival >= "08:15" && arrival <= "09:30", `${name}: came at ${arrival}`);
    assert.ok(hours > 7 && hours < 9, `${name}: ${hours} hours`);
    assert.ok(endOf(presence.at(-1) as EventDraft) < day.end - HOUR, name);
  },

  "afk and not-afk take turns over the whole day without a gap"(day, name) {
    const { events } = day.afk;
    let at = day.start;
    for (const [index, event] of events.entries()) {
      assert.is(event.timestamp, at, name);
      assert.equal(event.data, { status: index % 2 === 0 ? "afk" : "not-afk" });
      at = micros(endOf(event));
    }
    assert.is(at, day.end, name);
    assert.is(events.length % 2, 1, name);
  },

  "one break is lunch, the others are short"(day, name) {
    const breaks = day.afk.events.slice(1, -1).filter(({ data }) => data.status === "afk");
    const lengths = breaks.map(({ duration }) => duration / MINUTE);
    assert.is(lengths.filter((length) => length >= 30 && length <= 65).length, 1, name);
    assert.is(lengths.filter((length) => length >= 3.5 && length <= 14).length, lengths.length - 1, name);
    assert.ok(lengths.length >= 4 && lengths.length <= 16, `${name}: ${lengths.length} breaks`);
  },

  "windows fill the time of presence without gap or overlap"(day, name) {
    const windows = [...day.window.events];
    for (const session of presenceOf(day)) {
      let at = session.timestamp;
      while (at < endOf(session)) {
        const window = windows.shift() as EventDraft;
        assert.is(window.timestamp, at, name);
        at = endOf(window);
      }
      assert.is(at, endOf(session), name);
    }
    assert.is(windows.length, 0, name);
  },

  "a window differs from the one before it"({ window }, name) {
    for (const [index, { data }] of window.events.entries()) {
      assert.equal(Object.keys(data), ["app", "title"]);
      assert.not.equal(data, window.events[index - 1]?.data, name);
    }
  },

  "most windows are a matter of seconds, a few last for many minutes"({ window }, name) {
    const lengths = window.events.map(({ duration }) => duration / SECOND).sort((a, b) => a - b);
    const share = (from: number): number => lengths.filter((length) => length > from).length / lengths.length;
    const median = lengths[Math.floor(lengths.length / 2)] as number;
    assert.ok(lengths.length > 700 && lengths.length < 3000, `${name}: ${lengths.length} windows`);
    assert.ok(median > 3 && median < 8, `${name}: median ${median} s`);
    assert.ok(share(60) > 0.03 && share(60) < 0.15, `${name}: ${share(60)} above a minute`);
    assert.ok(share(300) > 0.001 && share(300) < 0.05, `${name}: ${share(300)} above five minutes`);
    assert.ok((lengths[0] as number) >= 1 && (lengths.at(-1) as number) < 25 * 60 + 1, name);
  },

  "every page was seen in a browser window of its title, and every such window has one"({ web, window }, name) {
    const browser = window.events.filter(({ data }) => data.app === "Firefox");
    assert.is(web.events.length, browser.length, name);
    for (const page of web.events) {
      const seenIn = around(browser, page) as EventDraft;
      assert.is(titleOf(seenIn), `${titleOf(page)} — Mozilla Firefox`, name);
      assert.ok(page.timestamp - seenIn.timestamp <= 400_000, name);
    }
  },

  "every file was seen in an editor window of its name, and most such windows have one"({ editor, window }, name) {
    const windows = window.events.filter(({ data }) => data.app === "Code");
    assert.ok(editor.events.length > windows.length * 0.75 && editor.events.length <= windows.length, name);
    for (const { data, ...span } of editor.events) {
      const seenIn = around(windows, { ...span, data }) as EventDraft;
      const [file, project] = [data.file, data.project].map((path) => String(path).split("/").at(-1));
      assert.is(titleOf(seenIn), `${file} - ${project} - Visual Studio Code`, name);
      assert.ok(String(data.file).startsWith(`${data.project}/`), name);
    }
  },

  "pages and files have what their watchers send"({ web, editor }, name) {
    assert.ok(web.events.length > 100 && editor.events.length > 50, name);
    for (const { data } of web.events) {
      assert.equal(Object.keys(data), ["url", "title", "audible", "incognito", "tabCount"]);
      assert.ok(URL.canParse(String(data.url)));
      assert.type(data.audible, "boolean");
      assert.type(data.incognito, "boolean");
      assert.ok(Number.isInteger(data.tabCount) && Number(data.tabCount) >= 1);
    }
    for (const { data } of editor.events) {
      assert.equal(Object.keys(data), ["file", "project", "language", "branch"]);
      for (const text of Object.values(data)) assert.type(text, "string");
    }
  },
};

for (const [property, holdsFor] of Object.entries(PROPERTIES)) {
  test(property, () => {
    for (const { name, day } of DAYS) holdsFor(day, name);
  });
}

test("buckets are named and typed as the watchers do it", () => {
  const { window, afk, web, editor, start } = realisticDay();
  const records = [window, afk, web, editor].map(({ bucket: { id, type, client } }) => [id, type, client]);
  assert.equal(records, [
    ["aw-watcher-window_test-host", "currentwindow", "aw-watcher-window"],
    ["aw-watcher-afk_test-host", "afkstatus", "aw-watcher-afk"],
    ["aw-watcher-web-firefox_test-host", "web.tab.current", "aw-client-web"],
    ["aw-watcher-vscode_test-host", "app.editor.activity", "aw-watcher-vscode"],
  ]);
  for (const { bucket } of [window, afk, web, editor]) assert.is(bucket.created, start);
});

test("another computer has buckets and prompts of its own", () => {
  const { window } = realisticDay({ hostname: "desk" });
  assert.is(window.bucket.id, "aw-watcher-window_desk");
  assert.is(window.bucket.hostname, "desk");
  assert.ok(window.events.some((event) => titleOf(event).startsWith("dev@desk: ")));
});

test("without options it is 2024-03-01 in UTC with the seed 1", () => {
  const day = realisticDay();
  assert.equal([day.seed, day.date, day.timezone], [1, "2024-03-01", "UTC"]);
  assert.is(day.start, Date.UTC(2024, 2, 1) * 1000);
  assert.is(day.end - day.start, 24 * HOUR);
  assert.equal(day, realisticDay({ seed: 1, date: "2024-03-01", timezone: "UTC", hostname: "test-host" }));
});

test("the same options give the same day", () => {
  for (const place of PLACES) assert.equal(realisticDay({ ...place, seed: 5 }), realisticDay({ ...place, seed: 5 }));
});

test("the day of a seed stays what it was", () => {
  // Tests of others hold figures of such days: whoever changes this says so in the changelog.
  const { window, afk, web, editor } = realisticDay();
  assert.equal(
    [window, afk, web, editor].map(({ events }) => events.length),
    [1013, 19, 369, 272],
  );
  const digest = (day: RealisticDay): string => createHash("sha256").update(JSON.stringify(day)).digest("hex");
  assert.is(digest(realisticDay()).slice(0, 16), "4b2eb74bd0427924");
  const other = realisticDay({ seed: 7, date: "2024-03-10", timezone: "America/New_York" });
  assert.is(digest(other).slice(0, 16), "a569a7904f86eb1e");
});

test("another seed, another date and another zone give another day", () => {
  const days = [
    realisticDay(),
    ...[2, 3, 0, -1, Number.MAX_SAFE_INTEGER].map((seed) => realisticDay({ seed })),
    realisticDay({ date: "2024-03-02" }),
    realisticDay({ timezone: "Europe/Lisbon" }),
  ];
  const shapes = days.map(({ window }) => JSON.stringify(window.events.map(({ duration, data }) => [duration, data])));
  assert.is(new Set(shapes).size, days.length);
});

testRefusals(test, [
  [() => realisticDay({ seed: 1.5 }), "seed must be"],
  [() => realisticDay({ seed: wrong("1") }), "seed must be"],
  [() => realisticDay({ date: wrong(new Date(0)) }), "date must be"],
  [() => realisticDay({ timezone: wrong(null) }), "timezone must be"],
  [() => realisticDay({ hostname: wrong(1) }), "hostname must be"],
  [
    () => realisticDay(wrong({ timeZone: "UTC" })),
    "unknown field 'timeZone' in realisticDay(); use seed, date, timezone, hostname",
  ],
  [() => realisticDay(wrong("2024-03-01")), "the argument of realisticDay() must be"],
]);

test.run();
