// Timesheets: what they are asked from, how they add up, and the files they become.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ClientEvent } from "../../src/client/client-types.js";
import { connect } from "../../src/client/index.js";
import { bucket, event, realisticDay, type TestServer } from "../../src/testing/index.js";
import { printCsv } from "../../src/web/csv.js";
import { type Calendar, type Period, partsOfDays, periodAround, rangeOf } from "../../src/web/period.js";
import { speak } from "../../src/web/texts/language.js";
import {
  type ColumnName,
  choiceOf,
  DEFAULT_CHOICE,
  FORMS,
  printChoice,
  type SheetChoice,
  STEPS,
  SUMS,
  workReport,
} from "../../src/web/views/timesheet/choice.js";
import { noteEvent, placeKey, readNotes } from "../../src/web/views/timesheet/notes.js";
import { sheetRequests } from "../../src/web/views/timesheet/requests.js";
import { roundRow, unitOf } from "../../src/web/views/timesheet/rounding.js";
import { type Bin, createSheet, type Sheet } from "../../src/web/views/timesheet/sheet.js";
import { documentOf, printLength, type Wording } from "../../src/web/views/timesheet/sheet-document.js";
import { sheetPage, sheetRows } from "../../src/web/views/timesheet/sheet-files.js";
import { withTestServer } from "../harness.js";

const test = suite("timesheets");

const ZONE = "Europe/Berlin";
const CALENDAR: Calendar = { zone: ZONE, startOfDay: "04:00", startOfWeek: "Monday" };
const HOUR = 3600;

type Rows = readonly (readonly [key: string, seconds: number, categories?: readonly string[], app?: string])[];

/** A day of a report, between the first and the last moment of each list. */
function bin(start: number, lists: Readonly<Record<string, Rows>>, given: Partial<Bin> = {}, ends = DAY_ENDS): Bin {
  const [first, last] = ends;
  const listed = Object.entries(lists).map(([list, rows]) => {
    const shown = rows.map(([key, seconds, category, app]) => ({
      ...{ key, seconds, first, last },
      ...(list === "category" ? { name: key.split(">") } : {}),
      ...(category && { categories: [{ name: category, seconds }] }),
      ...(app !== undefined && { app }),
    }));
    return [list, { rows: shown, seconds: shown.reduce((sum, { seconds }) => sum + seconds, 0), first, last }];
  });
  return {
    ...{ start: new Date(start).toISOString(), end: "", active: 0, away: 0, categories: [] },
    ...{ lists: Object.fromEntries(listed), breaks: [], ...given },
  };
}

const DAY_ENDS = ["2026-11-16T08:00:00Z", "2026-11-17T00:50:00Z"] as const;

function pause(start: string, end: string): NonNullable<Bin["breaks"]>[number] {
  return { start, end, seconds: (Date.parse(end) - Date.parse(start)) / 1000 };
}

/** Two days of a week, all others empty. */
function exampleSheet(changes: Partial<SheetChoice> = {}): Sheet {
  const days = partsOfDays(periodAround("week", "2026-11-16", CALENDAR), CALENDAR);
  const lists: Readonly<Record<string, Rows>> = {
    category: [
      ["Work>Programming", 2 * HOUR + 200],
      ["Work", HOUR + 200],
      ["=Media", 800],
    ],
    title: [
      ["main.ts", 100, ["Work"], "Code"],
      ["main.ts", 50, ["=Media"], "Web"],
      ["film", 120, ["=Media"], "Web"],
    ],
  };
  const breaks = [
    pause("2026-11-16T07:00:00Z", "2026-11-16T07:45:00Z"),
    pause("2026-11-16T10:10:00Z", "2026-11-16T10:40:00Z"),
    pause("2026-11-16T11:40:00Z", "2026-11-17T00:30:00Z"),
  ];
  const bins = [bin(days[0]?.start ?? 0, lists, { breaks }), bin(days[2]?.start ?? 0, lists)];
  return createSheet(days, [bins], { ...DEFAULT_CHOICE, ...changes });
}

const wording = (changes: Partial<Wording> = {}): Wording => ({
  ...{
    choice: DEFAULT_CHOICE,
    clients: [],
    notes: new Map(),
    zone: ZONE,
    startOfDay: "04:00",
    period: "Nov 16 – 22, 2026",
    hosts: ["desk"],
    filter: [],
  },
  ...changes,
});

test("a rounded row adds up to the rounded total, no cell off by a whole step", () => {
  assert.equal(roundRow([200, 200, 200], 360, "row"), { cells: [360, 360, 0], total: 720 });
  assert.equal(roundRow([200, 200, 200], 360, "cells"), { cells: [360, 360, 360], total: 1080 });
  assert.equal(roundRow([100, 100, 100], 360, "row"), { cells: [360, 0, 0], total: 360 });
  assert.equal(roundRow([100, 100, 100], 360, "cells"), { cells: [0, 0, 0], total: 0 });
  assert.equal(roundRow([], 60, "row"), { cells: [], total: 0 });
  for (let seed = 1; seed < 200; seed++) {
    const seconds = Array.from({ length: 1 + (seed % 9) }, (_, at) => ((seed * 7919 + at * 104_729) % 20_000) / 7);
    for (const step of [1, 60, 360, 900]) {
      const { cells, total } = roundRow(seconds, step, "row");
      assert.is(
        cells.reduce((sum, one) => sum + one, 0),
        total,
      );
      for (const [at, cell] of cells.entries()) assert.ok(Math.abs(cell - (seconds[at] ?? 0)) < step, `${seconds}`);
    }
  }
});

test("what is written adds up, however it is rounded and written", () => {
  for (const form of FORMS) {
    for (const step of STEPS) {
      for (const sum of SUMS) {
        for (let seed = 1; seed < 40; seed++) {
          const seconds = Array.from(
            { length: 1 + (seed % 9) },
            (_, at) => ((seed * 7919 + at * 104_729) % 20_000) / 7,
          );
          const { cells, total } = roundRow(seconds, unitOf({ form, step }), sum);
          // In units of the last digit, since sums of decimal fractions are not exact.
          const written = (length: number): number => {
            const [hours = "", minutes = "0", rest = "0"] = printLength(length, { form, step }, "en").split(":");
            return form === "hours" ? Math.round(Number(hours) * 1e4) : Number(hours) * 3600 + +minutes * 60 + +rest;
          };
          const whole = cells.reduce((before, one) => before + written(one), 0);
          assert.is(whole, written(total), JSON.stringify({ form, step, sum, seconds }));
        }
      }
    }
  }
});

test("columns are the first levels, or what was chosen, each event in the deepest one", () => {
  const automatic = exampleSheet();
  assert.equal(
    automatic.columns.map(({ name }) => name),
    [["Work"], ["=Media"]],
  );
  assert.equal(automatic.days[0]?.cells, [3 * HOUR + 420, 780]);
  const chosen = exampleSheet({ columns: [["Work"], ["Work", "Programming"]], step: 1 });
  assert.equal(
    chosen.columns.map(({ name }) => name),
    [["Work"], ["Work", "Programming"], undefined],
  );
  assert.equal(chosen.days[0]?.cells, [HOUR + 200, 2 * HOUR + 200, 800]);
  assert.equal([chosen.days.length, chosen.total, chosen.exact], [7, 6 * HOUR + 2400, 6 * HOUR + 2400]);
});

test("breaks lie between the first and the last of what counts", () => {
  const [monday, tuesday] = exampleSheet({ step: 1 }).days;
  assert.is(new Date(monday?.first ?? 0).toISOString(), "2026-11-16T08:00:00.000Z");
  assert.is(new Date(monday?.last ?? 0).toISOString(), "2026-11-17T00:50:00.000Z");
  assert.equal([monday?.breaks, monday?.breakCount], [30 * 60 + 46_200, 2]);
  assert.equal([tuesday?.first, tuesday?.last, tuesday?.breaks, tuesday?.total], [undefined, undefined, 0, 0]);
});

test("titles are those of the counted columns", () => {
  assert.equal(exampleSheet({ titles: true }).days[0]?.titles, ["main.ts", "film"]);
  const media = exampleSheet({ titles: true, columns: [["=Media"]], others: false });
  assert.equal(media.days[0]?.titles, ["film", "main.ts"]);
  const work = exampleSheet({ titles: true, columns: [["Work", "Programming"], ["Work"]], others: false });
  assert.equal(work.days[0]?.titles, ["main.ts"]);
});

test("titles of chosen projects come from a report of these projects only", () => {
  const choice: SheetChoice = { ...DEFAULT_CHOICE, by: "project", columns: [["a.b"], ["c"]], titles: true };
  assert.is(sheetRequests({}, choice).length, 1);
  const [whole, titled] = sheetRequests({ filter: ["app=Code"] }, { ...choice, others: false });
  assert.equal(whole?.filter, ["app=Code"]);
  assert.equal(titled?.filter, ["app=Code", "project~/^(?:a\\.b|c)$/"]);
});

/** The sheet that the server's reports make. */
async function sheetOf(server: TestServer, period: Period, choice: SheetChoice, calendar = CALENDAR): Promise<Sheet> {
  const base = { period: "range", date: period.first, to: period.last, hosts: ["desk"] } as const;
  const placed = { ...base, time_zone: calendar.zone, day_start: calendar.startOfDay };
  const client = connect(server);
  const reports = await Promise.all(sheetRequests(placed, choice).map((request) => client.report(request)));
  return createSheet(
    partsOfDays(period, calendar),
    reports.map(({ bins }) => bins),
    choice,
  );
}

test("a report of some columns has breaks without any activity only", () =>
  withTestServer({ hostname: "desk", testing: false, clock: "2026-12-01T00:00:00Z" }, async (server) => {
    const at = (hour: number, app: string) =>
      event({ timestamp: `2026-11-16T${hour}:00:00Z`, duration: { seconds: HOUR }, data: { app, title: app } });
    const window = bucket({ id: "aw-watcher-window_desk", hostname: "desk", type: "currentwindow" });
    await server.load([{ bucket: window, events: [at(10, "Editor"), at(11, "Films"), at(13, "Editor")] }]);
    const edit = (time: string) =>
      event({ timestamp: `2026-11-16T${time}:00Z`, duration: { seconds: 600 }, data: { project: "p", file: "f" } });
    const editor = bucket({ id: "aw-watcher-code_desk", hostname: "desk", type: "app.editor.activity" });
    await server.load([{ bucket: editor, events: [edit("10:00"), edit("10:40"), edit("13:30")] }]);
    await server.settings.put("classes", [{ name: ["Work"], rule: { type: "regex", regex: "Editor" } }]);
    const period = periodAround("day", "2026-11-16", CALENDAR);
    const choice: SheetChoice = { ...DEFAULT_CHOICE, columns: [["Work"]], others: false };
    const [day] = (await sheetOf(server, period, choice)).days;
    assert.equal([day?.total, day?.breaks, day?.breakCount], [2 * HOUR, HOUR, 1]);
    const [byProject] = (await sheetOf(server, period, { ...DEFAULT_CHOICE, by: "project" })).days;
    assert.equal([byProject?.total, byProject?.breaks, byProject?.breakCount], [1800, HOUR, 1]);
  }));

test("overlapping events count once", () =>
  withTestServer({ hostname: "desk", testing: false, clock: "2026-12-01T00:00:00Z" }, async (server) => {
    const at = (time: string, minutes: number, app: string) =>
      event({ timestamp: `2026-11-16T${time}:00Z`, duration: { seconds: minutes * 60 }, data: { app, title: app } });
    const window = bucket({ id: "aw-watcher-window_desk", hostname: "desk", type: "currentwindow" });
    const long = [0, 1, 2, 3, 4, 5].map((ten) => at(`10:${ten}0`, 10, "Editor"));
    const short = [1, 3, 5].map((ten) => at(`10:${ten}2`, 5, "Mail"));
    await server.load([{ bucket: window, events: [...long, ...short] }]);
    const sheet = await sheetOf(server, periodAround("day", "2026-11-16", CALENDAR), { ...DEFAULT_CHOICE, by: "app" });
    assert.equal([sheet.total, sheet.sums], [HOUR, [2700, 900]]);
  }));

test("lengths are as exact as they are rounded", () => {
  assert.is(printLength(3 * HOUR + 905, { form: "time", step: 60 }), "3:15");
  assert.is(printLength(3 * HOUR + 905, { form: "time", step: 1 }), "3:15:05");
  assert.is(printLength(3 * HOUR + 900, { form: "hours", step: 900 }, "en"), "3.25");
  assert.is(printLength(3 * HOUR + 720, { form: "hours", step: 360 }, "en"), "3.2");
  assert.is(printLength(HOUR + 1, { form: "hours", step: 1 }, "en"), "1.0003");
  assert.is(printLength(30 * HOUR, { form: "time", step: 900 }), "30:00");
});

test("a choice survives the address; what is no choice is as before", () => {
  const choice: SheetChoice = {
    ...{ by: "project", columns: [["a,b"], ['"']], others: false, breakMinutes: 30, step: 900, sum: "cells" },
    ...{ form: "hours", titles: true, empty: false, details: false, amounts: true, heading: "March & April" },
  };
  const printed = new URLSearchParams(printChoice(choice));
  assert.equal(choiceOf(printed, undefined), choice);
  assert.equal(choiceOf(new URLSearchParams(), printChoice(choice)), choice);
  assert.equal(choiceOf(new URLSearchParams("by=app"), printChoice(choice)), { ...choice, by: "app", columns: [] });
  const odd = new URLSearchParams("columns=[5]&break=0&round=7&sum=x&form=y&others=2&titles=");
  assert.equal(choiceOf(odd, undefined), { ...DEFAULT_CHOICE, columns: [] });
  assert.equal(choiceOf(new URLSearchParams("columns={"), [1]), DEFAULT_CHOICE);
});

test("the work report counts work alone, or what was chosen", () => {
  const names: ColumnName[] = [["Media"], ["Work"], ["Work", "Programming"]];
  const report = workReport(DEFAULT_CHOICE, names);
  assert.equal([report.columns, report.others], [[["Work"]], false]);
  const own = workReport({ ...DEFAULT_CHOICE, columns: [["Media"]], heading: "Mine" }, names);
  assert.equal([own.columns, own.heading], [[["Media"]], "Mine"]);
  assert.equal(workReport(DEFAULT_CHOICE, [["Media"]]).columns, [["Media"]]);
});

test("the heading of a work report is in the language of the page, and one that was typed stays", async () => {
  const headings = (): readonly string[] =>
    ["", "Work report"].map((heading) => {
      const made = workReport({ ...DEFAULT_CHOICE, heading }, [["Work"]]);
      const kept = choiceOf(new URLSearchParams(), printChoice(made));
      return documentOf(exampleSheet(kept), wording({ choice: kept })).heading;
    });
  try {
    assert.equal(headings(), ["Work report", "Work report"]);
    await speak("de");
    assert.equal(headings(), ["Arbeitsbericht", "Work report"]);
  } finally {
    await speak("en");
  }
});

test("notes are events with date and column, and the newest one counts", () => {
  const place = { date: "2026-11-16", by: "$category", column: ["Work", "Programming"] };
  const event = noteEvent(place, Date.parse("2026-11-16T03:00:00Z"), " Release ");
  assert.equal(event, {
    timestamp: new Date("2026-11-16T03:00:00Z"),
    duration: 0,
    data: { date: "2026-11-16", key: "$category", column: ["Work", "Programming"], note: "Release" },
  });
  const stored = (id: number, data: ClientEvent["data"]): ClientEvent => ({
    ...{ id, timestamp: "2026-11-16T03:00:00Z", duration: 0, data },
  });
  const notes = readNotes([
    stored(3, { date: "2026-11-16", note: "All day" }),
    stored(2, { date: "2026-11-16", key: "$category", column: ["Work", "Programming"], note: "Newer" }),
    stored(1, event.data ?? {}),
    ...[{ note: "no date" }, { date: "2026-11-16", note: "" }, { date: "d", key: 5, column: [], note: "x" }].map(
      (data, at) => stored(10 + at, data),
    ),
  ]);
  assert.equal([...notes.values()].map(({ id, text }) => [id, text]).sort(), [
    [2, "Newer"],
    [3, "All day"],
  ]);
  assert.is(notes.get(placeKey(place))?.id, 2);
  assert.is(noteEvent({ date: "2026-11-16" }, 0, "x", 7).id, 7);
});

test("CSV has what the sheet has, and nothing that a spreadsheet carries out", () => {
  const choice: SheetChoice = { ...DEFAULT_CHOICE, titles: true };
  const sheet = exampleSheet(choice);
  const note = { id: 1, date: "2026-11-16", by: "$category", column: ["Work"], text: "=cmd()" };
  const words = wording({ choice, notes: new Map([[placeKey(note), note]]) });
  const rows = sheetRows(documentOf(sheet, words));
  assert.equal(rows[0], ["Day", "Work", "=Media", "Total", "First", "Last", "Breaks", "Titles", "Notes"]);
  assert.equal(rows[1], [
    ...["2026-11-16", "3:07", "0:13", "3:20", "09:00", "01:50 +1", "13:20", "main.ts; film", "Work: =cmd()"],
  ]);
  assert.equal(rows[2]?.slice(0, 6), ["2026-11-17", "0:00", "0:00", "0:00", "", ""]);
  assert.equal(rows.at(-1)?.slice(0, 4), ["Sum", "6:14", "0:26", "6:40"]);
  assert.is(
    printCsv([
      ["=1+1", "+1", "-1", "@a", "\tb", 'say "x"', "a,b", "two\nlines", -5, undefined],
      ["plain", 1.5],
    ]),
    '\ufeff\'=1+1,\'+1,\'-1,\'@a,\'\tb,"say ""x""","a,b","two\nlines",-5,\r\nplain,1.5\r\n',
  );
});

test("the file is a page without scripts and addresses, and its texts are no markup", () => {
  const choice: SheetChoice = { ...DEFAULT_CHOICE, heading: "<b>&", sum: "cells", step: 900 };
  const sheet = exampleSheet(choice);
  const note = { id: 1, date: "2026-11-16", text: "</style><script>alert(1)</script>" };
  const page = sheetPage(documentOf(sheet, wording({ choice, notes: new Map([[placeKey(note), note]]) })), "en", "ltr");
  assert.not.match(page, /<script|<b>|<img|<link|https?:|src=/);
  assert.match(page, /&lt;script&gt;/);
  assert.match(page, /<html lang="en" dir="ltr">/);
  assert.match(page, /Each cell is rounded to 15 minutes/);
  assert.match(page, /<p>Nov 16 – 22, 2026 · Device: desk<\/p>/);
  // A date in two lines is no head of a row.
  assert.match(page, /tbody th, tfoot th \{ white-space: nowrap; \}/);
  assert.not.match(page, /main\.ts/);
});

/** A week in which clocks are put back, at a start of day that some work lies before. */
test("totals are those of reports of single days, also over a change of clocks and with another start of day", () =>
  withTestServer({ hostname: "desk", testing: false, clock: "2026-12-01T00:00:00Z" }, async (server) => {
    for (const [index, date] of ["2026-10-23", "2026-10-24", "2026-10-25", "2026-10-26"].entries()) {
      const day = realisticDay({ seed: index + 1, date, timezone: ZONE, hostname: "desk" });
      if (index === 0) await server.load(day);
      else for (const kind of ["window", "afk", "web", "editor"] as const) await server.load([day[kind]]);
    }
    const choices = [
      { columns: [], others: true },
      { columns: [["Work"]], others: true },
      { columns: [["Work"]], others: false },
    ];
    for (const startOfDay of ["02:30", "10:15"]) {
      const calendar = { ...CALENDAR, startOfDay };
      const period = rangeOf("2026-10-22", "2026-10-27", calendar);
      for (const { columns, others } of choices) {
        const choice: SheetChoice = { ...DEFAULT_CHOICE, columns, others, step: 1, titles: true };
        const sheet = await sheetOf(server, period, choice, calendar);
        assert.is(sheet.days.filter(({ total }) => total > 0).length >= 4, true);
        for (const { date, cells, total } of sheet.days) {
          const day = { date, hosts: ["desk"], timeZone: ZONE, dayStart: startOfDay, groups: ["category"] };
          const { totals, groups } = await server.report(day);
          const work = groups["category"]?.rows.find(({ key }) => key === "Work")?.seconds ?? 0;
          const where = `${date} from ${startOfDay}, ${JSON.stringify(choice)}`;
          assert.ok(Math.abs(total - (others ? totals.active : work)) < 1, `${where}: ${total}`);
          const column = sheet.columns.findIndex(({ name }) => name?.[0] === "Work");
          assert.ok(Math.abs((cells[column] ?? 0) - work) < 1, `${where}: ${cells[column]}`);
        }
      }
    }
  }));

test("projects and other keys are columns as well", () =>
  withTestServer({ hostname: "desk", testing: false, clock: "2024-03-03T00:00:00Z" }, async (server) => {
    await server.load(realisticDay({ date: "2024-03-01", timezone: ZONE, hostname: "desk" }));
    const period = periodAround("day", "2024-03-01", CALENDAR);
    for (const by of ["project", "app", "no such key"]) {
      const choice: SheetChoice = { ...DEFAULT_CHOICE, by, step: 1, titles: by === "project" };
      const sheet = await sheetOf(server, period, choice);
      assert.ok(sheet.total > HOUR, by);
      const [name] = sheet.columns[0]?.name ?? [];
      assert.ok(by === "no such key" ? name === undefined || name === "" : name !== "", `${by}: ${name}`);
      if (name === undefined || name === "") continue;
      const alone = await sheetOf(server, period, { ...choice, columns: [[name]], others: false });
      assert.ok(Math.abs(alone.total - (sheet.sums[0] ?? 0)) <= 1, by);
    }
  }));

test.run();
