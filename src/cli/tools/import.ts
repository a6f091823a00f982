import { stat } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { setFlagsFromString } from "node:v8";
import type { ActivityClient } from "../../client/index.js";
import { serializeTimestamp } from "../../domain/time.js";
import type { CommandOptions } from "../command-options.js";
import { formatBytes, prepareDataFolder, quotePath } from "../data-folder.js";
import { findDatabases, findDatabasesIn } from "../import/find-databases.js";
import { type ImportedBucket, importBucket } from "../import/import-bucket.js";
import { openSource } from "../import/open-source.js";
import { importSettings } from "../import/settings.js";
import type { Source, SourceBucket } from "../import/source.js";
import { LaunchError, printable, usageError } from "../launch-error.js";
import { explainClientError } from "./actions.js";
import { connect } from "./connection.js";
import { describePlace, type Place, placeFields } from "./place.js";
import { formatCount, joinFacts, type Report } from "./report.js";
import { findTarget } from "./target.js";

type Options = CommandOptions<"import">;

interface Candidate {
  readonly path: string;
  readonly source: Source;
  readonly size: number;
  readonly isTesting: boolean;
  /** Whether a program seems to be writing to it now. */
  readonly isInUse: boolean;
}

/** A server writes every few seconds while the user is active, and at least once a minute. */
const IN_USE_MILLIS = 60_000;

export async function importData(options: Options, report: Report): Promise<number> {
  // An import creates much short-lived garbage: with a small young generation, V8 collects it early.
  setFlagsFromString("--semi-space-growth-factor=1");
  const { from, bucket, place } = options;
  const candidates = from === undefined ? await openFoundDatabases(report) : [await openNamedSource(from, bucket)];
  try {
    for (const [index, candidate] of candidates.entries())
      reportCandidate(candidate, index + 1, candidates.length, report);
    const chosen = await choose(candidates, options);
    if (chosen.length === 0) return 0;
    return await importAll(chosen, place, report);
  } finally {
    for (const { source } of candidates) await source.close();
  }
}

async function openNamedSource(path: string, bucketId: string | undefined): Promise<Candidate> {
  const source = await openSource(path, bucketId);
  const [database] = await findDatabasesIn(path);
  const size = database?.size ?? (await stat(path)).size;
  return { path, source, size, isTesting: false, isInUse: false };
}

async function openFoundDatabases(report: Report): Promise<Candidate[]> {
  const databases = await findDatabases();
  if (databases.length === 0) {
    const advice = "pass a database, export, backup, WakaTime dump or CSV with --from";
    throw new LaunchError(`cannot find an ActivityWatch database; ${advice}`);
  }
  const candidates: Candidate[] = [];
  for (const { file, size, isTesting, written } of databases) {
    try {
      const source = await openSource(file, undefined);
      candidates.push({ path: file, source, size, isTesting, isInUse: Date.now() - written < IN_USE_MILLIS });
    } catch (cause) {
      // An unreadable database must not prevent the import of the others.
      if (!(cause instanceof LaunchError)) throw cause;
      report.event("lost", { file, what: cause.message }, cause.message);
    }
  }
  if (candidates.length === 0) throw new LaunchError("cannot read any of the databases found");
  return candidates;
}

function countEvents({ buckets }: Source): number {
  return buckets.reduce((sum, { events }) => sum + events, 0);
}

function reportCandidate(candidate: Candidate, number: number, of: number, report: Report): void {
  const { path, source, size, isTesting, isInUse } = candidate;
  const { kind, buckets, settings, losses } = source;
  const events = countEvents(source);
  const first = findExtremeStart(buckets, "first", Math.min);
  const last = findExtremeStart(buckets, "last", Math.max);
  const facts = joinFacts([
    kind + (isTesting ? ", testing" : ""),
    formatCount(buckets.length, "bucket"),
    formatCount(events, "event"),
    first && last && `${first.slice(0, 10)} to ${last.slice(0, 10)}`,
    settings.size > 0 && formatCount(settings.size, "setting"),
    formatBytes(size),
  ]);
  const lines = [
    `${of > 1 ? `${number}. ` : ""}${printable(path, 300)}`,
    `   ${facts}`,
    isInUse && "   A program is writing to it. Stop that server first, or the latest events are imported incomplete.",
    ...losses.map((loss) => `   cannot read: ${loss}`),
  ];
  const fields = { file: path, source: kind, testing: isTesting, inUse: isInUse, bytes: size };
  const counts = { buckets: buckets.length, events, settings: settings.size, first, last, losses };
  report.event("found", { ...fields, ...counts }, lines.filter(Boolean).join("\n"));
}

function findExtremeStart(
  buckets: readonly SourceBucket[],
  which: "first" | "last",
  choose: (...instants: number[]) => number,
): string | undefined {
  const instants = buckets.map((bucket) => bucket[which]).filter((instant) => instant !== undefined);
  return instants.length === 0 ? undefined : serializeTimestamp(choose(...instants));
}

/** Chooses the sources to import: by default those for testing with `--testing`, otherwise the others. */
async function choose(candidates: readonly Candidate[], options: Options): Promise<readonly Candidate[]> {
  const { place, dryRun, yes, testing, from, streams } = options;
  if (dryRun) return [];
  const usual = candidates.filter(({ isTesting }) => from !== undefined || isTesting === testing);
  if (yes) {
    if (usual.length > 0) return usual;
    const advice = testing ? "leave out --testing" : "use --testing";
    throw new LaunchError(
      `only found ${testing ? "data that is not" : "data"} for testing; ${advice}, or choose it with --from`,
    );
  }
  if (!streams.stdin.isTTY) throw usageError("no terminal to ask on; use --yes to import, or --dry-run to only look");
  const names = usual.map((candidate) => candidates.indexOf(candidate) + 1).join(",");
  const numbers = candidates.length > 1 ? `, or numbers like ${names || "1"}` : "";
  const lines = createInterface({ input: streams.stdin, output: streams.stderr });
  try {
    const what = candidates.length > 1 ? ` ${names}` : "";
    const answer = await lines.question(`Import${what} into ${printable(describePlace(place), 300)}? [y/N${numbers}] `);
    if (/^y(es)?$/i.test(answer.trim())) return usual;
    if (!/^[\d,\s]+$/.test(answer.trim())) return [];
    const wanted = answer.split(/[,\s]+/).map(Number);
    return candidates.filter((_, index) => wanted.includes(index + 1));
  } finally {
    lines.close();
  }
}

async function importAll(chosen: readonly Candidate[], place: Place, report: Report): Promise<number> {
  if (place.kind === "folder") await prepareDataFolder(place.path);
  const { client, close } = connect(await findTarget(place));
  const sums = { buckets: 0, created: 0, imported: 0, known: 0, invalid: 0, dropped: 0, changed: 0 };
  const total = chosen.reduce((sum, { source }) => sum + countEvents(source), 0);
  let done = 0;
  let hasLosses = false;
  try {
    for (const { path, source } of chosen) {
      for (const bucket of source.buckets) {
        const delivered = await importBucket(bucket, client, (count) => {
          done += count;
          report.progress("importing", done, total, (events) => formatCount(events, "event"));
        });
        sums.buckets++;
        sums.created += delivered.isNew ? 1 : 0;
        for (const count of COUNTS) sums[count] += delivered[count];
        const text = `${printable(bucket.bucket.id)}: ${delivered.isNew ? "new, " : ""}${formatCounts(delivered)}`;
        report.event("bucket", { bucketId: bucket.bucket.id, ...delivered }, text);
      }
      await importAndReportSettings(source, client, report);
      for (const loss of source.losses) {
        hasLosses = true;
        report.event("lost", { file: path, what: loss }, `not imported: ${loss}`);
      }
    }
  } catch (cause) {
    report.end();
    const failure = explainClientError(cause);
    const reason = printable(failure instanceof Error ? failure.message : String(failure), 300);
    const advice = "events imported so far are kept; repeat the command to import the rest";
    throw new LaunchError(`${reason}; ${advice}`, 1, { cause });
  } finally {
    await close();
  }
  const where = place.kind === "folder" ? quotePath(place.path) : describePlace(place);
  const text = `${where}: ${formatCount(sums.buckets, "bucket")}, ${formatCounts(sums)}`;
  report.event("imported", { ...placeFields(place), ...sums }, text);
  return hasLosses ? 1 : 0;
}

const COUNTS = ["imported", "known", "invalid", "dropped", "changed"] as const;

function formatCounts({ imported, known, invalid, dropped, changed }: Omit<ImportedBucket, "isNew">): string {
  return joinFacts([
    `${formatCount(imported, "event")} imported`,
    known > 0 && `${known} already exist`,
    invalid > 0 && `${invalid} invalid`,
    dropped > 0 && `${dropped} dropped by privacy rules`,
    changed > 0 && `${changed} changed by privacy rules`,
  ]);
}

async function importAndReportSettings(source: Source, client: ActivityClient, report: Report): Promise<void> {
  const { taken, kept, refused } = await importSettings(source.settings, client);
  if (taken.length + kept.length + refused.length === 0) return;
  const parts = {
    "imported settings": taken,
    "settings kept, because they differ here": kept,
    "refused settings": refused,
  };
  const texts = Object.entries(parts).flatMap(([what, keys]) =>
    keys.length > 0 ? [`${what}: ${keys.join(", ")}`] : [],
  );
  report.event("settings", { taken, kept, refused }, texts.map((text) => printable(text, 1000)).join("\n"));
}
