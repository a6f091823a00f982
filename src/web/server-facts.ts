import { type Signal, signal } from "@preact/signals";
import type { ServerInfo } from "../client/index.js";
import { isJsonObject } from "../domain/json.js";
import { ask, client } from "./api.js";

/** Server details in the header. */
export interface ServerFacts {
  readonly info: ServerInfo;
  /** Name of the storage; `undefined` if the server does not reveal it. */
  readonly storage: string | undefined;
  /** Whether the server responds to assistants. */
  readonly hasAssistants: boolean;
}

/** `undefined` until known. */
export const server: Signal<ServerFacts | undefined> = signal(undefined);

/** Loads the server details. Never rejects: views show failures. */
export async function loadServer(): Promise<void> {
  try {
    const [info, facts] = await Promise.all([client.info(), readFacts()]);
    server.value = { info, ...facts };
  } catch {
    // Keeps the known details.
  }
}

async function readFacts(): Promise<Omit<ServerFacts, "info">> {
  const response = await ask("server.json");
  const given: unknown = response.ok ? await response.json() : undefined;
  const facts = isJsonObject(given) ? given : {};
  const storage = typeof facts["storage"] === "string" ? facts["storage"] : undefined;
  return { storage, hasAssistants: facts["assistants"] === true };
}
