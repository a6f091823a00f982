// Timesheets: what they are asked from, how they add up, and the files they become.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ClientEvent } from "../../src/client/client-types.js";
import { connect } from "../../src/client/index.js";
import type { JsonValue } from "../../src/domain/json.js";
import { DEFAULT_CLASSES } from "../../src/filter/default-classes.js";
import { bucket, event, realisticDay } from "../../src/testing/index.js";
import { type Category, rulesOf } from "../../src/web/categories.js";
import { printCsv } from "../../src/web/csv.js";
import { type Calendar, partsOfDays, periodAround, rangeOf } from "../../src/web/period.js";
import { speak } from "../../src/web/texts/language.js";
import { readSummary } from "../../src/web/views/activity/results.js";
import { programOf, sourceOf } from "../../src/web/views/activity/source.js";
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
import { choosableNames, sheetProgram } from "../../src/web/views/timesheet/program.js";
import { roundRow, unitOf } from "../../src/web/views/timesheet/rounding.js";
import { createSheet, type Sheet } from "../../src/web/views/timesheet/sheet.js";
import { documentOf, printLength, type Wording } from "../../src/web/views/timesheet/sheet-document.js";
import { sheetPage, sheetRows } from "../../src/web/views/timesheet/sheet-files.js";
import { withTestServer } from "../harness.js";

const test = suite("timesheets");

const ZONE = "Europe/Berlin";
const CALENDAR: Calendar = { zone: ZONE, startOfDay: "04:00", startOfWeek: "Monday" };
const HOUR = 3600;

function group(data: Record<string, JsonValue>, duration: number): JsonValue {
  return { id: null, timestamp: "2026-11-16T08:00:00Z", duration, data };
}

function stretch(timestamp: string, duration: number): JsonValue {
  return { id: null, timestamp, duration, data: {} };
}

/** Two days of a week, all others empty. */
function exampleSheet(changes: Partial<SheetChoice> = {}): Sheet {
  const days = partsOfDays(periodAround("week", "2026-11-16", CALENDAR), CALENDAR);
  const empty = { groups: [], active: [], duration: 0 };
  const monday = {
    groups: [
      group({ $category: ["Work", "Programming"] }, 2 * HOUR + 200),
      group({ $category: ["Work"] }, HOUR + 200),
      group({ $category: ["=Media"] }, 800),
    ],
    active: [
      stretch("2026-11-16T08:00:00Z", HOUR),
      stretch("2026-11-16T09:10:00Z", HOUR),
      stretch("2026-11-16T10:40:00Z", HOUR),
      stretch("2026-11-17T00:30:00Z", 1200),
    ],
    duration: 3 * HOUR + 1200,
    titles: [group({ app: "Code", title: "main.ts" }, 100), group({ app: "Web", title: "main.ts" }, 50)],
  };
  return createSheet(days, [monday, empty, { ...monday, active: [] }], { ...DEFAULT_CHOICE, ...changes });
}

const wording = (changes: Partial<Wording> = {}): Wording => ({
  ...{
    choice: DEFAULT_CHOICE,
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

test("gaps from the threshold on are breaks", () => {
  const [monday, tuesday] = exampleSheet({ step: 1 }).days;
  assert.is(new Date(monday?.first ?? 0).toISOString(), "2026-11-16T08:00:00.000Z");
  assert.is(new Date(monday?.last ?? 0).toISOString(), "2026-11-17T00:50:00.000Z");
  assert.equal([monday?.breaks, monday?.breakCount], [30 * 60 + 46_200, 2]);
  assert.equal([tuesday?.first, tuesday?.last, tuesday?.breaks, tuesday?.total], [undefined, undefined, 0, 0]);
  assert.is(exampleSheet({ breakMinutes: 10 }).days[0]?.breakCount, 3);
  assert.is(exampleSheet({ breakMinutes: 31 }).days[0]?.breakCount, 1);
});

test("what does not count is no break, and breaks lie between the first and the last of what counts", () => {
  const days = partsOfDays(periodAround("week", "2026-11-16", CALENDAR), CALENDAR);
  const answer = {
    groups: [group({ $category: ["Work"] }, 2 * HOUR)],
    counted: [stretch("2026-11-16T09:00:00Z", HOUR), stretch("2026-11-16T11:30:00Z", HOUR)],
    active: [
      stretch("2026-11-16T07:00:00Z", HOUR),
      // Work, something else at once, half an hour of nothing, work again, and a film in the evening.
      stretch("2026-11-16T09:00:00Z", 2 * HOUR),
      stretch("2026-11-16T11:30:00Z", HOUR),
      stretch("2026-11-16T19:00:00Z", HOUR),
    ],
    duration: 2 * HOUR,
  };
  const [monday] = createSheet(days, [answer], { ...DEFAULT_CHOICE, columns: [["Work"]], others: false }).days;
  assert.equal([monday?.breaks, monday?.breakCount], [HOUR / 2, 1]);
  assert.is(new Date(monday?.first ?? 0).toISOString(), "2026-11-16T09:00:00.000Z");
  assert.is(new Date(monday?.last ?? 0).toISOString(), "2026-11-16T12:30:00.000Z");
});

test("a report of some columns has breaks without any activity only", () =>
  withTestServer({ hostname: "desk", testing: false }, async (server) => {
    const at = (hour: number, app: string) =>
      event({ timestamp: `2026-11-16T${hour}:00:00Z`, duration: { seconds: HOUR }, data: { app, title: app } });
    const window = bucket({ id: "aw-watcher-window_desk", hostname: "desk", type: "currentwindow" });
    await server.load([{ bucket: window, events: [at(10, "Editor"), at(11, "Films"), at(13, "Editor")] }]);
    const client = connect(server);
    const source = sourceOf({ kind: "one", host: "desk" }, Object.values(await client.buckets.list()));
    const days = partsOfDays(periodAround("day", "2026-11-16", CALENDAR), CALENDAR);
    const timeperiods = days.map(({ start, end }) => ({ start: new Date(start), end: new Date(end) }));
    const rules = rulesOf([{ id: 1, name: ["Work"], rule: { type: "regex", regex: "Editor" } }]);
    const choice: SheetChoice = { ...DEFAULT_CHOICE, columns: [["Work"]], others: false };
    const query = sheetProgram(source, choice, { rules }, [["Work"]]) ?? "";
    const [day] = createSheet(days, await client.query({ timeperiods, query }), choice).days;
    assert.equal([day?.total, day?.breaks, day?.breakCount], [2 * HOUR, HOUR, 1]);
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
    ...{ form: "hours", titles: true, heading: "March & April" },
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
  const rows = sheetRows(sheet, documentOf(sheet, words), words);
  assert.equal(rows[0], ["Day", "Work", "=Media", "Total", "First", "Last", "Breaks", "Titles", "Notes"]);
  assert.equal(rows[1], [
    ...["2026-11-16", "3:07", "0:13", "3:20", "09:00", "01:50 +1", "13:20", "main.ts", "Work: =cmd()"],
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
test("totals are those of the activity view, also over a change of clocks and with another start of day", () =>
  withTestServer({ hostname: "desk", testing: false }, async (server) => {
    for (const [index, date] of ["2026-10-23", "2026-10-24", "2026-10-25", "2026-10-26"].entries()) {
      const day = realisticDay({ seed: index + 1, date, timezone: ZONE, hostname: "desk" });
      if (index === 0) await server.load(day);
      else for (const kind of ["window", "afk", "web", "editor"] as const) await server.load([day[kind]]);
    }
    const client = connect(server);
    const buckets = Object.values(await client.buckets.list());
    const categories: readonly Category[] = DEFAULT_CLASSES;
    const classifying = { rules: rulesOf(categories) };
    const names = choosableNames(categories);
    const source = sourceOf({ kind: "one", host: "desk" }, buckets);
    const choices = [
      { columns: [], others: true },
      { columns: [["Work"]], others: true },
      { columns: [["Work"]], others: false },
    ];
    for (const startOfDay of ["02:30", "10:15"]) {
      const calendar = { ...CALENDAR, startOfDay };
      const days = partsOfDays(rangeOf("2026-10-22", "2026-10-27", calendar), calendar);
      const timeperiods = days.map(({ start, end }) => ({ start: new Date(start), end: new Date(end) }));
      const query = programOf(source, classifying) ?? "";
      const expected = (await client.query({ timeperiods, query })).map((one) => readSummary(one));
      for (const { columns, others } of choices) {
        const choice: SheetChoice = { ...DEFAULT_CHOICE, columns, others, step: 1, titles: true };
        const program = sheetProgram(source, choice, classifying, names) ?? "";
        const sheet = createSheet(days, await client.query({ timeperiods, query: program }), choice);
        for (const [at, { date, cells, total }] of sheet.days.entries()) {
          const { seconds = 0, categories: times = [] } = expected[at] ?? {};
          const work = times.filter(({ name }) => name[0] === "Work").reduce((sum, one) => sum + one.seconds, 0);
          const where = `${date} from ${startOfDay}, ${JSON.stringify(choice)}`;
          assert.ok(Math.abs(total - (others ? seconds : work)) < 1, `${where}: ${total}`);
          const column = sheet.columns.findIndex(({ name }) => name?.[0] === "Work");
          assert.ok(Math.abs((cells[column] ?? 0) - work) < 1, `${where}: ${cells[column]}`);
        }
      }
      const wanted = expected.reduce((sum, { seconds }) => sum + seconds, 0);
      const perDay = days.filter((_, at) => (expected[at]?.seconds ?? 0) > 0).length;
      assert.ok(perDay >= 4 && wanted > 20 * HOUR);
    }
  }));

test("projects and other keys are columns as well", () =>
  withTestServer({ hostname: "desk", testing: false }, async (server) => {
    await server.load(realisticDay({ date: "2024-03-01", timezone: ZONE, hostname: "desk" }));
    await server.load([{ bucket: bucket({ id: "other", hostname: "laptop" }), events: [] }]);
    const client = connect(server);
    const source = sourceOf({ kind: "one", host: "desk" }, Object.values(await client.buckets.list()));
    const days = partsOfDays(periodAround("day", "2024-03-01", CALENDAR), CALENDAR);
    const timeperiods = days.map(({ start, end }) => ({ start: new Date(start), end: new Date(end) }));
    for (const by of ["project", "app", "no such key"]) {
      const choice: SheetChoice = { ...DEFAULT_CHOICE, by, step: 1, titles: by === "project" };
      const query = sheetProgram(source, choice, { rules: [] }, []) ?? "";
      const sheet = createSheet(days, await client.query({ timeperiods, query }), choice);
      assert.ok(sheet.total > HOUR, by);
      const [name] = sheet.columns[0]?.name ?? [];
      assert.ok(by === "no such key" ? name === undefined || name === "" : name !== "", `${by}: ${name}`);
      if (name === undefined || name === "") continue;
      const chosen: SheetChoice = { ...choice, columns: [[name]], others: false };
      const alone = createSheet(
        days,
        await client.query({ timeperiods, query: sheetProgram(source, chosen, { rules: [] }, []) ?? "" }),
        chosen,
      );
      assert.ok(Math.abs(alone.total - (sheet.sums[0] ?? 0)) <= 1, by);
    }
    const laptop = sourceOf({ kind: "one", host: "nobody" }, []);
    assert.is(sheetProgram(laptop, DEFAULT_CHOICE, { rules: [] }, []), undefined);
  }));

test.run();
