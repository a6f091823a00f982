import type { Sample } from "./data.js";

export const STORAGES = [
  "memory",
  "leveldb",
  "leveldb encrypted",
  "postgres",
  "unstorage memory",
  "unstorage fs-lite",
  "unstorage redis",
] as const;
export type StorageName = (typeof STORAGES)[number];

/** How a workload reaches the code: over a socket, by `server.fetch`, or at the storage itself. */
export type Via = "http" | "fetch" | "storage";

/** What one stretch of a workload showed. */
export interface Measurement {
  /** In the unit of the row. */
  readonly rate: number;
  /** CPU of the measured process per request, all threads, in microseconds. */
  readonly cpuMicros: number;
  readonly p50Millis: number;
  readonly p99Millis: number;
  /** Share of one core that the client used, in percent; absent in process. */
  readonly clientCpu?: number;
  /** Further numbers by name, where smaller is better. */
  readonly notes?: Readonly<Record<string, number>>;
}

/** Medians of the rounds; notes are the worst of the rounds. */
export interface Summary extends Measurement {
  readonly rates: readonly number[];
}

/** One line of the table. */
export interface Row {
  readonly id: string;
  readonly workload: string;
  readonly via: Via;
  readonly storage: StorageName;
  readonly connections: number;
  readonly unit: string;
  readonly ours: Summary;
  /** Absent where nothing less could do the same. */
  readonly floor?: Summary;
  /** Ours in percent of the floor. */
  readonly ratio?: number;
}

/** What every workload works with. */
export interface Bench {
  readonly rounds: number;
  /** Length of one measurement. */
  readonly seconds: number;
  readonly profileFolder: string | undefined;
  /** How long a server that has been busy is left alone before its memory is looked at again. */
  readonly quietSeconds: number;
  /** Whether the sets that are kept in the system's temporary folder are thrown away first. */
  readonly refill: boolean;
  /** The events of the default sample, generated once. */
  sample(): Sample;
  /** Whether the command line asks for this row: its id or a part of it from the left was named, or nothing. */
  wants(id: string): boolean;
  /** A new folder that is removed at the end. */
  temporaryFolder(): string;
  report(row: Row): void;
}

/** A question to the code, with its own processes. */
export type Workload = (bench: Bench) => Promise<void>;
