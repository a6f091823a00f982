// Summaries that survive a restart, in records. docs/guides/reports.md#limits
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.js";
import type { Summary } from "../../report/summary.js";
import { SUMMARIES_KIND } from "../../storage/records.js";
import type { Storage } from "../../storage/storage.js";
import { fromBase64, toBase64 } from "../../util/base64.js";

/** Most characters of all records. Adapters keep records in memory. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
/** Longer summaries are not stored: reading one would take longer than a slice. */
const MAX_JSON_CHARACTERS = 2 * 1024 * 1024;

/** What a record belongs to. */
export interface RecordOwner {
  readonly key: string;
  /** Identifies the settings. Records with others are deleted. */
  readonly rules: string;
  /** The versions of the events. */
  readonly versions: string;
}

/** The summaries in the records of a storage. Their loss costs time only. */
export class SummaryRecords {
  readonly #storage: Storage;
  /** Characters by key, the oldest first. */
  #sizes: Map<string, number> | undefined;
  #characters = 0;
  #rules: string | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async get({ key, versions }: RecordOwner): Promise<Summary | undefined> {
    const record = await this.#records.get(key);
    if (record === undefined || !isJsonObject(record)) return undefined;
    const { data } = record;
    if (record["versions"] !== versions || typeof data !== "string") return undefined;
    try {
      return JSON.parse(await inflated(fromBase64(data))) as Summary;
    } catch {
      // Damaged, or by another version.
      return undefined;
    }
  }

  /** Stores a summary in the place of an older one. */
  async put({ key, rules, versions }: RecordOwner, summary: Summary, now: number): Promise<void> {
    const json = JSON.stringify(summary);
    if (json.length > MAX_JSON_CHARACTERS) return;
    const data = toBase64(await deflated(json));
    await this.#dropOthers(rules);
    const record: JsonObject = { rules, versions, made: now, data };
    await this.#records.compareAndSet(key, await this.#records.get(key), record);
    this.#count(key, sizeOf(record));
    for (const oldest of this.#sizes?.keys() ?? []) {
      if (this.#characters <= MAX_CHARACTERS) break;
      await this.#delete(oldest);
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
    this.#sizes = new Map();
    this.#characters = 0;
    for (const [key, record] of found) {
      if (isJsonObject(record) && record["rules"] === rules) this.#count(key, sizeOf(record));
      else await this.#delete(key);
    }
  }

  async #delete(key: string): Promise<void> {
    this.#count(key, undefined);
    await this.#records.compareAndSet(key, await this.#records.get(key), undefined);
  }

  #count(key: string, size: number | undefined): void {
    this.#characters += (size ?? 0) - (this.#sizes?.get(key) ?? 0);
    this.#sizes?.delete(key);
    if (size !== undefined) this.#sizes?.set(key, size);
  }
}

function madeAt(record: JsonValue): number {
  return isJsonObject(record) && typeof record["made"] === "number" ? record["made"] : 0;
}

function sizeOf({ data }: JsonObject): number {
  return typeof data === "string" ? data.length : 0;
}

async function deflated(text: string): Promise<Uint8Array> {
  return through(new Blob([text]), new CompressionStream("deflate-raw")).then((blob) => new Uint8Array(blob));
}

async function inflated(bytes: Uint8Array): Promise<string> {
  const plain = await through(new Blob([bytes as Uint8Array<ArrayBuffer>]), new DecompressionStream("deflate-raw"));
  return new TextDecoder().decode(plain);
}

function through(blob: Blob, stream: CompressionStream | DecompressionStream): Promise<ArrayBuffer> {
  return new Response(blob.stream().pipeThrough(stream)).arrayBuffer();
}
