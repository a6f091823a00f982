// long: 300 s
// Large answers: serialized as the client takes them, ended when it leaves.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { checkedFetch } from "../api/answer-check.js";
import { sizeOf } from "../faults/sizes.js";
import { inTime, type Served, withServer } from "../harness.js";
import { ADAPTERS, json, present, until } from "./client.js";
import { collectGarbage } from "./garbage.js";
import { head, withConnection } from "./raw.js";
import { door, fill, type ReadOptions, type ReadTally, shared, watched } from "./storages.js";

const test = suite("large answers");

/** Events of 1 kB: far more than all buffers on the way to a client take. */
const COUNT = sizeOf("STREAMED_EVENTS", { short: 16_000, long: 60_000 });
const LARGE = memory();
await fill(LARGE, "b", COUNT, 1000);

const PATHS = ["/api/0/export", "/api/0/buckets/b/export", "/api/0/buckets/b/events"] as const;

interface Stream {
  readonly served: Served;
  readonly port: number;
  readonly reads: ReadTally;
}

function withStream(options: ReadOptions, body: (stream: Stream) => Promise<void>): Promise<void> {
  const storage = watched(shared(LARGE), options);
  return withServer({ storage }, (served) => body({ served, port: served.port, reads: storage.reads }));
}

const request = (path: string, method = "GET"): string => head(`${method} ${path}`, "Host: localhost");

test("a client that leaves a search while nothing more is found ends it, and nothing failed", async () => {
  const gate = door();
  const beforeBatch = (index: number): Promise<void> | undefined => (index > 3 ? gate.opened : undefined);
  await withStream({ beforeBatch }, async ({ port, reads }) => {
    await withConnection(port, async ({ socket, write }) => {
      write(request("/api/0/search?format=ndjson&limit=512"));
      await until(() => socket.bytesRead > 100_000, "all that may be told was sent");
      socket.destroy();
    });
    await turns(20);
    gate.open();
    await until(() => reads.open === 0, "the read was ended");
    assert.ok(reads.batches < COUNT / 1000, "it was searched to the end");
  });
});

test("a client that leaves while the columns of its table are sought ends that", async () => {
  const gate = door();
  let asked = 0;
  const beforeBatch = (index: number): Promise<void> | undefined => {
    asked = index;
    return index > 3 ? gate.opened : undefined;
  };
  await withStream({ beforeBatch }, async ({ port, reads }) => {
    await withConnection(port, async ({ socket, write }) => {
      write(request("/api/0/buckets/b/events?format=csv"));
      await until(() => asked > 3, "some was read");
      socket.destroy();
    });
    await turns(20);
    gate.open();
    await until(() => reads.open === 0, "the read was ended");
    assert.ok(reads.batches < COUNT / 1000, "it was read to the end");
  });
});

for (const path of PATHS) {
  test(`a client that does not read holds the printing back: ${path}`, () =>
    withStream({}, async ({ port, reads }) => {
      await withConnection(port, async ({ socket, write }) => {
        socket.pause();
        write(request(path));
        await settled(reads);
        assert.is(reads.open, 1);
        assert.ok(reads.batches < COUNT / 2000, `${reads.batches} of ${COUNT / 1000} chunks were read`);
      });
    }));

  test(`a client that leaves before the first events are read ends the read: ${path}`, async () => {
    const gate = door();
    await withStream({ beforeBatch: () => gate.opened }, async ({ port, reads }) => {
      await withConnection(port, async ({ socket, write }) => {
        write(request(path));
        await until(() => reads.open === 1, "the read was begun");
        socket.destroy();
      });
      await turns(20);
      gate.open();
      await until(() => reads.open === 0, "the read was ended");
    });
  });

  test(`a storage that fails half way breaks the answer off and is logged once: ${path}`, () => {
    const beforeBatch = (index: number): void => {
      if (index === 8) throw new Error("the disk is gone");
    };
    return withStream({ beforeBatch }, async ({ served, port, reads }) => {
      await withConnection(port, async (connection) => {
        connection.write(request(path));
        assert.is(await inTime(connection.answer(), "the answer"), undefined, "an answer that looks whole");
        const text = (await connection.rest()).toString("latin1");
        assert.match(text.slice(0, 20), "HTTP/1.1 200 ");
        assert.not(text.endsWith("0\r\n\r\n"), "the last chunk mark was sent");
      });
      assert.equal(served.errors.splice(0).map(String), ["Error: the disk is gone"]);
      assert.is(reads.open, 0);
      json(await served.send("GET", "/api/0/info"));
    });
  });
}

test(`clients that leave with several answers under way end all reads,`, () =>
  withStream({}, async ({ port, reads }) => {
    await withConnection(port, async ({ socket, write }) => {
      write(PATHS.map((path) => request(path)).join(""));
      await until(() => reads.begun === 3 && socket.bytesRead > 3_000_000, "the answers came");
      socket.destroy();
    });
    await until(() => reads.open === 0, "all reads were ended");
  }));

test("a client of fetch() that cancels the body ends the read", () =>
  withStream({}, async ({ served: { server }, reads }) => {
    for (const path of PATHS) {
      for (const pieces of [0, 1, 5]) {
        const answer = await server.fetch(new Request(`http://localhost${path}`));
        const reader = present(answer.body, "the body").getReader();
        for (let taken = 0; taken < pieces; taken++) assert.not((await reader.read()).done);
        await reader.cancel();
        await until(() => reads.open === 0, `the read was ended after ${pieces} pieces`);
        assert.ok(reads.batches < 200);
      }
      const head = await checkedFetch(path, { method: "HEAD" }, server.fetch);
      assert.is(await head.text(), "");
      await until(() => reads.open === 0, "HEAD has ended the read");
    }
  }));

test("a body of fetch() fails when the storage fails half way", () => {
  const beforeBatch = (index: number): void => {
    if (index === 8) throw new Error("the disk is gone");
  };
  return withStream({ beforeBatch }, async ({ served: { server, errors } }) => {
    const answer = await server.fetch(new Request("http://localhost/api/0/export"));
    const outcome = await answer.text().then(
      () => "whole",
      () => "broken",
    );
    assert.is(outcome, "broken");
    assert.is(errors.splice(0).length, 1);
  });
});

for (const [adapter, withStorage] of Object.entries(ADAPTERS)) {
  test(`an export of ${COUNT} events does not grow the process by its size, in ${adapter}`, () =>
    withStorage(async (storage) => {
      await fill(storage, "b", COUNT, 1000);
      await withServer({ storage }, async ({ port }) => {
        await withConnection(port, async ({ socket, write }) => {
          let bytes = 0;
          let most = 0;
          const before = process.memoryUsage();
          const growth = (): number => {
            const { external, arrayBuffers } = process.memoryUsage();
            return Math.max(external - before.external, arrayBuffers - before.arrayBuffers);
          };
          socket.removeAllListeners("data");
          socket.on("data", (piece) => {
            bytes += piece.length;
            // Garbage is not held, and when it is collected depends on the machine.
            if (growth() > COUNT * 300) collectGarbage();
            most = Math.max(most, growth());
          });
          write(head("GET /api/0/export", "Host: localhost", "Connection: close"));
          await new Promise((resolve) => socket.once("close", resolve));
          assert.ok(bytes > COUNT * 1000);
          assert.ok(most < COUNT * 650, `${most} bytes were held`);
        });
      });
    }));
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until a read makes no progress any more: for as many turns as it took to get there, and many more. */
async function settled(reads: ReadTally): Promise<void> {
  await until(() => reads.batches > 0, "the read was begun");
  for (let idle = 0, chunks = -1; idle < 2000; idle++) {
    if (chunks !== reads.batches) idle = 0;
    chunks = reads.batches;
    await turns(1);
  }
}

test.run();
