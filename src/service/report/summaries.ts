// Keeps summaries of parts of periods until their events or the settings change. docs/guides/reports.md#limits
import type { Micros } from "../../domain/time.js";
import { type Crossings, type Piece, rangeOf } from "../../report/piece.js";
import type { Summary } from "../../report/summary.js";
import type { Storage } from "../../storage/storage.js";
import { LruCache } from "../../util/lru-cache.js";
import type { CacheMemory } from "../../util/memory-budget.js";
import { SummaryRecords } from "./summary-records.js";

/** Maximum memory for summaries, in bytes: ten years of one person. */
const CACHE_BYTES = 96 * 1024 * 1024;
/** Time without reports after which they are dropped. */
const QUIET_MILLIS = 120_000;
const BYTES_PER_ROW = 40;
/** Of an object with its names and times. */
const BYTES_PER_BIN_ROW = 240;
const BYTES_PER_NUMBER = 8;

/** A summary, or the overlaps that prevent one. */
export interface Found {
  readonly crossings: Crossings;
  readonly summary: Summary | undefined;
}

interface Entry extends Found {
  readonly versions: string;
}

/** What summaries depend on besides events. */
export interface SummarySpec {
  /** Identifies the settings. */
  readonly rules: string;
  /** Identifies the settings, the buckets, the lists and the filter. */
  readonly key: string;
  readonly bucketIds: readonly string[];
}

/** Versions of the events that a part depends on. */
export interface PieceVersions {
  /** `undefined` if one is unknown. */
  readonly text: string | undefined;
  /** Whether they stay the same after a restart. */
  readonly isLasting: boolean;
}

/** How a summary is stored. */
export interface Storing {
  readonly isYear: boolean;
  readonly now: Micros;
}

/** The summaries of a storage. A lookup compares the versions of the events, so nothing has to be invalidated. */
export class Summaries {
  readonly #storage: Storage;
  readonly #entries: LruCache<string, Entry>;
  readonly #records: SummaryRecords;
  #stored: Promise<void> = Promise.resolve();

  constructor(storage: Storage, memory: CacheMemory | undefined) {
    this.#storage = storage;
    this.#entries = new LruCache(CACHE_BYTES, { memory, name: "report sums", quietMillis: QUIET_MILLIS });
    this.#records = new SummaryRecords(storage);
  }

  /** The version of a bucket's events in each part. */
  async versionsOf(bucketId: string, pieces: readonly Piece[]): Promise<readonly PieceVersions[]> {
    const lasting = await this.#storage.rangeVersions?.(bucketId, pieces.map(rangeOf));
    const isLasting = lasting?.every((version) => version !== undefined) ?? false;
    if (isLasting) return pieces.map((_, at) => ({ text: lasting?.[at], isLasting }));
    const [text] = (await this.#storage.versions?.([bucketId])) ?? [];
    return pieces.map(() => ({ text, isLasting }));
  }

  async get(spec: SummarySpec, piece: Piece, { text, isLasting }: PieceVersions): Promise<Found | undefined> {
    if (text === undefined) return undefined;
    const key = keyOf(spec, piece);
    const known = this.#entries.get(key);
    if (known !== undefined && known.versions === text) return known;
    const summary = isLasting ? await this.#records.get({ key, versions: text }) : undefined;
    if (summary === undefined) return undefined;
    const found = { crossings: { atStart: false, atEnd: false }, summary };
    this.#keep(key, { ...found, versions: text });
    return found;
  }

  /** Keeps a new summary, and stores it after the others. @param storing absent if it must not be stored */
  put(
    spec: SummarySpec,
    piece: Piece,
    { text, isLasting }: PieceVersions,
    { crossings, summary, storing }: Found & { readonly storing?: Storing | undefined },
  ): void {
    if (text === undefined) return;
    const key = keyOf(spec, piece);
    this.#keep(key, { crossings, summary, versions: text });
    if (summary === undefined || !isLasting || storing === undefined) return;
    const owner = { key, rules: spec.rules, versions: text, isYear: storing.isYear };
    const put = () => this.#records.put(owner, summary, storing.now);
    // On a full disk, reports still work.
    this.#stored = this.#stored.then(put).catch(() => undefined);
  }

  /** Resolves when all new summaries are stored. */
  stored(): Promise<void> {
    return this.#stored;
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.put(key, entry, key.length + entry.versions.length + (entry.summary ? bytesOf(entry.summary) : 0));
  }
}

function keyOf({ key }: SummarySpec, { start, end, isFirst, isLast }: Piece): string {
  return `${key}.${start}.${end}.${isFirst ? 1 : 0}${isLast ? 1 : 0}`;
}

function bytesOf({ lists, borders, categoriesInBins, coverage, extras = [] }: Summary): number {
  let numbers = borders.length * 3;
  for (const times of categoriesInBins) numbers += times.length + 8;
  for (const { silent } of coverage) numbers += silent.length + 16;
  let bytes = 0;
  for (const { ids, categories } of lists) {
    for (const id of ids) bytes += BYTES_PER_ROW + id.length;
    for (const times of categories) numbers += times.length + 4;
  }
  for (const bin of extras) {
    numbers += 16 + (bin.breaks?.length ?? 0) * 8;
    for (const { rows } of Object.values(bin.lists ?? {})) {
      for (const { key, app, categories } of rows) {
        bytes += BYTES_PER_BIN_ROW + (key?.length ?? 0) + (app?.length ?? 0);
        numbers += (categories?.length ?? 0) * 8;
      }
    }
  }
  return bytes + numbers * BYTES_PER_NUMBER;
}
