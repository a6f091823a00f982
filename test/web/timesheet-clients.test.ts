// Timesheets of clients: rounding up, exact amounts, and the same columns in all files.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { printCsv } from "../../src/web/csv.js";
import { type Calendar, partsOfDays, periodAround } from "../../src/web/period.js";
import { speak } from "../../src/web/texts/language.js";
import { DEFAULT_CHOICE, FORMS, type SheetChoice, STEPS } from "../../src/web/views/timesheet/choice.js";
import {
  amountsOf,
  clientChoice,
  clientPeriod,
  readClients,
  type SheetClient,
  withClient,
} from "../../src/web/views/timesheet/clients.js";
import { amountOf, decimalOf, formatMoney, parseRate, parseTypedRate } from "../../src/web/views/timesheet/money.js";
import { type CellNote, placeKey } from "../../src/web/views/timesheet/notes.js";
import { roundRow, roundUpTo, unitOf } from "../../src/web/views/timesheet/rounding.js";
import { type Bin, createSheet } from "../../src/web/views/timesheet/sheet.js";
import { documentOf, type SheetDocument } from "../../src/web/views/timesheet/sheet-document.js";
import { sheetMarkdown, sheetPage, sheetRows } from "../../src/web/views/timesheet/sheet-files.js";
import { intOf, randomOf } from "../contract/case.js";

const test = suite("timesheets of clients");

const CALENDAR: Calendar = { zone: "Europe/Berlin", startOfDay: "04:00", startOfWeek: "Monday" };
const MONTH = periodAround("month", "2026-11-01", CALENDAR);
const DAYS = partsOfDays(MONTH, CALENDAR);

const client = (changes: Partial<SheetClient> = {}): SheetClient => ({
  ...{ category: ["Work", "Acme"], name: "Acme Ltd.", rate: "85.5", currency: "EUR", step: 900, sum: "cells_up" },
  ...changes,
});

const ACME = client();

/** A day of a report with times of categories. */
function bin(index: number, times: Readonly<Record<string, number>>): Bin {
  const rows = Object.entries(times).map(([key, seconds]) => ({ key, name: key.split(">"), seconds }));
  const seconds = rows.reduce((sum, row) => sum + row.seconds, 0);
  const lists = { category: { rows, seconds } };
  const start = new Date(DAYS[index]?.start ?? 0).toISOString();
  return { ...{ start, end: "", active: 0, away: 0, categories: [], breaks: [] }, lists } as unknown as Bin;
}

interface Example {
  readonly choice?: SheetChoice;
  readonly clients?: readonly SheetClient[];
  readonly notes?: readonly CellNote[];
  readonly days?: readonly Readonly<Record<string, number>>[];
}

const TIMES = [{ "Work>Acme>Design": 3000.000001, "Work>Acme": 600, Media: 5000 }, {}, { "Work>Acme": 60 }];

function example({ choice = clientChoice(DEFAULT_CHOICE, ACME), notes = [], ...given }: Example): SheetDocument {
  const { clients = [ACME], days = TIMES } = given;
  const sheet = createSheet(DAYS, [days.map((times, index) => bin(index, times))], choice, clients);
  return documentOf(sheet, {
    ...{ choice, clients, notes: new Map(notes.map((note) => [placeKey(note), note])), filter: [] },
    ...{ zone: "Europe/Berlin", startOfDay: "04:00", period: "November 2026", hosts: ["desk"] },
  });
}

const textsOf = ({ rows, sums }: SheetDocument): string[][] => [
  ...rows.map(({ date, cells }) => [date, ...cells.map(({ text }) => text)]),
  sums.map(({ text }) => text),
];

test("time is rounded up to the next step once it is a second past one", () => {
  const up = (seconds: number): number => roundUpTo(seconds, 900);
  assert.equal([0, 0.4, 1, 900, 900.000_000_1, 900.4, 901, 1800].map(up), [0, 0, 900, 900, 900, 900, 1800, 1800]);
  assert.equal(roundRow([100, 100, 1000], 900, "cells_up"), { cells: [900, 900, 1800], total: 3600 });
  assert.equal(roundRow([100, 200, 1000], 900, "row_up"), { cells: [0, 900, 900], total: 1800 });
  assert.equal(roundRow([0, 0], 900, "cells_up"), { cells: [0, 0], total: 0 });
});

test("a total rounded up is less than a step above its time, its cells add up to it, and none without time gets any", () => {
  const random = randomOf(41);
  for (let round = 0; round < 3000; round++) {
    const seconds = Array.from({ length: intOf(random, 1, 8) }, () =>
      random() < 0.3 ? 0 : intOf(random, 0, 20_000_000) / 1000,
    );
    const whole = seconds.reduce((sum, one) => sum + one, 0);
    for (const step of STEPS.filter((one) => one > 1)) {
      const { cells, total } = roundRow(seconds, step, "row_up");
      assert.is(
        cells.reduce((sum, one) => sum + one, 0),
        total,
      );
      assert.ok(total > whole - 0.51 && total < whole + step, `${seconds}: ${total}`);
      for (const [at, cell] of cells.entries()) {
        assert.ok(Math.abs(cell - (seconds[at] ?? 0)) < step, `${seconds}`);
        assert.ok(seconds[at] !== 0 || cell === 0, `${seconds}: ${cells}`);
      }
    }
  }
});

test("rates are decimal numbers, with a comma or a point", () => {
  assert.equal(["80", " 80.50", "80,5", "0.125", "007", "80.0000"].map(parseRate), [
    ...["80", "80.5", "80.5", "0.125", "7", "80"],
  ]);
  for (const text of ["", "x", "-1", "1e3", "1.23456", "12345678", "1.000,50", "80 EUR", "."]) {
    assert.is(parseRate(text), undefined, text);
  }
});

test("a typed rate that may have thousands is refused, and a stored one is a decimal number", () => {
  for (const text of ["1,250", "1.250", " 5.000 ", "85,125", "999,999"]) {
    assert.is(parseTypedRate(text), undefined, text);
  }
  assert.equal(["0.125", "0,125", "1250", "1250.125", "1,25", "1.2500", "085.125"].map(parseTypedRate), [
    ...["0.125", "0.125", "1250", "1250.125", "1.25", "1.25", "85.125"],
  ]);
  assert.is(parseRate("85.125"), "85.125");
});

test("an amount is the exact product, rounded half up to the currency's smallest unit", () => {
  assert.is(amountOf(900, "85.5", 2), 2138n);
  assert.is(amountOf(900, "85.46", 2), 2137n);
  assert.is(amountOf(3600, "1.005", 2), 101n);
  assert.is(amountOf(900, "150", 0), 38n);
  assert.is(amountOf(366 * 86_400, "9999999.9999", 3), 87_839_999_999_122n);
  const random = randomOf(7);
  for (let round = 0; round < 3000; round++) {
    const form = FORMS[intOf(random, 0, FORMS.length - 1)] ?? "time";
    const step = STEPS[intOf(random, 0, STEPS.length - 1)] ?? 1;
    const count = intOf(random, 0, 100_000);
    const places = intOf(random, 0, 3);
    const rate = intOf(random, 0, 9_999_999);
    // A unit is a whole number of hundredths of a second, and the rate one of ten-thousandths.
    const hundredths = BigInt(count) * BigInt(Math.round(unitOf({ form, step }) * 100));
    const exact = hundredths * BigInt(rate) * 10n ** BigInt(places);
    const hour = 360_000n * 10_000n;
    const half = (exact % hour) * 2n >= hour ? 1n : 0n;
    const text = parseRate(decimalOf(BigInt(rate), 4)) ?? "";
    assert.is(amountOf(count * unitOf({ form, step }), text, places), exact / hour + half, `${count} ${step} ${text}`);
  }
});

test("amounts are written in the format of the language", () => {
  assert.equal(
    [decimalOf(5n, 2), decimalOf(0n, 2), decimalOf(123_456n, 3), decimalOf(7n, 0)],
    [...["0.05", "0.00", "123.456", "7"]],
  );
  assert.is(formatMoney("1234.5", "EUR", "en-US"), "€1,234.50");
  assert.is(formatMoney("1234.5", "EUR", "de-DE"), "1.234,50\u00a0€");
  assert.is(formatMoney("1500", "JPY", "en-US"), "¥1,500");
  assert.is(formatMoney("0.125", "USD", "en-US"), "$0.125");
});

test("a client's sheet has its days, rounded up, with amounts that add up", () => {
  const sheet = example({});
  assert.equal(
    sheet.columns.map(({ label }) => label),
    ["Day", "Time", "Amount (EUR)"],
  );
  assert.equal(textsOf(sheet), [
    ["2026-11-01", "1.00", "€85.50"],
    ["2026-11-03", "0.25", "€21.38"],
    ["1.25", "€106.88"],
  ]);
  assert.equal([sheet.heading, sheet.subject], ["Acme Ltd.", "November 2026"]);
  assert.is(sheet.totals, "Total: 1.25 h · €106.88 · €85.50 per hour");
  // Nothing about devices, breaks or the exact time.
  assert.equal(sheet.remarks, [
    "Each day is rounded up to 0.25 h.",
    "Amounts are rounded for each day and column, then added up.",
  ]);
});

test("days without time can be shown, and those with a note always are", () => {
  const choice = clientChoice(DEFAULT_CHOICE, ACME);
  assert.is(example({ choice: { ...choice, empty: true } }).rows.length, 30);
  const note = { id: 1, date: "2026-11-05", by: "$category", column: ACME.category, text: "Free of charge" };
  const noted = example({ notes: [note] });
  assert.equal(textsOf(noted)[2], ["2026-11-05", "–", "–", "Free of charge"]);
});

test("notes on whole days and on other columns are not on a client's sheet", () => {
  const notes = [
    { id: 1, date: "2026-11-01", text: "Dentist" },
    { id: 2, date: "2026-11-01", by: "$category", column: ["Work", "Other"], text: "Offer of another" },
  ];
  assert.equal(textsOf(example({ notes })), textsOf(example({})));
  const own = example({ notes, choice: { ...clientChoice(DEFAULT_CHOICE, ACME), details: true } });
  assert.is(own.rows[0]?.cells.at(-1)?.text, "Dentist");
});

test("a column has the rate of its category or the nearest parent, and each currency its own amounts", () => {
  const clients = [
    client({ rate: "80" }),
    client({ category: ["Work", "Acme", "Design"], rate: "100" }),
    client({ category: ["Work", "Beta"], rate: "5000", currency: "JPY" }),
  ];
  const columns = [["Work", "Acme"], ["Work", "Acme", "Design", "Logo"], ["Work", "Beta"], ["Media"]];
  const choice: SheetChoice = { ...DEFAULT_CHOICE, columns, amounts: true, others: false, step: 900 };
  const times = { "Work>Acme": 3600, "Work>Acme>Design>Logo": 1800, "Work>Beta": 5400, Media: 7200 };
  const sheet = createSheet(DAYS, [[bin(0, times)]], choice);
  assert.equal(
    amountsOf(sheet, choice, clients).map(({ currency, total, days }) => [currency, total, days[0]]),
    [
      ["EUR", 13_000n, 13_000n],
      ["JPY", 7500n, 7500n],
    ],
  );
  assert.equal(amountsOf(sheet, { ...choice, amounts: false }, clients), []);
  const document = example({ choice, clients, days: [times] });
  assert.is(document.totals, "Total: 5:00 · €130.00 · ¥7,500");
  assert.equal(
    document.columns.slice(5, 8).map(({ label }) => label),
    ["Total", "Amount (EUR)", "Amount (JPY)"],
  );
});

const NESTED = [
  client({ category: ["Work"], name: "", rate: "80", step: 60, sum: "cells" }),
  client({ rate: "100", step: 60, sum: "cells" }),
  client({ category: ["Work", "Acme", "Legal"], rate: "200", step: 60, sum: "cells" }),
];
const NESTED_TIMES = {
  Work: 1800,
  "Work>Own": 1800,
  "Work>Acme": 3600,
  "Work>Acme>Design": 3600,
  "Work>Acme>Legal": 3600,
};

test("time is billed once: to the nearest client", () => {
  const bill = (choice: SheetChoice): SheetDocument => example({ choice, clients: NESTED, days: [NESTED_TIMES] });
  const bills = NESTED.map((one) => bill(clientChoice(DEFAULT_CHOICE, one)));
  assert.equal(
    bills.map(({ totals }) => totals),
    [
      "Total: 1.00 h · €80.00 · €80.00 per hour",
      "Total: 2.00 h · €200.00 · €100.00 per hour",
      "Total: 1.00 h · €200.00 · €200.00 per hour",
    ],
  );
  const remark = "A category of another client is not included in its parent.";
  assert.equal(
    bills.map(({ remarks }) => remarks.includes(remark)),
    [true, true, false],
  );
  // The same hours without their amounts, and all of them where each client has a column.
  const [work] = NESTED.map((one) => ({ ...clientChoice(DEFAULT_CHOICE, one), amounts: false }));
  if (work === undefined) throw new Error("no client");
  const sheet = (choice: SheetChoice, clients?: typeof NESTED) =>
    createSheet(DAYS, [[bin(0, NESTED_TIMES)]], choice, clients);
  assert.equal([sheet(work, NESTED).total, sheet(work).total], [3600, 4 * 3600]);
  const automatic = { ...DEFAULT_CHOICE, amounts: true };
  assert.equal(
    sheet(automatic, NESTED).columns.map(({ name, seconds }) => [name?.at(-1), seconds]),
    [
      ["Acme", 7200],
      ["Work", 3600],
      ["Legal", 3600],
    ],
  );
  assert.equal(bill(automatic).totals, "Total: 4:00 · €480.00");
  // A column of a category without a client has no amount, so that it keeps its time.
  const above = { ...automatic, columns: [["Work"]] };
  assert.equal(sheet(above, NESTED.slice(1)).total, 4 * 3600);
  assert.is(sheet(above, NESTED.slice(1)).omitsClients, false);
});

test("the page, CSV, Markdown and HTML have the same columns and rows", async () => {
  const note = { id: 1, date: "2026-11-03", by: "$category", column: ACME.category, text: "Call | *urgent*\nback" };
  const choices = [
    clientChoice(DEFAULT_CHOICE, ACME),
    { ...DEFAULT_CHOICE, amounts: true, titles: true, empty: false },
  ];
  try {
    for (const tag of ["en", "de", "he"] as const) {
      await speak(tag);
      for (const choice of choices) {
        const document = example({ choice, notes: [note] });
        const labels = document.columns.map(({ label }) => label);
        const rows = sheetRows(document);
        assert.equal(rows[0], labels, tag);
        for (const row of rows) assert.is(row.length, labels.length);
        assert.is(rows.length, document.rows.length + 2);
        const lines = sheetMarkdown(document)
          .split("\n")
          .filter((line) => line.startsWith("|"));
        assert.is(lines.length, document.rows.length + 3);
        for (const line of lines) assert.is(line.replaceAll("\\|", "").split("|").length, labels.length + 2, line);
        assert.equal(lines[0]?.slice(2, -2).replace("\\>", ">").split(" | "), labels);
        const page = sheetPage(document, tag, "ltr");
        assert.equal(
          [...page.matchAll(/<th scope="col"[^>]*>([^<]*)/g)].map(([, label]) => label?.replace("&gt;", ">")),
          labels,
        );
        assert.is(page.split("<td").length - 1, (document.rows.length + 1) * (labels.length - 1));
        assert.ok(page.includes(document.totals), document.totals);
      }
    }
  } finally {
    await speak("en");
  }
  const document = example({ notes: [note] });
  assert.match(sheetMarkdown(document), "| Tue, Nov 3 | 0.25 | €21.38 | Call \\| \\*urgent\\* back |\n");
  assert.match(
    printCsv(sheetRows(document)),
    '\r\n2026-11-03,0.25,21.38,"Call | *urgent*\nback"\r\nSum,1.25,106.88,\r\n',
  );
});

test("clients are read from the setting, and what is no client stays in it", () => {
  const odd = [5, { category: "x" }, { category: ["A"], rate: 80, currency: "EUR" }];
  const bad = [
    { category: ["A"], rate: "80", currency: "€" },
    { category: [], rate: "80", currency: "EUR" },
  ];
  const stored = [...odd, ...bad, { category: ["B"], rate: "80,50", currency: "USD", round: 7, sum: "x" }];
  const read = client({ category: ["B"], name: "", rate: "80.5", currency: "USD", step: 60, sum: "row" });
  assert.equal(readClients(stored), [read]);
  assert.equal(readClients({}), []);
  const added = withClient(stored, undefined, ACME) as unknown[];
  assert.equal(added.slice(0, 5), [...odd, ...bad]);
  assert.equal(readClients(added as never), [read, ACME]);
  const moved = withClient(added as never, ["B"], client({ category: ["C"] }));
  assert.equal(readClients(moved), [client({ category: ["C"] }), ACME]);
  // A client replaces another one of its new category.
  assert.equal(readClients(withClient(moved, ["C"], ACME)), [ACME]);
  assert.equal(withClient(moved, ["Work", "Acme"]), [...odd, ...bad, ...(moved as unknown[]).slice(5, 6)]);
});

test("a client's sheet is of a month instead of a week", () => {
  const week = periodAround("week", "2026-11-30", CALENDAR);
  assert.equal(clientPeriod(week, CALENDAR, Date.parse("2026-12-09")), MONTH);
  const december = periodAround("month", "2026-12-01", CALENDAR);
  assert.equal(clientPeriod(week, CALENDAR, Date.parse("2026-12-01T12:00:00Z")), december);
  const year = periodAround("year", "2026-11-16", CALENDAR);
  assert.is(clientPeriod(year, CALENDAR, MONTH.start), year);
});

test.run();
