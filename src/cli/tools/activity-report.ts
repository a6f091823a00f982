import { createClient } from "../../client/index.js";
import { sumUpYears } from "../../client/report-parts.js";
import { toCsv } from "../../codec/to-csv.js";
import { visibleJson, visibleLine } from "../../util/visible.js";
import type { CommandOptions } from "../command-options.js";
import { printable, usageError } from "../launch-error.js";
import { readApiKey } from "../option-files.js";
import type { Streams } from "../output.js";
import { runOnConnection, runOnPlace } from "./actions.js";
import type { Connection } from "./connection.js";
import { createReport, formatCount } from "./report.js";

type Options = CommandOptions<"report">;
type Request = NonNullable<Parameters<Connection["client"]["report"]>[0]>;
type Report = Awaited<ReturnType<Connection["client"]["report"]>>;

const DEFAULT_GROUPS: readonly string[] = ["category", "app"];
const UNITS = ["hour", "day", "week", "month"] as const;
const LONGEST_KEY = 50;

export async function report(options: CommandOptions<"report">): Promise<number> {
  const request = requestOf(options);
  const run = async (_options: Options, { client }: Connection): Promise<void> => {
    const inZone = { ...request, time_zone: await timeZoneFor(client) };
    if (options.streams.stderr.isTTY) await showProgress(client, inZone, options.streams);
    const answer = await client.report(inZone);
    options.streams.stdout.write(formatReport(answer, options));
  };
  if (options.url === undefined) return runOnPlace(options, run);
  const { keyFile, url } = options;
  const apiKey = keyFile === undefined ? undefined : (await readApiKey(keyFile)).key;
  return runOnConnection(options, { client: createClient({ url, apiKey }), close: async () => undefined }, run);
}

async function showProgress(client: Connection["client"], request: Request, streams: Streams): Promise<void> {
  const { progress, end } = createReport({ json: false, streams, stdoutHasData: true });
  try {
    await sumUpYears(client.report, request, (done, years) =>
      progress("summing up", done, years, (count) => formatCount(count, "year")),
    );
  } finally {
    end();
  }
}

/** The setting of the dashboard, otherwise the zone of this machine. */
async function timeZoneFor(client: Connection["client"]): Promise<string> {
  const stored = await client.settings.get("timeZone").catch(() => null);
  return typeof stored === "string" && stored !== "" ? stored : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function requestOf({ period = "today", by, group, host, filter, compare, csv, markdown, json }: Options): Request {
  if (Number(csv) + Number(markdown) + Number(json) > 1) throw usageError("use one of --json, --csv and --markdown");
  const unit = UNITS.find((each) => each === by);
  if (by !== undefined && unit === undefined) {
    throw usageError(`--by must be ${UNITS.join(", ")}, got '${printable(by)}'`);
  }
  return {
    ...periodOf(period),
    groups: group.length > 0 ? group : DEFAULT_GROUPS,
    ...(unit === undefined ? {} : { by: unit }),
    ...(host.length > 0 ? { hosts: host } : {}),
    ...(filter.length > 0 ? { filter } : {}),
    ...(compare ? { compare: "previous" as const } : {}),
  };
}

function periodOf(word: string): Pick<Request, "period" | "date" | "to"> {
  if (word === "week" || word === "month" || word === "year") return { period: word };
  const [date = "", to, ...rest] = word.split("..");
  if (rest.length > 0 || date === "" || to === "") {
    throw usageError(`the period must be today, yesterday, week, month, year or FROM..TO, got '${printable(word)}'`);
  }
  return to === undefined ? { date } : { date, to };
}

function formatReport(report: Report, { csv, markdown, json, by, group }: Options): string {
  if (json) return `${visibleJson({ event: "report", ...report })}\n`;
  const bins = report.bins.map(({ start, end, active, away }) => ({ start, end, active, away }));
  if (csv) return toCsv(by !== undefined && group.length === 0 ? bins : groupRows(report));
  const table = markdown ? markdownTable : plainTable;
  const parts = [
    formatHead(report),
    ...groupTables(report).map(table),
    ...(by === undefined ? [] : [table(binTable(report))]),
  ];
  return `${parts.join("\n\n")}\n`;
}

function formatHead({ first_day, last_day, time_zone, totals, score }: Report): string {
  const { active, away, first, last, longest_focus: focus } = totals;
  const clock = (time: string): string => clockIn(time, time_zone);
  const facts = [
    first_day === last_day ? first_day : `${first_day} to ${last_day}`,
    `active ${hours(active)}`,
    `away ${hours(away)}`,
    first === null || last === null ? undefined : `from ${clock(first)} to ${clock(last)}`,
    focus === null ? undefined : `longest focus ${hours(focus.seconds)}`,
    score === undefined || score.productive + score.distracting === 0 ? undefined : formatScore(score),
  ];
  return facts.filter((fact) => fact !== undefined).join(", ");
}

function formatScore({ points, productive, distracting }: NonNullable<Report["score"]>): string {
  return `score ${points.toFixed(1)} (productive ${hours(productive)}, distracting ${hours(distracting)})`;
}

/** A table of strings. All columns except the first are numbers. */
interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function groupTables({ groups, compared }: Report): Table[] {
  return Object.entries(groups).map(([name, { rows }]) => ({
    head: [name, "time", "share", ...(compared === undefined ? [] : ["change"])],
    rows: rows.map(({ key, name: levels, app, seconds, share, change }) => {
      const label = levels === undefined ? (key ?? "-") : `${"  ".repeat(levels.length - 1)}${levels.at(-1)}`;
      const shown = app === undefined || app === null ? label : `${label} (${app})`;
      const changed = change === undefined ? [] : [`${change < 0 ? "-" : "+"}${hours(Math.abs(change))}`];
      return [printable(shown, LONGEST_KEY), hours(seconds), `${Math.round(share * 100)} %`, ...changed];
    }),
  }));
}

function binTable({ bins, time_zone }: Report): Table {
  const rows = bins.map(({ start, active, away }) => [
    `${dateIn(start, time_zone)} ${clockIn(start, time_zone)}`,
    hours(active),
    hours(away),
  ]);
  return { head: ["start", "active", "away"], rows };
}

function plainTable({ head, rows }: Table): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => [...(row[column] ?? "")].length)),
  );
  const lineOf = (cells: readonly string[]): string => {
    const padded = cells.map((cell, column) => {
      const space = " ".repeat(Math.max(0, (widths[column] ?? 0) - [...cell].length));
      return column === 0 ? cell + space : space + cell;
    });
    return padded.join("  ").trimEnd();
  };
  return [head, ...rows].map(lineOf).join("\n");
}

/** Characters that end a cell, or start a link, HTML or code. */
const MARKDOWN = /[\\|[<`]/g;

function markdownTable({ head, rows }: Table): string {
  const lineOf = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replace(MARKDOWN, "\\$&")).join(" | ")} |`;
  const rule = head.map((_, column) => (column === 0 ? "---" : "---:"));
  return [lineOf(head), lineOf(rule), ...rows.map((row) => lineOf(row.map((cell) => cell.trim())))].join("\n");
}

function groupRows({ groups }: Report): object[] {
  return Object.entries(groups).flatMap(([group, { rows }]) =>
    rows.map(({ key, app, seconds, share, change }) => {
      return { group, key: key && visibleLine(key), app: app && visibleLine(app), seconds, share, change };
    }),
  );
}

/** `5:03`, hours and minutes. */
function hours(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

function clockIn(time: string, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(new Date(time));
}

function dateIn(time: string, timeZone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone }).format(new Date(time));
}
