// long: 300 s
// Bodies in chunks of one byte: they take as much memory as their content, not as many objects as they have bytes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { detailsOf } from "../faults/sizes.js";
import { BUCKET, inTime, sender, withServer } from "../harness.js";
import { programOf } from "../program.js";
import { event, json } from "./client.js";
import { head, withConnection } from "./raw.js";

const test = suite("bodies in tiny chunks");
const details = detailsOf(test);

const MIB = 1024 * 1024;
/** Far less than a megabyte of chunks takes as objects, and more than a server takes that compiles its sources. */
const HEAP_MIB = 96;

/** Serves in a process whose heap is small. */
async function withSmallHeap(args: readonly string[], body: (port: number) => Promise<void>): Promise<void> {
  const { execArgv, file } = programOf(new URL("small-heap-server.ts", import.meta.url));
  const all = [...execArgv, `--max-old-space-size=${HEAP_MIB}`, file, ...args];
  const child = spawn(process.execPath, all, { stdio: ["pipe", "pipe", "ignore"] });
  const gone = once(child, "exit");
  try {
    const started = await inTime(Promise.race([once(child.stdout, "data"), gone]), "the start", 60);
    await body(Number(String(started[0])));
    child.stdin.end();
    assert.equal(await gone, [0, null], "how the server stopped");
  } finally {
    child.kill("SIGKILL");
    await gone;
  }
}

/** Sends a body a byte a chunk, as fast as it is taken. */
async function inTinyChunks(port: number, line: string, body: string): Promise<void> {
  await withConnection(port, async (connection) => {
    connection.write(head(line, "Host: localhost", "Content-Type: application/json", "Transfer-Encoding: chunked"));
    const { socket } = connection;
    let goOn = (): void => undefined;
    socket.on("drain", () => goOn()).on("close", () => goOn());
    for (let at = 0; at < body.length && !socket.destroyed; at += 65_536) {
      const piece = Buffer.from(body.slice(at, at + 65_536).replace(/./gs, "1\r\n$&\r\n"), "latin1");
      if (!socket.write(piece)) await new Promise<void>((resolve) => (goOn = resolve));
    }
    connection.write("0\r\n\r\n");
    json(await inTime(connection.answer(), line, 60));
  });
}

test("bodies in chunks of one byte fit into a small heap", () =>
  withSmallHeap([], async (port) => {
    const { send, close } = sender(port);
    json(await send("POST", "/api/0/buckets/b", BUCKET));
    close();
    await inTinyChunks(port, "POST /api/0/settings/key", JSON.stringify("x".repeat(MIB / 2)));
    await inTinyChunks(
      port,
      "POST /api/0/buckets/b/events",
      JSON.stringify([event(0, { title: "x".repeat(MIB / 2) })]),
    );
  }));

details("a document in chunks of one byte fits into a small heap", () =>
  withSmallHeap([String(3 * MIB)], async (port) => {
    const { send, close } = sender(port);
    assert.is(json(await send("GET", "/api/0/buckets/imported/events/count")), 1);
    close();
  }),
);

test("a Request whose stream has chunks of one byte keeps none of them", () =>
  withServer({ door: "process", hostname: "box" }, async ({ server }) => {
    const text = JSON.stringify(Array.from({ length: 1000 }, (_, index) => index));
    const reused = Buffer.alloc(1);
    let at = 0;
    const body = new ReadableStream(
      {
        pull(controller) {
          if (at === text.length) return controller.close();
          // What is kept would show the byte that came last.
          if (at > 0) reused.write(text.charAt(at));
          controller.enqueue(at++ === 0 ? Buffer.from("[") : reused);
        },
      },
      { highWaterMark: 0 },
    );
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      duplex: "half",
    } as RequestInit;
    const answer = await server.fetch(new Request("http://localhost/api/0/settings/key", init));
    assert.is(await answer.text(), text);
  }));

test("a length that is no number, or not that of the body, changes nothing", () =>
  withServer({ door: "process", hostname: "box" }, async ({ server }) => {
    for (const length of ["no number", "-1", "1", "4", "1000"]) {
      const body = new ReadableStream({
        start(controller) {
          for (const text of ['"a', "b", '"']) controller.enqueue(Buffer.from(text));
          controller.close();
        },
      });
      const headers = { "content-type": "application/json", "content-length": length };
      const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
      const answer = await server.fetch(new Request("http://localhost/api/0/settings/key", init));
      assert.equal([answer.status, await answer.text()], [200, '"ab"'], length);
    }
  }));

test.run();
