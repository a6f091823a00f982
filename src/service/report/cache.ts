import type { DomainOf } from "../../api/codec.js";
import type { EventSource, SourceVersion } from "../../query/source.js";
import type { ReportRules } from "../../report/rules.js";
import { LruCache } from "../../util/lru-cache.js";
import type { CacheMemory } from "../../util/memory-budget.js";

type Report = DomainOf<"Report">;

/** Maximum memory for reports, in bytes. One may use a quarter: a timesheet of a year needs more than 2 MiB. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** Time without reports after which they are dropped. */
const QUIET_MILLIS = 120_000;
const BYTES_PER_ROW = 400;
const BYTES_PER_BIN = 200;

interface Entry {
  readonly versions: readonly SourceVersion[];
  readonly rules: ReportRules;
  readonly report: Report;
}

/** What a report depends on. */
export interface ReportKey {
  /** Everything except the events and the settings. */
  readonly key: string;
  /** All buckets whose events may count. */
  readonly bucketIds: readonly string[];
  readonly rules: ReportRules;
}

/** Keeps reports until one of their buckets or settings changes. */
export class ReportCache {
  readonly #entries: LruCache<string, Entry>;
  readonly #source: EventSource;

  constructor(source: EventSource, memory: CacheMemory | undefined) {
    this.#source = source;
    this.#entries = new LruCache(CACHE_BYTES, { memory, name: "reports", quietMillis: QUIET_MILLIS });
  }

  /** Returns the kept report, or makes it. Do not change it. */
  async get({ key, bucketIds, rules }: ReportKey, make: () => Promise<Report>): Promise<Report> {
    // Requested before the events are read: a write in between makes the entry useless, never wrong.
    const versions = await this.#source.versions(bucketIds);
    const known = this.#entries.get(key);
    const isSame = (version: SourceVersion, index: number): boolean =>
      version !== undefined && version === known?.versions[index];
    if (known?.rules === rules && versions.every(isSame)) return known.report;
    const report = await make();
    if (versions.every((version) => version !== undefined)) {
      this.#entries.put(key, { versions, rules, report }, bytesOf(report, key));
    }
    return report;
  }
}

function bytesOf({ groups, bins, compared, coverage }: Report, key: string): number {
  const parts = [{ groups, bins }, ...(compared === undefined || compared === null ? [] : [compared])];
  const inParts = parts.map(({ groups, bins }) => {
    const rows = Object.values(groups).flatMap((group) => group.rows);
    const characters = rows.reduce((sum, { key, app }) => sum + (key?.length ?? 0) + (app?.length ?? 0), 0);
    const inBins = bins.reduce((sum, bin) => sum + bytesOfBin(bin), 0);
    return rows.length * BYTES_PER_ROW + characters * 2 + inBins;
  });
  const ranges = coverage.reduce((sum, { silent }) => sum + 1 + silent.length, 0);
  return key.length * 2 + ranges * BYTES_PER_BIN + inParts.reduce((sum, bytes) => sum + bytes, 0);
}

function bytesOfBin({ categories, lists, breaks }: Report["bins"][number]): number {
  const rows = Object.values(lists ?? {}).flatMap((list) => list.rows);
  const bytes = rows.reduce((sum, { key, app }) => sum + ((key?.length ?? 0) + (app?.length ?? 0)) * 2, 0);
  return bytes + rows.length * BYTES_PER_ROW + (1 + categories.length + (breaks?.length ?? 0)) * BYTES_PER_BIN;
}
