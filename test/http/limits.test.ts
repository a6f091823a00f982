// long: 300 s
// Limits of the size of bodies: what is above them is refused, and the connection is not stuck afterwards.

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { OPERATION_LIST } from "../../src/api/operations.js";
import { IS_LONG } from "../faults/sizes.js";
import { BUCKET, inTime, type Served, type ServedOptions, withServer } from "../harness.js";
import { refusalOf } from "../refusals.js";
import { event, json, refusal } from "./client.js";
import { chunk, head, type RawConnection, withConnection } from "./raw.js";

const test = suite("limits of bodies");

const LIMIT = 2000;
const INFO = head("GET /api/0/info", "Host: localhost");
const BOUNDARY = "boundary";

const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A form with one document. */
function form(document: string): string {
  const part = `Content-Disposition: form-data; name="f"; filename="f"\r\n\r\n${document}`;
  return `--${BOUNDARY}\r\n${part}\r\n--${BOUNDARY}--\r\n`;
}

interface Route {
  readonly line: string;
  readonly type: string;
  /** A body that is taken, of exactly so many bytes. */
  readonly bodyOf: (bytes: number) => string;
}

const padded = (value: unknown) => (bytes: number) => JSON.stringify(value).padEnd(bytes);
const DOCUMENT = { buckets: { imported: { ...BUCKET, events: [event(0)] } } };
const ROUTES: readonly Route[] = [
  { line: "POST /api/0/buckets/new", type: "application/json", bodyOf: padded(BUCKET) },
  { line: "PUT /api/0/buckets/b", type: "application/json", bodyOf: padded({ type: "x" }) },
  { line: "POST /api/0/buckets/b/events", type: "application/json", bodyOf: padded([event(0)]) },
  { line: "POST /api/0/buckets/b/heartbeat?pulsetime=1", type: "application/json", bodyOf: padded(event(0)) },
  { line: "POST /api/0/settings/key", type: "application/json", bodyOf: padded("x") },
  { line: "POST /api/0/import", type: "application/json", bodyOf: padded(DOCUMENT) },
  {
    line: "POST /api/0/import",
    type: FORM_TYPE,
    bodyOf: (bytes) => form(JSON.stringify(DOCUMENT).padEnd(bytes - form("").length)),
  },
];

function withLimit({ line }: Route, body: (served: Served) => Promise<void>): Promise<void> {
  // The other limit is far off, so that it is seen which one counts.
  const options: ServedOptions = line.endsWith("/import")
    ? { importLimitBytes: LIMIT, bodyLimitBytes: 1 }
    : { bodyLimitBytes: LIMIT, importLimitBytes: 1 };
  return withServer({ ...options, buckets: ["b"] }, body);
}

/** The whole request, with its length or in chunks of at most 64 KiB. */
function* requestOf({ line, type }: Route, body: string, inChunks: boolean): Generator<string | Buffer> {
  const lines = ["Host: localhost", `Content-Type: ${type}`];
  yield head(line, ...lines, inChunks ? "Transfer-Encoding: chunked" : `Content-Length: ${body.length}`);
  for (let at = 0; at < body.length; at += 65_536) {
    const piece = body.slice(at, at + 65_536);
    yield inChunks ? chunk(piece) : piece;
  }
  if (inChunks) yield "0\r\nX-Trailer: x\r\n\r\n";
}

/** The connection serves a next request, or it was closed. */
async function servesOn(connection: RawConnection): Promise<void> {
  connection.write(INFO);
  const answer = await inTime(connection.answer(), "the next request on the connection");
  if (answer !== undefined) json(answer);
}

for (const [index, route] of ROUTES.entries()) {
  const name = `${route.line} as ${route.type.split(";")[0]}`;

  test(`a body of the limit is taken, a larger one refused, and no connection is stuck: ${name}`, () =>
    withLimit(route, async ({ port, storage }) => {
      const send = (bytes: number, inChunks: boolean) =>
        withConnection(port, async (connection) => {
          for (const piece of requestOf(route, route.bodyOf(bytes), inChunks)) connection.write(piece);
          const answer = await inTime(connection.answer(), `${bytes} bytes`);
          await servesOn(connection);
          return answer;
        });
      for (const inChunks of [false, true]) {
        assert.match(refusal(await send(LIMIT + 1, inChunks), 413), String(LIMIT));
        // A route is sent so much in one of the ways; which one, takes turns.
        if (IS_LONG || inChunks === (index % 2 === 1)) refusal(await send(12_000_000, inChunks), 413);
      }
      await withConnection(port, async (connection) => {
        const lines = ["Host: localhost", `Content-Type: ${route.type}`, `Content-Length: ${10 ** 12}`];
        connection.write(head(route.line, ...lines));
        refusal(await inTime(connection.answer(), "the request, before its body"), 413);
      });
      assert.equal([await storage.countEvents("b"), (await storage.listBuckets()).length], [0, 1]);
      json(await send(LIMIT, false));
      const status = route.line.endsWith("/new") ? 304 : 200;
      assert.is((await send(LIMIT, true))?.status, status);
    }));
}

test("an import that is refused at its first byte leaves no connection stuck", () =>
  withServer({}, async ({ port }) => {
    for (const type of ["application/json", "text/plain", FORM_TYPE]) {
      await withConnection(port, async (connection) => {
        const body = "nonsense".padEnd(12_000_000);
        const route = { line: "POST /api/0/import", type, bodyOf: () => body };
        for (const bytes of requestOf(route, body, false)) connection.write(bytes);
        refusal(await inTime(connection.answer(), `the request as ${type}`), type === "text/plain" ? 415 : 400);
        await servesOn(connection);
      });
    }
  }));

const MIB = 1024 * 1024;

/** What describes a bucket, at its limit and above it. */
const OVERSIZE: Readonly<Record<string, readonly [most: number, fieldsOf: (bytes: number) => object]>> = {
  type: [4096, (bytes) => ({ type: "x".repeat(bytes) })],
  client: [4096, (bytes) => ({ client: "x".repeat(bytes) })],
  hostname: [4096, (bytes) => ({ hostname: "ü".repeat(bytes / 2) + "x".repeat(bytes % 2) })],
  name: [4096, (bytes) => ({ name: "x".repeat(bytes) })],
  data: [256 * 1024, (bytes) => ({ data: { text: "x".repeat(bytes - '{"text":""}'.length) } })],
};

test("a bucket has an ID of at most 1024 bytes", () =>
  withServer({}, async ({ send, server }) => {
    const longest = "ü".repeat(512);
    json(await send("POST", `/api/0/buckets/${encodeURIComponent(longest)}`, BUCKET));
    const refused = refusal(await send("POST", `/api/0/buckets/${encodeURIComponent(longest)}x`, BUCKET), 400);
    assert.is(refused, "bucketId must be at most 1024 bytes, got 1025");
    const rename = `/api/0/buckets/${encodeURIComponent(longest)}/rename`;
    assert.match(refusal(await send("POST", rename, { to: `${longest}x` }), 400), "at most 1024 bytes");
    assert.match(await refusalOf(server.buckets.create(`${longest}x`, BUCKET)), "at most 1024 bytes");
  }));

test("what describes a bucket is small", () =>
  withServer({ buckets: ["changed"] }, async ({ send }) => {
    for (const [field, [most, fieldsOf]] of Object.entries(OVERSIZE)) {
      const message = `${field} of the bucket must be at most ${most} bytes, got ${most + 1}`;
      json(await send("POST", `/api/0/buckets/${field}`, { ...BUCKET, ...fieldsOf(most) }));
      json(await send("PUT", "/api/0/buckets/changed", fieldsOf(most)));
      const tooMuch = fieldsOf(most + 1);
      assert.is(refusal(await send("POST", `/api/0/buckets/${field}-`, { ...BUCKET, ...tooMuch }), 400), message);
      assert.is(refusal(await send("PUT", "/api/0/buckets/changed", tooMuch), 400), message);
    }
    const hostname = "x".repeat(4097);
    assert.match(refusal(await send("POST", "/api/0/buckets/name/host", { hostname }), 400), "at most 4096 bytes");
  }));

test("a larger bucket of an older version stays as it is, and is imported as it is", () =>
  withServer({}, async ({ send, storage }) => {
    const id = "x".repeat(2000);
    const bucket = { ...BUCKET, data: { text: "x".repeat(300_000) } };
    await storage.createBucket({ ...bucket, id, name: null, created: 0 });
    assert.is((await send("POST", `/api/0/buckets/${id}`, bucket)).status, 304);
    json(await send("PUT", `/api/0/buckets/${id}`, { type: "changed" }));
    json(await send("POST", `/api/0/buckets/${id}/heartbeat?pulsetime=1`, event(0)));
    const exported = json(await send("GET", `/api/0/buckets/${id}/export`));
    json(await send("DELETE", `/api/0/buckets/${id}?force=1`));
    json(await send("POST", "/api/0/import", exported));
    assert.is((json(await send("GET", `/api/0/buckets/${id}`)) as typeof bucket).data.text, bucket.data.text);
  }));

test("a body of an operation that needs no key is small", () =>
  withServer({ apiKey: "secret-of-the-test" }, async ({ send }) => {
    const open = Object.values(OPERATION_LIST).filter((operation) => operation.open && operation.body !== undefined);
    assert.ok(open.length > 0);
    for (const { method, path } of open) {
      const taken = await send(method, path, "{}".padEnd(16 * 1024));
      assert.not.equal(taken.status, 413, path);
      assert.match(refusal(await send(method, path, "{}".padEnd(16 * 1024 + 1)), 413), "16384 bytes");
    }
  }));

test("without options one thing may have 1 MiB, events 32 MiB, and an import more", () =>
  withServer({ buckets: ["b"] }, async ({ send }) => {
    for (const { line, bodyOf } of ROUTES) {
      const [method = "", path = ""] = line.split(" ");
      if (path === "/api/0/import") continue;
      const most = path.endsWith("/events") ? 32 * MIB : MIB;
      const taken = await send(method, path, bodyOf(most));
      assert.is(taken.status, 200, `${line}: ${taken.body}`);
      assert.match(refusal(await send(method, path, bodyOf(most + 1)), 413), `${most} bytes`);
    }
    const events = Array.from({ length: 20 }, (_, minute) => event(minute, { title: "x".repeat(2 * MIB) }));
    const counts = json(await send("POST", "/api/0/import", { buckets: { imported: { ...BUCKET, events } } }));
    assert.is((counts as { events_imported: number }).events_imported, 20);
  }));

test("a program of 1 MiB is too large with what stands around it", () =>
  withServer({}, async ({ send }) => {
    const query = { timeperiods: ["2024-03-01/2024-03-02"], query: ["RETURN = 1;".padEnd(MIB)] };
    assert.match(refusal(await send("POST", "/api/0/query", query), 413), `${MIB} bytes`);
  }));

test("an embedder may allow larger lists of events, and smaller bodies of all kinds", async () => {
  const bodyOf = (bytes: number): string => JSON.stringify([event(0)]).padEnd(bytes);
  await withServer({ bodyLimitBytes: 40 * MIB, buckets: ["b"] }, async ({ send }) => {
    json(await send("POST", "/api/0/buckets/b/events", bodyOf(33 * MIB)));
    refusal(await send("POST", "/api/0/settings/key", '"x"'.padEnd(2 * MIB)), 413);
  });
});

/** Bodies that are small, and take long to parse or much memory. */
const HEAVY: Readonly<Record<string, readonly [path: string, body: string, message: RegExp]>> = {
  "a beat of very many values": [
    "/api/0/buckets/b/heartbeat?pulsetime=1",
    `{"timestamp":"2024-03-01","data":{"a":[${"{},".repeat(60_000)}1]}}`,
    /more than 50000 values/,
  ],
  "a setting of very many keys": [
    "/api/0/settings/key",
    `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join(",")}}`,
    /more than 50000 values/,
  ],
  "a setting of a million lists in each other": ["/api/0/settings/key", "[".repeat(MIB), /more than 1024 levels/],
  "events of 32 million lists in each other": [
    "/api/0/buckets/b/events",
    "[".repeat(32 * MIB),
    /more than 1024 levels/,
  ],
  "an event of very many values": [
    "/api/0/buckets/b/events",
    `[{"timestamp":"2024-03-01","data":{"a":[${"{},".repeat(5_000_000)}1]}}]`,
    /element 0 of the list has more than 50000 values/,
  ],
  "a last event of very many values": [
    "/api/0/buckets/b/events",
    `[{"timestamp":"2024-03-01","data":{"a":[${"1,".repeat(4_000_000)}1]}}]`,
    /element 0 of the list has more than 50000 values/,
  ],
  "a list of very many lists": [
    "/api/0/buckets/b/events",
    `[${"[1,1,1,1,1,1,1,1,1,1,1,1],".repeat(1_200_000)}1]`,
    /event 0 must be/,
  ],
};

for (const [name, [path, body, message]] of Object.entries(HEAVY)) {
  test(`${name} is refused before it is parsed`, () =>
    withServer({ buckets: ["b"] }, async ({ send, storage }) => {
      assert.match(refusal(await send("POST", path, body), 400), message);
      assert.is(await storage.countEvents("b"), 0);
    }));
}

test("a list of events may hold five million values, and no more", () =>
  withServer({ buckets: ["b"] }, async ({ send, storage }) => {
    const path = "/api/0/buckets/b/events";
    // 49,900 values and those of the event itself: 100 of them stay below.
    const one = JSON.stringify(event(0, { list: Array.from({ length: 49_900 }, () => 1) }));
    const listOf = (count: number): string => `[${Array.from({ length: count }, () => one).join(",")}]`;
    assert.match(refusal(await send("POST", path, listOf(101)), 400), "the body has more than 5000000 values");
    assert.is(await storage.countEvents("b"), 0);
    json(await send("POST", path, listOf(100)));
    assert.is(await storage.countEvents("b"), 100);
  }));

test("without an option an import may announce 1 GiB, and no more", () =>
  withServer({}, async ({ port, server }) => {
    const type = "application/json";
    await withConnection(port, async (connection) => {
      const lines = ["Host: localhost", `Content-Type: ${type}`, `Content-Length: ${1024 * MIB + 1}`];
      connection.write(head("POST /api/0/import", ...lines));
      assert.match(refusal(await inTime(connection.answer(), "the request"), 413), `${1024 * MIB} bytes`);
    });
    const headers = { "content-type": type, "content-length": String(1024 * MIB) };
    const body = JSON.stringify(DOCUMENT);
    const answer = await server.fetch("http://localhost/api/0/import", { method: "POST", headers, body });
    assert.is(answer.status, 200, await answer.text());
  }));

test("the last event of a list has no more bytes than others, whatever they are", () =>
  withServer({ buckets: ["b"] }, async ({ send, storage }) => {
    const spaces = `{"timestamp":"2024-03-01","data":{"a":1${" ".repeat(8 * MIB)}}}`;
    for (const body of [`[${JSON.stringify(event(0))},${spaces}]`, `[${JSON.stringify(event(0))},${spaces},{}]`]) {
      assert.match(refusal(await send("POST", "/api/0/buckets/b/events", body), 413), /element 1 .* 8388608 bytes/);
    }
    assert.is(await storage.countEvents("b"), 0);
  }));

test("an event outside a list may be as large as one in a list, and no larger", () =>
  withServer({ buckets: ["b"] }, async ({ send, storage }) => {
    const path = "/api/0/buckets/b/events";
    for (const title of ["x".repeat(2 * MIB), "y".repeat(7 * MIB)]) {
      json(await send("POST", path, JSON.stringify(event(0, { title }))));
      json(await send("POST", path, JSON.stringify([event(0, { title })])));
    }
    assert.is(await storage.countEvents("b"), 4);
    const large = JSON.stringify(event(0, { title: "x".repeat(8 * MIB) }));
    assert.match(refusal(await send("POST", path, large), 413), "8388608 bytes");
    const many = JSON.stringify(event(0, { list: Array.from({ length: 60_000 }, () => "x".repeat(20)) }));
    assert.ok(many.length > MIB);
    assert.match(refusal(await send("POST", path, many), 400), /more than 50000 values/);
    assert.match(refusal(await send("POST", path, `[${many}]`), 400), /more than 50000 values/);
    assert.is(await storage.countEvents("b"), 4);
  }));

test.run();
