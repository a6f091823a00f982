// Credentials that end while a request is open: what has not begun by then is refused, and streams end.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { OPERATION_LIST } from "../../src/api/operations.js";
import { type ActivityServer, allow, deny } from "../../src/index.js";
import { BUCKET, inTime, withServer } from "../harness.js";
import { json, refusal, until } from "../http/client.js";
import { connect, head, type RawConnection, withConnection } from "../http/raw.js";
import { fill } from "../http/storages.js";

const test = suite("credentials that end");

/** What is sent, in two pieces. */
interface Sending {
  readonly line: string;
  readonly headers: readonly string[];
  readonly body: string;
}

/** Sends the head and half of the body, lets something happen, and sends the rest. @returns the answer */
async function across(port: number, { line, headers, body }: Sending, happens: () => Promise<unknown>) {
  const connection = await connect(port);
  try {
    connection.write(
      head(line, "Host: localhost", `Content-Length: ${body.length}`, "Expect: 100-continue", ...headers),
    );
    // Node says so when it hands the request over.
    assert.is((await inTime(connection.answer(), line))?.status, 100);
    connection.write(body.slice(0, 1));
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    await happens();
    connection.write(body.slice(1));
    return await inTime(connection.answer(), line);
  } finally {
    connection.socket.destroy();
  }
}

const JSON_TYPE = "Content-Type: application/json";

/** Every operation with a body that asks for credentials. */
const OPERATIONS = Object.values(OPERATION_LIST).flatMap(({ method, path, open, body }) => {
  const [type, content] = Object.entries(body ?? {})[0] ?? [];
  if (open || type !== "application/json" || content === undefined) return [];
  const target = path.replace(":bucketId", "b").replace(/:\w+/g, "1");
  const query = target.endsWith("/heartbeat") ? "?pulsetime=1" : "";
  return [{ line: `${method} ${target}${query}`, body: JSON.stringify(content.example) }];
});

async function adminKey(server: ActivityServer): Promise<string> {
  return (await server.keys.add({ name: "admin", scopes: ["admin"] })).key;
}

async function stateOf(server: ActivityServer): Promise<unknown> {
  return [await server.keys.list(), await server.buckets.list(), await server.settings.list()].map((all) =>
    JSON.stringify(all, (name, value: unknown) => (/revoked|last/i.test(name) ? undefined : value)),
  );
}

for (const { line, body } of OPERATIONS) {
  test(`a key that was revoked before the end of a body opens nothing: ${line}`, () =>
    withServer({ buckets: ["b"] }, async ({ port, server }) => {
      const key = await adminKey(server);
      const before = await stateOf(server);
      const headers = [JSON_TYPE, `Authorization: Bearer ${key}`];
      refusal(await across(port, { line, headers, body }, () => server.keys.revoke("admin")), 401);
      assert.equal(await stateOf(server), before);
    }));
}

const NEW_KEY = { line: "POST /api/0/keys", body: JSON.stringify({ name: "new", scopes: ["admin"] }) };

test("an import as a form is refused, too", () =>
  withServer({}, async ({ port, server }) => {
    const headers = [
      "Content-Type: multipart/form-data; boundary=x",
      `Authorization: Bearer ${await adminKey(server)}`,
    ];
    const document = JSON.stringify({ buckets: { imported: { ...BUCKET, events: [] } } });
    const body = `--x\r\nContent-Disposition: form-data; name="f"\r\n\r\n${document}\r\n--x--\r\n`;
    const sending = { line: "POST /api/0/import", headers, body };
    refusal(await across(port, sending, () => server.keys.revoke("admin")), 401);
    assert.equal(await server.buckets.list(), []);
  }));

test("a key that expires before the end of a body opens nothing", async () => {
  let now = Date.now();
  await withServer({ clock: () => now }, async ({ port, server }) => {
    const { key } = await server.keys.add({ name: "short", scopes: ["admin"], expires: new Date(now + 60_000) });
    const headers = [JSON_TYPE, `Authorization: Bearer ${key}`];
    refusal(await across(port, { ...NEW_KEY, headers }, async () => (now += 61_000)), 401);
    assert.is((await server.keys.list()).length, 1);
  });
});

test("another key of the same name does not stand in for the one that was revoked", () =>
  withServer({}, async ({ port, server }) => {
    const headers = [JSON_TYPE, `Authorization: Bearer ${await adminKey(server)}`];
    const renewed = async () => {
      await server.keys.revoke("admin");
      await adminKey(server);
    };
    refusal(await across(port, { ...NEW_KEY, headers }, renewed), 401);
  }));

test("without a key nothing goes on that needs one, once there is a first key", () =>
  withServer({ buckets: ["b"] }, async ({ port, server }) => {
    const body = JSON.stringify({ access: "read-only" });
    const sending = { line: "PUT /api/0/buckets/b/access", headers: [JSON_TYPE], body };
    refusal(await across(port, sending, () => adminKey(server)), 401);
    assert.is(await server.buckets.getAccess("b"), "open");
  }));

test("the embedder is asked again after a body that took time, and only then", async () => {
  let isAllowed = true;
  let asked = 0;
  const authorize = () => {
    asked++;
    return isAllowed ? allow() : deny();
  };
  await withServer({ authorize, buckets: ["b"] }, async ({ port, server, send }) => {
    const beat = { timestamp: "2024-03-01T10:00:00Z", duration: 0, data: {} };
    json(await send("POST", "/api/0/buckets/b/heartbeat?pulsetime=1", beat));
    assert.is(asked, 1);
    const sending = { line: "POST /api/0/buckets/b/events", headers: [JSON_TYPE], body: JSON.stringify(beat) };
    refusal(await across(port, sending, async () => (isAllowed = false)), 403);
    assert.is(asked, 3);
    assert.is(await server.events.count("b"), 1);
  });
});

test("another key that stays goes on", () =>
  withServer({}, async ({ port, server }) => {
    const headers = [JSON_TYPE, `Authorization: Bearer ${await adminKey(server)}`];
    await server.keys.add({ name: "other", scopes: ["admin"] });
    assert.is((await across(port, { ...NEW_KEY, headers }, () => server.keys.revoke("other")))?.status, 200);
  }));

test("a response that is being sent ends with its key", async () => {
  const storage = memory();
  await fill(storage, "b", 60_000, 1000);
  await withServer({ storage }, async ({ port, server }) => {
    const key = await adminKey(server);
    const ask = async (end: (connection: RawConnection) => Promise<void>): Promise<string> =>
      withConnection(port, async (connection) => {
        const { socket } = connection;
        socket.pause();
        const lines = ["Host: localhost", `Authorization: Bearer ${key}`, "Connection: close"];
        connection.write(head("GET /api/0/export", ...lines));
        await until(() => socket.bytesRead > 0 || socket.readableLength > 0, "the beginning of the response");
        await end(connection);
        socket.resume();
        return (await inTime(connection.rest(), "the rest")).toString("latin1");
      });
    assert.ok((await ask(async () => undefined)).endsWith("0\r\n\r\n"), "it is whole as long as the key is in force");
    assert.not((await ask(() => server.keys.revoke("admin"))).endsWith("0\r\n\r\n"));
  });
});

test.run();
