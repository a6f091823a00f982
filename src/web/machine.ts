// The machine of a server that the `activity-server` command runs: its commands, addresses and databases to import.
import { type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { MachineFacts } from "../domain/machine.js";
import { ask, missingCredentials } from "./api.js";
import { flags, hasCommand } from "./flags.js";
import { pollWhileShown } from "./poll.js";
import { recoveries } from "./recoveries.js";
import { refusal } from "./refusal.js";

/** `undefined` until known, and for callers other than the owner. */
export const machine: Signal<MachineFacts | undefined> = signal(undefined);

async function load(signal?: AbortSignal): Promise<void> {
  if (!hasCommand || missingCredentials.peek() !== undefined) return;
  await receive(await ask("api/0/machine", signal && { signal }));
}

async function receive(response: Response): Promise<void> {
  if (!response.ok) throw refusal(response.status, await response.text());
  const received: MachineFacts = await response.json();
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
export function useMachine(): MachineFacts | undefined {
  const isBusy = isImporting();
  useEffect(() => pollWhileShown(load, () => (isImporting() ? IMPORT_MILLIS : undefined)), [isBusy, recoveries.value]);
  return machine.value;
}
