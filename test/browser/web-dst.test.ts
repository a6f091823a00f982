// long: 600 s
// Totals of the page are those of the API, asked over HTTP, on days, weeks and months in which clocks are changed.
// Where days begin is written down here by hand: the page finds it by tables of the browser, the search by its own.
import type { Page } from "playwright-core";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ActivityClient, createClient } from "../../src/client/index.js";
import { bucket, event, type Filling } from "../../src/testing/index.js";
import { IS_LONG, sampleOf } from "../faults/sizes.js";
import { linesOf, partsOf, totalOf } from "./activity-page.js";
import { HOST, settled, type Web, withWeb } from "./web-page.js";

const test = suite("totals across a change of clocks in Chromium");

/** A change of clocks. */
interface Change {
  readonly zone: string;
  readonly startOfDay: string;
  /** A day, the week and the month around it. */
  readonly day: string;
  readonly week: readonly [first: string, last: string];
  readonly month: readonly [first: string, last: string];
  /** Offsets from UTC before the change and behind it, and the first date that begins with the second one. */
  readonly offsets: readonly [before: string, behind: string];
  readonly firstBehind: string;
  /** How long the day is, in hours, and how many bars its chart has. */
  readonly hours: number;
  readonly bars: number;
  /** When clocks are changed, in UTC. */
  readonly at: string;
  /** Whether the page takes the zone from the settings, and the browser is elsewhere. */
  readonly isSet?: boolean;
}

const BERLIN = "Europe/Berlin";
const SPRING = {
  zone: BERLIN,
  at: "2024-03-31T01:00Z",
  offsets: ["+01:00", "+02:00"],
  week: ["2024-03-25", "2024-03-31"],
  month: ["2024-03-01", "2024-03-31"],
  hours: 23,
  bars: 23,
} as const;
const AUTUMN = {
  zone: BERLIN,
  at: "2024-10-27T01:00Z",
  offsets: ["+02:00", "+01:00"],
  week: ["2024-10-21", "2024-10-27"],
  month: ["2024-10-01", "2024-10-31"],
  hours: 25,
  bars: 25,
} as const;
/** Half an hour. */
const LORD_HOWE = { zone: "Australia/Lord_Howe", isSet: true, bars: 24 } as const;

const CHANGES: readonly Change[] = [
  // From midnight back to eleven: the day before is the long one.
  {
    ...{ zone: "America/Santiago", startOfDay: "00:00", day: "2024-04-06", at: "2024-04-07T03:00Z", isSet: true },
    ...{ offsets: ["-03:00", "-04:00"], firstBehind: "2024-04-07", hours: 25, bars: 25 },
    ...{ week: ["2024-04-01", "2024-04-07"], month: ["2024-04-01", "2024-04-30"] },
  },
  { ...SPRING, startOfDay: "00:00", day: "2024-03-31", firstBehind: "2024-04-01" },
  { ...SPRING, startOfDay: "04:00", day: "2024-03-30", firstBehind: "2024-03-31" },
  { ...AUTUMN, startOfDay: "04:00", day: "2024-10-26", firstBehind: "2024-10-27" },
  {
    ...{ ...LORD_HOWE, startOfDay: "00:00", day: "2024-10-06", at: "2024-10-05T15:30Z", firstBehind: "2024-10-07" },
    ...{ offsets: ["+10:30", "+11:00"], hours: 23.5 },
    ...{ week: ["2024-09-30", "2024-10-06"], month: ["2024-10-01", "2024-10-31"] },
  },
  { ...AUTUMN, startOfDay: "00:00", day: "2024-10-27", firstBehind: "2024-10-28" },
  {
    ...{ ...LORD_HOWE, startOfDay: "04:00", day: "2024-04-06", at: "2024-04-06T15:00Z", firstBehind: "2024-04-07" },
    ...{ offsets: ["+11:00", "+10:30"], hours: 24.5 },
    ...{ week: ["2024-04-01", "2024-04-07"], month: ["2024-04-01", "2024-04-30"] },
  },
  // At midnight: the day begins at one.
  {
    ...{ zone: "America/Santiago", startOfDay: "00:00", day: "2024-09-08", at: "2024-09-08T04:00Z" },
    ...{ offsets: ["-04:00", "-03:00"], firstBehind: "2024-09-09", hours: 23, bars: 23 },
    ...{ week: ["2024-09-02", "2024-09-08"], month: ["2024-09-01", "2024-09-30"] },
  },
];

const HOUR = 3_600_000;
const WINDOW = `aw-watcher-window_${HOST}`;
const AFK = `aw-watcher-afk_${HOST}`;
const CLASSES = [
  { id: 0, name: ["Work"], rule: { type: "regex", regex: "^Code$" } },
  { id: 1, name: ["Media"], rule: { type: "regex", regex: "^Music$" } },
];

function nextDate(date: string): string {
  return new Date(Date.parse(date) + 24 * HOUR).toISOString().slice(0, 10);
}

function datesOf([first, last]: readonly [string, string]): readonly string[] {
  const dates: string[] = [];
  for (let date = first; date <= last; date = nextDate(date)) dates.push(date);
  return dates;
}

/** When a day begins, in Unix milliseconds. */
function startOf(date: string, { startOfDay, offsets, firstBehind }: Change): number {
  return Date.parse(`${date}T${startOfDay}${offsets[date < firstBehind ? 0 : 1]}`);
}

function periodOf([first, last]: readonly [string, string], change: Change): string {
  const [start, end] = [startOf(first, change), startOf(nextDate(last), change)];
  return `${new Date(start).toISOString()}/${new Date(end).toISOString()}`;
}

/** Long windows that reach over the change, over midnights and over both ends of the month, with some time away. */
function filling(change: Change): Filling {
  const windows: ReturnType<typeof event>[] = [];
  const presence: ReturnType<typeof event>[] = [];
  const from = startOf(change.month[0], change) - 30 * HOUR;
  const to = startOf(nextDate(change.month[1]), change) + 30 * HOUR;
  const apps = ["Code", "Music", "Mail"];
  for (let at = from, index = 0; at < to; index++) {
    // Whole seconds, so that timesheets need not be rounded.
    const length = (index % 5) * 5_413_000 + 1_207_000;
    const app = apps[index % apps.length];
    windows.push(
      event({ timestamp: at * 1000, duration: { seconds: length / 1000 }, data: { app, title: `${app}!` } }),
    );
    at += length + (index % 4) * 311_000;
  }
  for (let at = from, index = 0; at < to; index++) {
    const isAway = index % 2 === 1;
    const length = isAway ? 4_127_000 : 25_339_000 + (index % 7) * 1_013_000;
    const status = isAway ? "afk" : "not-afk";
    presence.push(event({ timestamp: at * 1000, duration: { seconds: length / 1000 }, data: { status } }));
    at += length;
  }
  return [
    { bucket: bucket({ id: WINDOW, hostname: HOST }), events: windows },
    { bucket: bucket({ id: AFK, type: "afkstatus", hostname: HOST }), events: presence },
  ];
}

/** Seconds by app. */
type Times = Readonly<Record<string, number>>;

/** Active time by app, as the programs of clients have it. */
async function askedOf(client: ActivityClient, periods: readonly string[]): Promise<readonly Times[]> {
  const program = `
    events = flood(query_bucket("${WINDOW}"));
    not_afk = filter_keyvals(flood(query_bucket("${AFK}")), "status", ["not-afk"]);
    RETURN = merge_events_by_keys(filter_period_intersect(events, not_afk), ["app"]);`;
  const answers: Times[] = [];
  // As many as one request may have, and some.
  for (let at = 0; at < periods.length; at += 10) {
    const timeperiods = periods.slice(at, at + 10);
    const found = await client.query<{ readonly duration: number; readonly data: { readonly app: string } }[]>({
      ...{ timeperiods, query: program },
    });
    for (const groups of found)
      answers.push(Object.fromEntries(groups.map(({ data, duration }) => [data.app, duration])));
  }
  return answers;
}

function sumOf(times: Times): number {
  return Object.values(times).reduce((sum, seconds) => sum + seconds, 0);
}

function near(shown: number | undefined, wanted: number | undefined, what: string): void {
  assert.ok(Math.abs((shown ?? Number.NaN) - (wanted ?? Number.NaN)) < 2e-6, `${what}: ${shown} instead of ${wanted}`);
}

/** The activity of a period: its total, apps, categories and bars. */
async function showsActivity({ page }: Web, wanted: Times, parts: readonly Times[], what: string): Promise<void> {
  await page.locator('.activity-numbers[aria-busy="false"]').waitFor();
  near(await totalOf(page), sumOf(wanted), `${what}: active time`);
  for (const [app, seconds] of await linesOf(page, "Apps")) near(seconds, wanted[app], `${what}: ${app}`);
  const categories = new Map(await linesOf(page, "Categories"));
  near(categories.get("Work"), wanted["Code"], `${what}: Work`);
  near(categories.get("Media"), wanted["Music"], `${what}: Media`);
  near(categories.get("Uncategorized"), wanted["Mail"], `${what}: Uncategorized`);
  const bars = await partsOf(page);
  assert.is(bars.length, parts.length, `${what}: bars`);
  for (const [index, times] of parts.entries()) {
    near(bars[index]?.["Active"], sumOf(times), `${what}: bar ${index}`);
    near(bars[index]?.["Work"] ?? 0, times["Code"] ?? 0, `${what}: Work of bar ${index}`);
  }
}

/** Seconds in a cell of a timesheet, such as `3:15:00`; nothing is a dash. */
function secondsOf(text: string | null): number {
  const [, hours, minutes, seconds] = /^(\d+):(\d\d):(\d\d)/.exec(text ?? "") ?? [];
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
}

/** Total of each day, and of all days. */
async function sheetOf(page: Page): Promise<{ readonly days: readonly number[]; readonly total: number }> {
  const table = page.locator(".sheet-table");
  const heads = await table.locator("thead th").allTextContents();
  const at = heads.indexOf("Total");
  const cells = `:nth-child(${at + 1})`;
  const days = await table.locator(`tbody tr > ${cells}`).allTextContents();
  return { days: days.map(secondsOf), total: secondsOf(await table.locator(`tfoot tr > ${cells}`).textContent()) };
}

for (const change of sampleOf(CHANGES, CHANGES.length)) {
  const { zone, startOfDay, day, week, month, at, hours, bars, isSet = false } = change;
  test(`totals are those of the API around ${at} in ${zone}, with days from ${startOfDay} on`, () =>
    withWeb(
      {
        fill: filling(change),
        now: new Date(startOf(nextDate(month[1]), change) + 100 * HOUR).toISOString(),
        context: { timezoneId: isSet ? "Asia/Tokyo" : zone },
        prepare: async ({ settings }) => {
          await settings.put("startOfDay", startOfDay);
          await settings.put("classes", CLASSES);
          if (isSet) await settings.put("timeZone", zone);
        },
        hash: `#/day/${day}`,
      },
      async (web) => {
        const { page, goto, port } = web;
        const client = createClient({ url: `http://127.0.0.1:${port}` });
        const ask = (periods: readonly string[]): Promise<readonly Times[]> => askedOf(client, periods);
        const dates = datesOf(month);
        const ofDays = await ask(dates.map((date) => periodOf([date, date], change)));
        const ofWeekDays = await ask(datesOf(week).map((date) => periodOf([date, date], change)));
        const [ofDay, ofWeek, ofMonth] = (await ask(
          ([[day, day], week, month] as const).map((one) => periodOf(one, change)),
        )) as [Times, Times, Times];
        const start = startOf(day, change);
        assert.is(startOf(nextDate(day), change) - start, hours * HOUR);

        // By half an hour clocks leave the hours of the day before: what these are is shown by the sum.
        const isWhole = Number.isInteger(hours);
        const hourly = Array.from({ length: isWhole ? hours : 0 }, (_, hour) =>
          [start + hour * HOUR, start + (hour + 1) * HOUR].map((each) => new Date(each).toISOString()).join("/"),
        );
        await page.locator('.activity-numbers[aria-busy="false"]').waitFor();
        const shown = await partsOf(page);
        assert.is(shown.length, bars);
        near(
          shown.reduce((sum, part) => sum + (part["Active"] ?? 0), 0),
          sumOf(ofDay),
          "all bars of the day",
        );
        if (isWhole) await showsActivity(web, ofDay, await ask(hourly), "the day");
        else near(await totalOf(page), sumOf(ofDay), "the day");
        if (IS_LONG) {
          await goto(`#/week/${week[0]}`);
          await showsActivity(web, ofWeek, ofWeekDays, "the week");
        }
        await goto(`#/month/${month[0].slice(0, 7)}`);
        await showsActivity(web, ofMonth, ofDays, "the month");

        await goto(`#/timesheet/month/${month[0].slice(0, 7)}?by=$category&columns=[]&others=1&round=1&form=time`);
        const sheet = await sheetOf(page);
        assert.equal(sheet.days, ofDays.map(sumOf), "the timesheet");
        assert.is(sheet.total, sumOf(ofMonth), "the sum of the timesheet");
        // The report of work: a category alone.
        await goto(`#/timesheet/week/${week[0]}?by=$category&columns=[["Work"]]&others=0&round=1&form=time`);
        const report = await sheetOf(page);
        assert.equal(
          report.days,
          ofWeekDays.map((times) => times["Code"] ?? 0),
          "the report",
        );
        assert.is(report.total, ofWeek["Code"], "the sum of the report");

        await goto(`#/search/month/${month[0].slice(0, 7)}?by=day&f=app%3DCode`);
        await page.locator('.search [aria-busy="false"]').waitFor();
        await settled(page);
        const found = await page.locator(".search tbody tr").evaluateAll((rows) =>
          rows.map((row) => {
            const [, date] = /#\/day\/([\d-]+)/.exec(row.querySelector("a")?.getAttribute("href") ?? "") ?? [];
            return [date ?? "", Number(row.querySelector("time")?.dateTime.slice(2, -1))] as const;
          }),
        );
        const byDay = new Map(found);
        const worked = dates.flatMap((date, index) => (ofDays[index]?.["Code"] ? [date] : []));
        assert.equal([...byDay.keys()].sort(), worked, "days that were found");
        for (const [index, date] of dates.entries()) near(byDay.get(date) ?? 0, ofDays[index]?.["Code"] ?? 0, date);
        const { days, seconds } = await client
          .search({
            ...{ filter: ["app=Code"], active: true, time_zone: zone, day_start: startOfDay },
            ...{ start: new Date(startOf(month[0], change)), end: new Date(startOf(nextDate(month[1]), change)) },
          })
          .summary();
        near(seconds, ofMonth["Code"], "what is found in all");
        assert.is(days, worked.length);
      },
    ));
}

test.run();
