// Bodies that come slowly, or that nobody will read, do not keep others out.
import diagnostics from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { OPERATION_LIST } from "../../src/api/operations.js";
import { limited, readJson } from "../../src/http/body.js";
import { BodyAdmission } from "../../src/http/body-admission.js";
import { BodyPace } from "../../src/http/body-pace.js";
import { RequestView } from "../../src/http/node-request.js";
import type { RequestContext } from "../../src/http/request-context.js";
import { inTime, withServer } from "../harness.js";
import { codeOf } from "../refusals.js";
import { json, until } from "./client.js";
import { connect, head, type RawConnection } from "./raw.js";

const test = suite("slow bodies");

const MIB = 1024 * 1024;
const LIMITS = { bytes: 40 * MIB, values: 1000 };
const HEADERS = { "content-type": "application/json", "content-length": String(40 * MIB) };
/** Short enough to be waited for. */
const WINDOW = { windowMillis: 20 };

interface Sent {
  readonly request: RequestContext;
  write(text: string): void;
}

/** A request of Node whose body comes as a test wants it. */
function ofNode(): Sent {
  const stream = new PassThrough();
  const node = Object.assign(stream, { headers: HEADERS, rawHeaders: [], socket: undefined });
  const request = new RequestView(node as unknown as IncomingMessage) as RequestView & RequestContext;
  return { request, write: (text) => void stream.write(text) };
}

/** One of another transport. */
function ofWeb(): Sent {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const request = {
    header: (name: string) => HEADERS[name as keyof typeof HEADERS],
    host: { node: { httpVersionMajor: 1 } },
    body: () => readable,
  } as unknown as RequestContext;
  return { request, write: (text) => void writer.write(Buffer.from(text)).catch(() => undefined) };
}

for (const [name, sent] of Object.entries({ "of Node": ofNode, "of another transport": ofWeb })) {
  test(`a slow body makes room for one that waits: ${name}`, async () => {
    const bodies = new BodyAdmission(WINDOW);
    const slow = sent();
    const reading = codeOf(bodies.during(slow.request, LIMITS.bytes, () => readJson(slow.request, LIMITS)));
    slow.write("[");
    const next = bodies.during(sent().request, LIMITS.bytes, async () => "read");
    assert.is(await inTime(next, "the next one"), "read");
    assert.is(await reading, "BUSY");
    slow.write("1]");
  });

  test(`a slow body is read while nobody waits: ${name}`, async () => {
    const bodies = new BodyAdmission(WINDOW);
    const { request, write } = sent();
    const reading = bodies.during(request, LIMITS.bytes, async () => {
      await Promise.race([readJson(request, LIMITS), new Promise((resolve) => setTimeout(resolve, 100))]);
      return "not given up";
    });
    write("[");
    assert.is(await reading, "not given up");
  });
}

test("a body that was read stays, however long its work takes", async () => {
  const bodies = new BodyAdmission(WINDOW);
  const { request } = ofWeb();
  let finish = (): void => undefined;
  const working = bodies.during(request, LIMITS.bytes, async () => {
    await request.bodyWatch?.during(Promise.resolve());
    await new Promise<void>((resolve) => (finish = resolve));
    return "worked";
  });
  const next = bodies.during(ofWeb().request, LIMITS.bytes, async () => "read");
  await new Promise((resolve) => setTimeout(resolve, 100));
  finish();
  assert.equal([await working, await next], ["worked", "read"]);
});

test("a body stays whose reader is slow, and not its client", async () => {
  const pace = new BodyPace(WINDOW.windowMillis);
  const { request, write } = ofNode();
  let finish = (): void => undefined;
  const reading = pace.during(request, async (admitted) => {
    admitted();
    const working = async (): Promise<string> => {
      for await (const chunk of limited(request, LIMITS.bytes)) {
        await new Promise<void>((resolve) => (finish = resolve));
        return `worked on ${chunk.length} bytes`;
      }
      return "nothing came";
    };
    return request.bodyWatch?.during(working());
  });
  write("[");
  const next = pace.during(ofNode().request, async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return "waited";
  });
  assert.is(await next, "waited");
  finish();
  assert.is(await reading, "worked on 1 bytes");
});

test("beyond a number of bodies that wait the next one is refused at once", async () => {
  const bodies = new BodyAdmission();
  let finish = (): void => undefined;
  const during = () => bodies.during(ofWeb().request, LIMITS.bytes, () => new Promise<void>((end) => (finish = end)));
  const all = [during()];
  await new Promise((resolve) => setImmediate(resolve));
  for (let at = 0; at < 32; at++) all.push(during());
  assert.is(await codeOf(during()), "BUSY");
  let isOver = false;
  const over = Promise.all(all).then(() => (isOver = true));
  while (!isOver) {
    finish();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await over;
});

test("bodies that need no key do not keep others out", () =>
  withServer({ apiKey: "secret-of-the-test" }, async ({ port, send }) => {
    const open = Object.values(OPERATION_LIST).filter(({ open, body }) => open && body !== undefined);
    const connections: RawConnection[] = [];
    for (let at = 0; at < 70; at++) {
      const { method, path } = open[at % open.length] as (typeof open)[number];
      const connection = await connect(port);
      const length = at < 50 ? `Content-Length: ${at < 25 ? MIB : 16 * 1024}` : "Transfer-Encoding: chunked";
      connection.write(head(`${method} ${path}`, "Host: localhost", "Content-Type: application/json", length));
      connections.push(connection);
    }
    const headers = { authorization: "Bearer secret-of-the-test" };
    const sent = send("POST", "/api/0/settings/key", JSON.stringify("x".repeat(500_000)), headers);
    json(await inTime(sent, "a large body", 15));
    for (const { socket } of connections) socket.destroy();
  }));

test("a body with a wrong key flows away while its answer waits", async () => {
  const seen: IncomingMessage[] = [];
  const keep = (message: unknown): void => void seen.push((message as { request: IncomingMessage }).request);
  diagnostics.subscribe("http.server.request.start", keep);
  try {
    await withServer({ apiKey: "secret-of-the-test" }, async ({ port }) => {
      const connections: RawConnection[] = [];
      let answers = 0;
      for (let at = 0; at < 20; at++) {
        const connection = await connect(port);
        const lines = ["Host: localhost", "Authorization: Bearer wrong", "Content-Length: 900000"];
        connection.write(head("POST /api/0/settings/key", ...lines, "Content-Type: application/json"));
        connection.write("x".repeat(100_000));
        connections.push(connection);
        void connection.answer().then(() => answers++);
      }
      await until(() => seen.length === 20, "the requests");
      const last = seen.at(-1) as IncomingMessage;
      // Its answer is two seconds away.
      await until(() => last.readableFlowing === true, "the body to flow");
      assert.ok(answers < 15, `${answers} answers`);
      for (const { socket } of connections) socket.destroy();
    });
  } finally {
    diagnostics.unsubscribe("http.server.request.start", keep);
  }
});

test.run();
