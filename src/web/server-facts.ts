import { type Signal, signal } from "@preact/signals";
import type { ServerInfo } from "../client/index.js";
import { isJsonObject } from "../domain/json.js";
import { ask, client } from "./api.js";

/** What the header tells of the server. */
export interface ServerFacts {
  readonly info: ServerInfo;
  /** Name of the storage; `undefined` when the server keeps it to itself. */
  readonly storage: string | undefined;
}

/** `undefined` until it is known. */
export const server: Signal<ServerFacts | undefined> = signal(undefined);

/** Asks the server who it is. Never rejects: views show what fails, this does without. */
export async function loadServer(): Promise<void> {
  try {
    const [info, storage] = await Promise.all([client.info(), readStorage()]);
    server.value = { info, storage };
  } catch {
    // What is known stays.
  }
}

async function readStorage(): Promise<string | undefined> {
  const response = await ask("server.json");
  const facts: unknown = response.ok ? await response.json() : undefined;
  return isJsonObject(facts) && typeof facts["storage"] === "string" ? facts["storage"] : undefined;
}
