// Summaries that survive a restart, in records. docs/guides/reports.md#limits
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.js";
import type { Summary } from "../../report/summary.js";
import { SUMMARIES_KIND } from "../../storage/records.js";
import type { Storage } from "../../storage/storage.js";
import { fromBase64, toBase64 } from "../../util/base64.js";
import { unzipped, zipped } from "../../util/gzip.js";
import { parseSummary, serializeSummary } from "./summary-text.js";

/** Most characters of all records. Adapters keep records in memory. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
/** Longer summaries are not stored: they would displace too many others. */
const MAX_RECORD_CHARACTERS: number = MAX_CHARACTERS / 8;

/** What a record belongs to. */
export interface RecordOwner {
  readonly key: string;
  /** Identifies the settings. Records with others are deleted. */
  readonly rules: string;
  /** The versions of the events. */
  readonly versions: string;
  /** Whether it replaces shorter ones, which are deleted before. */
  readonly isYear: boolean;
}

interface Kept {
  readonly characters: number;
  readonly isYear: boolean;
}

/** The summaries in the records of a storage. Their loss costs time only. */
export class SummaryRecords {
  readonly #storage: Storage;
  /** By key, the oldest first. */
  #kept: Map<string, Kept> | undefined;
  #characters = 0;
  #rules: string | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async get({ key, versions }: Pick<RecordOwner, "key" | "versions">): Promise<Summary | undefined> {
    const record = await this.#records.get(key);
    if (record === undefined || !isJsonObject(record)) return undefined;
    const { data } = record;
    if (record["versions"] !== versions || typeof data !== "string") return undefined;
    try {
      return await parseSummary(decoder.decode(await unzipped(fromBase64(data))));
    } catch {
      // Damaged, or by another version.
      return undefined;
    }
  }

  /** Stores a summary in the place of an older one. */
  async put({ key, rules, versions, isYear }: RecordOwner, summary: Summary, now: number): Promise<void> {
    const data = toBase64(await zipped(encoder.encode(await serializeSummary(summary))));
    if (data.length > MAX_RECORD_CHARACTERS) return;
    await this.#dropOthers(rules);
    const record: JsonObject = { rules, versions, made: now, isYear, data };
    await this.#records.compareAndSet(key, await this.#records.get(key), record);
    this.#count(key, keptOf(record));
    if (this.#characters <= MAX_CHARACTERS) return;
    const kept = [...(this.#kept ?? [])].sort(([, one], [, other]) => Number(one.isYear) - Number(other.isYear));
    for (const [first] of kept) {
      if (this.#characters <= MAX_CHARACTERS) break;
      await this.#delete(first);
    }
  }

  get #records() {
    return this.#storage.records(SUMMARIES_KIND);
  }

  /** Deletes records with other settings than the current ones. */
  async #dropOthers(rules: string): Promise<void> {
    if (this.#rules === rules) return;
    this.#rules = rules;
    const found = [...(await this.#records.list())].sort(([, a], [, b]) => madeAt(a) - madeAt(b));
    this.#kept = new Map();
    this.#characters = 0;
    for (const [key, record] of found) {
      if (isJsonObject(record) && record["rules"] === rules) this.#count(key, keptOf(record));
      else await this.#delete(key);
    }
  }

  async #delete(key: string): Promise<void> {
    this.#count(key, undefined);
    await this.#records.compareAndSet(key, await this.#records.get(key), undefined);
  }

  #count(key: string, kept: Kept | undefined): void {
    this.#characters += (kept?.characters ?? 0) - (this.#kept?.get(key)?.characters ?? 0);
    this.#kept?.delete(key);
    if (kept !== undefined) this.#kept?.set(key, kept);
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function madeAt(record: JsonValue): number {
  return isJsonObject(record) && typeof record["made"] === "number" ? record["made"] : 0;
}

function keptOf({ data, versions, isYear }: JsonObject): Kept {
  return { characters: lengthOf(data) + lengthOf(versions), isYear: isYear === true };
}

function lengthOf(value: JsonValue | undefined): number {
  return typeof value === "string" ? value.length : 0;
}
