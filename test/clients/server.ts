// A server on a free port for one test of a client.
import path from "node:path";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import { type ActivityServer, createActivityServer, type ListeningSocket, type Storage } from "../../src/index.js";
import { withFolder } from "../adapters/folder.js";
import { withTap } from "../api/answer-tap.js";

/** The storages that the tests of clients run on. */
export const ADAPTERS: Readonly<Record<string, (body: (storage: Storage) => Promise<void>) => Promise<void>>> = {
  memory: (body) => body(memory()),
  leveldb: (body) => withFolder(async (folder) => body(await leveldb({ path: path.join(folder, "data") }))),
};

/** Serves a storage for the time of the body, then closes both. Every answer is held to the OpenAPI document. */
export async function withServer(storage: Storage, body: (listener: ListeningSocket) => Promise<void>): Promise<void> {
  await serve(createActivityServer({ storage, hostname: "box" }), body);
}

/** The same for a server that demands a key, which has these scopes. */
export async function withKey(
  storage: Storage,
  scopes: readonly string[],
  body: (listener: ListeningSocket, key: string) => Promise<void>,
): Promise<void> {
  const server = createActivityServer({ storage, hostname: "box", auth: "required" });
  const { key } = await server.keys.add({ name: "client", scopes });
  await serve(server, (listener) => body(listener, key));
}

async function serve(server: ActivityServer, body: (listener: ListeningSocket) => Promise<void>): Promise<void> {
  try {
    const listener = await server.listen({ port: 0 });
    await withTap(listener.port, () => body(listener));
  } finally {
    await server.close();
  }
}
