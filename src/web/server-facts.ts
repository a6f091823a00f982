import { type Signal, signal } from "@preact/signals";
import type { ServerInfo } from "../client/index.js";
import { isJsonObject } from "../domain/json.js";
import { ask, client } from "./api.js";

/** Server details in the header. */
export interface ServerFacts {
  readonly info: ServerInfo;
  /** Name of the storage; `undefined` if the server does not reveal it. */
  readonly storage: string | undefined;
}

/** `undefined` until known. */
export const server: Signal<ServerFacts | undefined> = signal(undefined);

/** Loads the server details. Never rejects: views show failures. */
export async function loadServer(): Promise<void> {
  try {
    const [info, storage] = await Promise.all([client.info(), readStorage()]);
    server.value = { info, storage };
  } catch {
    // Keeps the known details.
  }
}

async function readStorage(): Promise<string | undefined> {
  const response = await ask("server.json");
  const facts: unknown = response.ok ? await response.json() : undefined;
  return isJsonObject(facts) && typeof facts["storage"] === "string" ? facts["storage"] : undefined;
}
