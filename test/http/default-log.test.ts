// What a server without a logger reports of errors that its clients do not learn, and what it keeps to itself.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type ActivityServer, type ActivityServerOptions, createActivityServer } from "../../src/index.js";
import { sendJson } from "../api/sending.js";
import { BUCKET } from "../harness.js";

const test = suite("the log of a server without a logger");

const SECRET = "hunter2";
const beat = { timestamp: "2024-03-01T10:00:00Z", data: { title: SECRET } };

/** An error as drivers and HTTP clients throw them: with values beside its message. */
function failure(message: string): Error {
  return Object.assign(new Error(message, { cause: new TypeError("no connection") }), { row: SECRET, input: SECRET });
}

/** @returns what was printed while the body ran */
async function printed(
  options: Omit<ActivityServerOptions, "storage">,
  body: (server: ActivityServer) => Promise<unknown>,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const methods = ["error", "warn", "info", "log"] as const;
  const own = methods.map((method) => console[method]);
  for (const method of methods) console[method] = (...parts: unknown[]) => void lines.push(parts.map(String).join(" "));
  const server = createActivityServer({ storage: memory(), ...options });
  try {
    await server.buckets.create("b", BUCKET);
    await body(server);
    // Listeners may reject later.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    for (const [index, method] of methods.entries()) console[method] = own[index] as () => void;
    await server.close();
  }
  return lines;
}

const heartbeat = (server: ActivityServer): Promise<Response> =>
  sendJson(server, "POST", "/api/0/buckets/b/heartbeat?pulsetime=1", beat);

const throwing = (): never => {
  throw failure("the session store is gone");
};

const THROWN: Readonly<Record<string, readonly [ActivityServerOptions["hooks"] | "authorize", RegExp]>> = {
  "a hook": [{ beforeHeartbeat: throwing }, /^activity-server: Error: the session store is gone\n {4}at /],
  "a hook that rejects": [{ beforeHeartbeat: async () => throwing() }, /^activity-server: Error: the session store/],
  authorize: ["authorize", /^activity-server: Error: the session store is gone\n {4}at /],
};

for (const [name, [where, wanted]] of Object.entries(THROWN)) {
  test(`what ${name} throws is printed with its stack and cause, without other fields`, async () => {
    const options = where === "authorize" ? { authorize: throwing } : { hooks: where };
    const lines = await printed(options as Omit<ActivityServerOptions, "storage">, async (server) => {
      const answer = await heartbeat(server);
      assert.is(answer.status, 500);
      assert.match(await answer.text(), "see the server's log");
    });
    assert.is(lines.length, 1);
    assert.match(lines[0] as string, wanted);
    assert.match(lines[0] as string, "\ncaused by: TypeError: no connection\n    at ");
    assert.not.match(lines[0] as string, SECRET);
  });
}

test("what a listener throws or rejects with is printed, and its write succeeds", async () => {
  const lines = await printed({}, async (server) => {
    server.on("heartbeat", throwing);
    server.on("heartbeat", async () => throwing());
    assert.is((await heartbeat(server)).status, 200);
  });
  assert.is(lines.length, 2);
  for (const line of lines) {
    assert.match(line, /^activity-server: Error: a listener of 'heartbeat' failed\n/);
    assert.match(line, "\ncaused by: Error: the session store is gone\n    at ");
    assert.not.match(line, SECRET);
  }
});

test("an invalid write of a hook is printed with its field, without its value", async () => {
  const hooks = {
    beforeHeartbeat: (write: object) => ({ ...write, bucketId: "b", beat: { ...beat, timestamp: SECRET } }),
  };
  const lines = await printed({ hooks: hooks as unknown as NonNullable<ActivityServerOptions["hooks"]> }, heartbeat);
  assert.match(lines[0] as string, "beforeHeartbeat returned no valid write: timestamp of beat must be ");
  assert.not.match(lines[0] as string, SECRET);
});

test("JSON that an error quotes is not printed", async () => {
  const lines = await printed({ hooks: { beforeHeartbeat: () => JSON.parse(`{"title":${SECRET}}`) } }, heartbeat);
  assert.match(lines[0] as string, /^activity-server: SyntaxError: unreadable\n {4}at /);
  assert.not.match(lines[0] as string, SECRET);
});

test("anything that can be thrown is printed in some way", async () => {
  const values: readonly (readonly [unknown, string])[] = [
    ["out of order", "activity-server: out of order"],
    [{ password: SECRET }, "activity-server: a value without a stack was thrown (object)"],
    [undefined, "activity-server: undefined was thrown"],
    [null, "activity-server: null was thrown"],
    [5, "activity-server: a value without a stack was thrown (number)"],
  ];
  for (const [value, wanted] of values) {
    const hooks = { beforeHeartbeat: () => Promise.reject(value) };
    assert.equal(await printed({ hooks }, heartbeat), [wanted]);
  }
  const looped = new Error("looped");
  looped.cause = looped;
  const [line = ""] = await printed({ hooks: { beforeHeartbeat: () => Promise.reject(looped) } }, heartbeat);
  assert.match(line, /^activity-server: Error: looped\n/);
});

test("a refusal that a client learns is not printed", async () => {
  const lines = await printed({}, async (server) => {
    assert.is((await sendJson(server, "POST", "/api/0/buckets/b/heartbeat?pulsetime=x", beat)).status, 400);
    assert.is((await sendJson(server, "GET", "/api/0/buckets/none")).status, 404);
  });
  assert.equal(lines, []);
});

test("with `logger: false` nothing is printed", async () => {
  const lines = await printed({ logger: false, hooks: { beforeHeartbeat: throwing } }, heartbeat);
  assert.equal(lines, []);
});

test.run();
