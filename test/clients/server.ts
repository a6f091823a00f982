// A server on a free port for one test of a client.
import path from "node:path";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import { createActivityServer, type ListeningSocket, type Storage } from "../../src/index.js";
import { withFolder } from "../adapters/folder.js";
import { withTap } from "../api/answer-tap.js";

/** The storages that the tests of clients run on. */
export const ADAPTERS: Readonly<Record<string, (body: (storage: Storage) => Promise<void>) => Promise<void>>> = {
  memory: (body) => body(memory()),
  leveldb: (body) => withFolder(async (folder) => body(await leveldb({ path: path.join(folder, "data") }))),
};

/** Serves a storage for the time of the body, then closes both. Every answer is held to the OpenAPI document. */
export async function withServer(storage: Storage, body: (listener: ListeningSocket) => Promise<void>): Promise<void> {
  const server = createActivityServer({ storage, hostname: "box" });
  try {
    const listener = await server.listen({ port: 0 });
    await withTap(listener.port, () => body(listener));
  } finally {
    await server.close();
  }
}
