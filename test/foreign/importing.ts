// What tests of imports share.

import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type ImportedBucket, importBucket } from "../../src/cli/import/import-bucket.js";
import { openSource } from "../../src/cli/import/open-source.js";
import { type ImportedSettings, importSettings } from "../../src/cli/import/settings.js";
import { openSqlite } from "../../src/cli/import/sqlite-file.js";
import { type ActivityClient, connect } from "../../src/client/index.js";
import { withServer } from "../harness.js";

export function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}

/** A new server in memory, and how to ask it. */
export function withClient(body: (client: ActivityClient) => Promise<void>): Promise<void> {
  return withServer({ door: "process" }, ({ server }) => body(connect(server)));
}

export interface Taken {
  readonly buckets: Readonly<Record<string, ImportedBucket>>;
  readonly settings: ImportedSettings;
  readonly losses: readonly string[];
}

/** Imports a file, as the command does. */
export async function take(file: string, client: ActivityClient, bucketId?: string): Promise<Taken> {
  const source = await openSource(file, bucketId);
  try {
    const buckets: Record<string, ImportedBucket> = {};
    for (const bucket of source.buckets) buckets[bucket.bucket.id] = await importBucket(bucket, client, () => {});
    return { buckets, settings: await importSettings(source.settings, client), losses: source.losses };
  } finally {
    await source.close();
  }
}

export interface ExportedEvent {
  readonly timestamp: string;
  readonly duration: number;
  readonly data: unknown;
}

export interface ExportedBucket {
  readonly id: string;
  readonly events: readonly ExportedEvent[];
  readonly [field: string]: unknown;
}

export type Exported = Readonly<Record<string, ExportedBucket>>;

/** What a document says, whatever the order of events and keys, and however it writes an instant. */
export function contentsOf(buckets: Exported): unknown {
  const entries = Object.values(buckets).map((bucket) => {
    const { metadata: _, last_updated: __, events, ...fields } = bucket;
    const lines = events.map(({ timestamp, duration, data }) => [instantText(timestamp), duration, data]);
    const sorted = lines.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    return [bucket.id, { name: null, ...fields, created: instantText(String(fields["created"])), events: sorted }];
  });
  return Object.fromEntries(entries);
}

/** Milliseconds and what follows them, without zeros. */
function instantText(timestamp: string): string {
  const [, fraction = ""] = /\.(\d+)/.exec(timestamp) ?? [];
  return `${new Date(timestamp.replace(/\.\d+/, "")).getTime() / 1000} ${fraction.slice(0, 6).replace(/0+$/, "")}`;
}

export async function exportOf(client: ActivityClient): Promise<Exported> {
  return (await client.export()).buckets as unknown as Exported;
}

/** Makes a database with some statements. */
export async function makeDatabase(file: string, statements: readonly string[]): Promise<void> {
  await writeFile(file, "");
  const database = await openSqlite(file);
  try {
    for (const statement of statements) for (const _ of database.rows(statement));
  } finally {
    database.close();
  }
}

/** aw-server-rust as it makes its tables, in its version 4 and later. */
export const RUST_TABLES: readonly string[] = [
  `CREATE TABLE buckets (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE NOT NULL, type TEXT NOT NULL,
    client TEXT NOT NULL, hostname TEXT NOT NULL, created TEXT NOT NULL, data_deprecated TEXT DEFAULT '{}',
    data TEXT NOT NULL DEFAULT '{}')`,
  `CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT, bucketrow INTEGER NOT NULL, starttime INTEGER NOT NULL,
    endtime INTEGER NOT NULL, data TEXT NOT NULL, FOREIGN KEY (bucketrow) REFERENCES buckets(id))`,
  "CREATE INDEX events_bucketrow_starttime_endtime_index ON events(bucketrow, starttime DESC, endtime)",
  "CREATE TABLE key_value (key TEXT PRIMARY KEY, value TEXT, last_modified NUMBER NOT NULL)",
  "PRAGMA user_version = 5",
];
