// The machine of a server that the `activity-server` command runs: its commands, addresses and databases to import.
import { type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, missingCredentials } from "./api.js";
import { flags, hasCommand } from "./flags.js";
import { pollWhileShown } from "./poll.js";
import { recoveries } from "./recoveries.js";
import { refusal } from "./refusal.js";

/** A database of ActivityWatch on the machine. */
export interface FoundDatabase {
  readonly file: string;
  readonly bytes: number;
  /** Time of the last write. */
  readonly written: string;
  /** The import, with numbers of events; `null` if none was started. */
  readonly import:
    | { readonly state: "running"; readonly done: number; readonly total: number }
    | { readonly state: "done"; readonly imported: number; readonly known: number; readonly lost: number }
    | { readonly state: "failed"; readonly message: string }
    | null;
}

/** Facts that only the owner sees. */
export interface Machine {
  /** Flags with which commands find this server's data. */
  readonly flags: string;
  /** The command that starts this server for other devices; `null` if they can reach it. */
  readonly share: string | null;
  /** URLs for other devices; empty if they cannot reach the server. */
  readonly urls: readonly string[];
  /** Size of the data folder; `null` without one. */
  readonly bytes: number | null;
  readonly databases: readonly FoundDatabase[];
}

/** `undefined` until known, and for callers other than the owner. */
export const machine: Signal<Machine | undefined> = signal(undefined);

async function load(signal?: AbortSignal): Promise<void> {
  if (!hasCommand || missingCredentials.peek() !== undefined) return;
  await receive(await ask("api/0/machine", signal && { signal }));
}

async function receive(response: Response): Promise<void> {
  if (!response.ok) throw refusal(response.status, await response.text());
  const received: Machine = await response.json();
  machine.value = received;
  flags.value = received.flags;
}

/** Starts to import a database. @throws ActivityClientError; TypeError without a response */
export async function importDatabase(file: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ file });
  await receive(await ask("api/0/machine/import", { method: "POST", headers, body }));
}

const IMPORT_MILLIS = 1000;

function isImporting(): boolean {
  return machine.value?.databases.some((database) => database.import?.state === "running") ?? false;
}

/** Loads the machine, and the progress of its imports. */
export function useMachine(): Machine | undefined {
  const isBusy = isImporting();
  useEffect(() => pollWhileShown(load, () => (isImporting() ? IMPORT_MILLIS : undefined)), [isBusy, recoveries.value]);
  return machine.value;
}
