import { ActivityError } from "../../src/errors.js";
import type { Logger } from "../../src/logger.js";
import type { Storage } from "../../src/storage/storage.js";
import { Api } from "./api.js";
import { leveldbModule, serverModule } from "./package-under-test.js";

/** A folder that is open in this process, behind the HTTP API. */
export interface Embedded {
  readonly api: Api;
  readonly storage: Storage;
  /** Reads a path of the API, without a look at whether the answer fits its description. */
  read(path: string): Promise<{ readonly status: number; readonly text: string }>;
  /** What was logged as an error. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

/** Options of the storage that matter here. */
export interface EmbeddedOptions {
  readonly durability?: "process-crash" | "power-loss";
  readonly flushMillis?: number;
  readonly encryption?: { readonly key: string };
}

/**
 * Opens a data folder in this process: much faster than the launcher, where nothing has to be injected.
 *
 * @throws ActivityError when the folder is refused
 */
export async function openEmbedded(path: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  const errors: string[] = [];
  const told = (message: unknown, ...more: unknown[]) => errors.push([message, ...more].map(String).join(" "));
  const logger: Logger = { error: told, warn: () => {}, info: () => {} };
  const { leveldb } = await leveldbModule();
  const { createActivityServer } = await serverModule();
  const storage = await leveldb({ path, minFreeBytes: 0, logger, ...options });
  const server = createActivityServer({ storage, logger, basePath: "/" });
  try {
    await storage.ready?.();
  } catch (error) {
    await server.close();
    throw error;
  }
  return {
    api: new Api("http://localhost", async (url, init) => server.fetch(new Request(url, init))),
    storage,
    async read(path) {
      const response = await server.fetch(new Request(`http://localhost/api/0/${path}`));
      return { status: response.status, text: await response.text() };
    },
    errors,
    close: () => server.close(),
  };
}

/** Runs a body with an open folder. @returns what the body gives; `undefined` and why when the folder is refused */
export async function tryOpen<T>(
  path: string,
  body: (open: Embedded) => Promise<T>,
  options: EmbeddedOptions = {},
): Promise<{ readonly value: T } | { readonly refused: string }> {
  let open: Embedded;
  try {
    open = await openEmbedded(path, options);
  } catch (error) {
    if (ActivityError.is(error)) return { refused: `${error.code}: ${error.message}` };
    throw error;
  }
  try {
    return { value: await body(open) };
  } finally {
    await open.close();
  }
}
