// Answers that are longer than what lies between server and client, and many requests in a row, in a host.
import diagnostics from "node:diagnostics_channel";
import type { Socket } from "node:net";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { BUCKET, type Send } from "../harness.js";
import { event, json, present, until } from "../http/client.js";
import { head, withConnection } from "../http/raw.js";
import { fill, type ReadTally, shared, watched } from "../http/storages.js";
import { type Download, type Host, type HostCase, type Visit, visit } from "./site.js";

const COUNT = 20_000;
/** Twenty thousand events of 1 kB: twice what the buffers on the way take. */
const LARGE = memory();
await fill(LARGE, "b", COUNT, 1000);

const PATHS = ["/api/0/export", "/api/0/buckets/b/export", "/api/0/buckets/b/events"] as const;

/** Takes pieces until there are so many bytes. */
async function take(download: Download, bytes: number): Promise<void> {
  for (let taken = 0; taken < bytes; ) {
    const piece = await download.next();
    if (piece === undefined) throw new Error(`the answer ended after ${taken} bytes`);
    taken += piece.length;
  }
}

/** Visits a host whose server has large answers. */
function visitLarge(host: Host, prefix: string, body: (visit: Visit & { reads: ReadTally }) => Promise<void>) {
  const storage = watched(shared(LARGE));
  return visit(host, prefix, (visited) => body({ ...visited, reads: storage.reads }), { storage });
}

export const STREAM_CASES: readonly HostCase[] = [
  {
    name: "a large export is read slowly while others are served",
    run: (host, prefix) =>
      visitLarge(host, prefix, async ({ site, send, reads }) => {
        const download = await site.open(`${prefix}/api/0/export`);
        assert.is(download.status, 200);
        const pieces: Uint8Array[] = [];
        for (let piece = await download.next(); piece !== undefined; piece = await download.next()) {
          // Every piece waits for an answer to somebody else, at first.
          if (pieces.push(piece) > 50) continue;
          assert.is((json(await send("GET", "/api/0/buckets/b/events?limit=1")) as unknown[]).length, 1);
        }
        const { buckets } = JSON.parse(Buffer.concat(pieces).toString()) as { buckets: { b: { events: unknown[] } } };
        assert.is(buckets.b.events.length, COUNT);
        assert.is(reads.open, 0);
      }),
  },
  {
    name: "a client that leaves half way ends the read",
    run: (host, prefix) =>
      visitLarge(host, prefix, async ({ site, send, reads }) => {
        for (const path of PATHS) {
          const download = await site.open(prefix + path);
          await take(download, 1_000_000);
          if (!host.sendsAhead) assert.is(reads.open, 1, `${path} was read to its end already`);
          await download.leave();
          await until(() => reads.open === 0, `the end of the read for ${path}`);
          json(await send("GET", "/api/0/info"));
        }
        const all = (COUNT / 1000) * PATHS.length;
        if (!host.sendsAhead) assert.ok(reads.batches < all, "everything was read");
      }),
  },
  {
    name: "HEAD of a large answer reads nearly nothing",
    run: (host, prefix) =>
      visitLarge(host, prefix, async ({ send, reads }) => {
        for (const path of PATHS) {
          const { status, body } = await send("HEAD", path);
          assert.equal([status, body.length], [200, 0], path);
          await until(() => reads.open === 0, `the end of the read for ${path}`);
        }
        assert.ok(reads.batches < 5 * PATHS.length, `${reads.batches} chunks were read`);
      }),
  },
  {
    name: "a client that leaves in the middle of its body does no harm",
    where: ({ isInProcess }) => !isInProcess,
    run: (host, prefix) =>
      visit(host, prefix, async ({ site, send }) => {
        json(await send("POST", "/api/0/buckets/b", BUCKET));
        const lines = ["Host: localhost", "Content-Type: application/json", "Content-Length: 100000"];
        for (const path of ["/api/0/buckets/b/heartbeat?pulsetime=1", "/api/0/buckets/b/events", "/api/0/import"]) {
          await withConnection(present(site.port, "the port"), async ({ socket, write }) => {
            write(head(`POST ${prefix}${path}`, ...lines));
            write('{"timestamp": ');
            await until(() => socket.bytesWritten > 100 && socket.writableLength === 0, "the bytes are out");
          });
        }
        json(await send("POST", "/api/0/buckets/b/heartbeat?pulsetime=1", event(0)));
        assert.is(json(await send("GET", "/api/0/buckets/b/events/count")), 1);
      }),
  },
  {
    name: "many requests on a connection leave no listeners behind",
    where: ({ isInProcess }) => !isInProcess,
    run: async (host, prefix) => {
      const sockets = new Set<Socket>();
      const keep = (message: unknown): void => void sockets.add((message as { socket: Socket }).socket);
      diagnostics.subscribe("net.server.socket", keep);
      try {
        await visit(host, prefix, async ({ send, storage }) => {
          await fill(storage, "b", 1300, 1000);
          const counts: string[] = [];
          for (let round = 0; round < 12; round++) {
            await sendAFew(send);
            counts.push([...sockets].map(listenersOf).join("; "));
          }
          assert.match(counts[0] ?? "", "close");
          assert.is(counts.at(-1), counts[2]);
        });
      } finally {
        diagnostics.unsubscribe("net.server.socket", keep);
      }
    },
  },
];

/** With bodies and without, answered at once and in pieces. */
async function sendAFew(send: Send): Promise<void> {
  await send("POST", "/api/0/buckets/b/heartbeat?pulsetime=100", event(0));
  await send("POST", "/api/0/settings/k", { a: 1 });
  await send("GET", "/api/0/buckets/b/events?limit=1");
  assert.ok((await send("GET", "/api/0/export")).body.length > 1024 * 1024);
  await send("POST", "/api/0/buckets/b/heartbeat", {});
  await send("GET", "/api/0/nothing");
}

function listenersOf(socket: Socket): string {
  return socket
    .eventNames()
    .map((name) => `${String(name)} ${socket.listenerCount(name)}`)
    .sort()
    .join(", ");
}
