// Headers that are made for each request, hooks, further tries of reads, and the response that an error carries.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  type ActivityClient,
  type ClientOptions,
  createClient,
  isActivityClientError,
} from "../../src/client/index.js";
import { createHeartbeatQueue } from "../../src/client/queue/index.js";
import { failureOf, textOf } from "./failure-of.js";
import { settle, withManualTimers } from "./manual-timers.js";

const test = suite("options of the client");

const BEAT = { timestamp: "2024-03-01T10:00:00Z" } as const;
const EVENT = { id: 1, timestamp: "2024-03-01T10:00:00+00:00", duration: 0, data: {} };

type Step = () => Response | Promise<Response>;

const ok =
  (value: unknown): Step =>
  () =>
    Response.json(value);
const failing =
  (status: number, headers = {}): Step =>
  () =>
    Response.json({ message: "no" }, { status, headers });
const lost: Step = () => Promise.reject(new TypeError("refused"));

/** Longest time of a call, by default. */
const TIMEOUT_MILLIS = 30_000;

/** A client whose requests meet the steps, one after the other; the last one stays. */
function playing(steps: readonly Step[], options: Omit<ClientOptions, "fetch"> = {}) {
  const sent: { readonly method: string | undefined; readonly headers: Headers }[] = [];
  const client: ActivityClient = createClient({
    ...options,
    fetch: async (_, { method, headers }) => {
      sent.push({ method, headers: new Headers(headers) });
      return await (steps[Math.min(sent.length, steps.length) - 1] as Step)();
    },
  });
  return { client, sent };
}

/** Carries a call out, and lets each wait end as soon as it has begun. @returns those waits in milliseconds */
async function waitsOf(call: () => Promise<unknown>): Promise<[outcome: unknown, number[]]> {
  const waits: number[] = [];
  let isOver = false;
  const outcome = async (): Promise<unknown> => {
    try {
      return await call();
    } catch (error) {
      return isActivityClientError(error) ? error.code : error;
    } finally {
      isOver = true;
    }
  };
  let value: unknown;
  await withManualTimers(async ({ pending, fire }) => {
    const over = outcome();
    while (!isOver) {
      await settle();
      waits.push(...pending().filter((millis) => millis < TIMEOUT_MILLIS));
      fire(TIMEOUT_MILLIS);
    }
    value = await over;
  });
  return [value, waits];
}

test("headers may be a function, which is called for each request, and may take its time", async () => {
  let count = 0;
  const headers = async (): Promise<Record<string, string>> => ({ "x-token": `t${++count}` });
  const { client, sent } = playing([ok(1)], { headers, apiKey: "secret" });
  await client.settings.get("k");
  await client.settings.put("k", 1);
  const seen = sent.map(({ headers: each }) => `${each.get("x-token")} ${each.get("authorization")}`);
  assert.equal(seen, ["t1 Bearer secret", "t2 Bearer secret"]);
  assert.is(sent[1]?.headers.get("content-type"), "application/json");
});

const broken = (): never => {
  throw new Error("no token");
};
const HOOKS: Readonly<Record<string, Omit<ClientOptions, "fetch">>> = {
  headers: { headers: broken },
  "headers that cannot be sent": { headers: () => ({ "x-a": "a\nb" }) },
  "two of Authorization": { headers: () => ({ authorization: "Basic eA==" }), apiKey: "secret" },
  onRequest: { onRequest: () => Promise.reject(new Error("no token")) },
  onResponse: { onResponse: broken },
};

for (const [name, options] of Object.entries(HOOKS)) {
  test(`a failure of what the caller has given (${name}) is told from one of the server`, async () => {
    const { client, sent } = playing([ok(EVENT)], { ...options, retries: 3 });
    const error = await failureOf(client.heartbeat("b", BEAT, 1));
    assert.equal([error.code, error.cause instanceof Error], ["HOOK_FAILED", true], error.message);
    assert.match(error.message, /^POST .*\/heartbeat\?pulsetime=1: (headers|onRequest|onResponse) failed: /);
    assert.is(sent.length, name === "onResponse" ? 1 : 0);
  });
}

test("a queue keeps its beats while headers cannot be made", async () => {
  let isBroken = true;
  const headers = (): Record<string, string> => (isBroken ? broken() : {});
  const { client } = playing([ok({}), ok(EVENT)], { headers });
  const queue = createHeartbeatQueue({
    ...{ client, bucketId: "b", bucket: { type: "t", client: "c", hostname: "h" }, pulsetime: 1, commitInterval: 0 },
    onWarning: ({ code }) => {
      assert.is(code, "UNREACHABLE");
      isBroken = false;
    },
  });
  await queue.heartbeat(BEAT);
  await queue.flush();
  assert.equal([queue.state.sent, queue.state.dropped], [1, 0]);
  await queue.close();
});

test("a hook that never ends is given up with the call", async () => {
  const { client } = playing([ok(1)], { onRequest: () => new Promise<void>(() => {}), timeoutMillis: 5 });
  assert.is((await failureOf(client.settings.get("k"))).code, "TIMEOUT");
});

test("hooks see each request and may change its headers, and see each response", async () => {
  const seen: string[] = [];
  const { client, sent } = playing([failing(404), ok(1)], {
    url: "http://h/base",
    onRequest({ method, url, headers }) {
      headers.set("x-trace", "7");
      seen.push(`${method} ${url}`);
    },
    onResponse: ({ method, url, status, headers }) =>
      void seen.push(`${status} ${headers.get("content-type")} ${method} ${url}`),
  });
  const error = await failureOf(client.settings.get("k"));
  assert.is(error.status, 404);
  await client.settings.get("k");
  const url = "http://h/base/api/0/settings/k";
  const of = (status: number): string[] => [`GET ${url}`, `${status} application/json GET ${url}`];
  assert.equal(seen, [...of(404), ...of(200)]);
  assert.is(sent[0]?.headers.get("x-trace"), "7");
});

for (const status of [408, 429, 500, 502, 503, 504]) {
  test(`a read is tried again after ${status}, as often as retries says`, async () => {
    const { client, sent } = playing([failing(status), failing(status), ok(5)], { retries: 2 });
    const [value, waits] = await waitsOf(() => client.settings.get("k"));
    assert.is(value, 5);
    assert.is(sent.length, 3);
    assert.ok(waits.length === 2 && (waits[0] ?? 0) >= 250 && (waits[1] ?? 0) >= 500, String(waits));
    const impatient = playing([failing(status)], { retries: 1 });
    assert.is((await waitsOf(() => impatient.client.settings.get("k")))[0], "REFUSED");
    assert.is(impatient.sent.length, 2);
  });
}

test("a read is tried again when the network fails, or breaks off in the body, and in chunks, too", async () => {
  const cut: Step = () =>
    new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError("terminated")) }));
  const { client, sent } = playing([lost, cut, ok(5)]);
  assert.is((await waitsOf(() => client.settings.get("k", { retries: 2 })))[0], 5);
  assert.is(sent.length, 3);
  const exporting = playing([lost, failing(503), ok({ buckets: {} })], { retries: 2 });
  assert.is((await waitsOf(() => textOf(exporting.client.exportText())))[0], '{"buckets":{}}');
});

test("Retry-After says how long to wait, in seconds or until a time", async () => {
  const inAMinute = new Date(Date.now() + 20_000).toUTCString();
  const steps = [failing(429, { "retry-after": "7" }), failing(503, { "retry-after": inAMinute }), ok(5)];
  const { client } = playing(steps, { retries: 2 });
  const [value, [first, second = 0]] = await waitsOf(() => client.settings.get("k"));
  assert.equal([value, first], [5, 7_000]);
  assert.ok(second > 10_000 && second <= 20_000, String(second));
});

test("a Retry-After of no length, or that says none, leaves the wait to the client", async () => {
  for (const after of ["0", "-1", "1.5", "Mon, 01 Jan 2001 00:00:00 GMT"]) {
    const { client } = playing([failing(503, { "retry-after": after }), ok(5)], { retries: 1 });
    const [value, [wait = 0]] = await waitsOf(() => client.settings.get("k"));
    assert.is(value, 5);
    assert.ok(wait >= 250 && wait <= 500, `${after}: ${wait}`);
  }
});

test("a wait longer than the call may last is not begun", async () => {
  const { client, sent } = playing([failing(429, { "retry-after": "3600" })], { retries: 5 });
  assert.equal(await waitsOf(() => client.settings.get("k")), ["REFUSED", []]);
  assert.is(sent.length, 1);
});

test("writes, queries, refusals and malformed responses are not tried again; without retries nothing is", async () => {
  const calls: [Step, (client: ActivityClient) => Promise<unknown>][] = [
    [lost, (client) => client.heartbeat("b", BEAT, 1)],
    [failing(503), (client) => client.query({ timeperiods: [], query: "" })],
    [failing(503), (client) => client.buckets.delete("b")],
    [failing(404), (client) => client.buckets.get("b")],
    [() => new Response("<p>"), (client) => client.buckets.get("b")],
  ];
  for (const [step, call] of calls) {
    const { client, sent } = playing([step], { retries: 3 });
    await failureOf(call(client));
    assert.is(sent.length, 1);
  }
  const { client, sent } = playing([lost]);
  await failureOf(client.info());
  assert.is(sent.length, 1);
});

test("a signal ends the wait between two tries", async () => {
  await withManualTimers(async ({ pending }) => {
    const controller = new AbortController();
    const { client, sent } = playing([failing(503)], { retries: 3 });
    const failed = failureOf(client.settings.get("k", { signal: controller.signal }));
    await settle();
    assert.is(pending().length, 2);
    controller.abort();
    assert.equal([(await failed).code, sent.length], ["ABORTED", 1]);
    assert.equal(pending(), []);
  });
});

test("retries that are no count are refused", async () => {
  for (const retries of [-1, 0.5, Number.NaN, "1" as never]) {
    assert.throws(() => createClient({ retries }), /retries must/, String(retries));
    assert.is((await failureOf(createClient().info({ retries }))).code, "INVALID_INPUT");
  }
});

test("an error carries the response: status, headers and body", async () => {
  const body = { message: "slow down", code: 7 };
  const { client } = playing([() => Response.json(body, { status: 429, headers: { "x-id": "a" } })]);
  const { response, status } = await failureOf(client.info());
  assert.equal([response?.status, status, response?.headers.get("x-id")], [429, 429, "a"]);
  assert.equal(JSON.parse(response?.body ?? ""), body);
  const page = await failureOf(playing([() => new Response("<p>hello")]).client.info());
  assert.equal([page.code, page.response?.status, page.response?.body], ["MALFORMED_RESPONSE", 200, "<p>hello"]);
  assert.is((await failureOf(playing([lost]).client.info())).response, undefined);
});

test("the body of an error is bounded, what is beyond is not read, and the API key is masked", async () => {
  let chunks = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      chunks++;
      controller.enqueue(new TextEncoder().encode("secret ".repeat(1_000)));
    },
  });
  const { client } = playing([() => new Response(endless, { status: 500, headers: { "x-key": "a secret" } })], {
    apiKey: "secret",
  });
  const { response } = await failureOf(client.info());
  assert.ok((response?.body.length ?? 0) <= 65_536 && (response?.body.length ?? 0) > 1_000);
  assert.not.match(response?.body ?? "", "secret");
  assert.is(response?.headers.get("x-key"), "a ***");
  assert.ok(chunks < 20, `${chunks} chunks`);
});

const WANTED = "url must be a URL such as 'http://127.0.0.1:5600', got";
const CERT = "-----BEGIN CERTIFICATE-----";
const FINGERPRINT = "00".repeat(32);

/** Options that cannot work, and what the refusal says. */
const UNFIT: readonly (readonly [options: unknown, message: string])[] = [
  ["http://h", "createClient() must get an object such as { url }"],
  [{ url: "/x" }, `${WANTED} '/x'; in a browser, write new URL('/x', location.href)`],
  [{ url: "localhost" }, `${WANTED} 'localhost'`],
  [{ url: "http://[" }, `${WANTED} 'http://['`],
  [{ url: 5600 }, `${WANTED} '5600'`],
  [{ url: "" }, "url must be"],
  [{ url: "localhost:5600" }, "http"],
  [{ url: "file:///etc" }, "http"],
  [{ url: "http://name:secret@[" }, `${WANTED} '['`],
  [{ url: "http://name:secret@localhost" }, "url"],
  [{ url: "http://h/base?k=1" }, "query"],
  [{ url: new URL("http://h?k=1") }, "query"],
  [{ url: "http://h/#x" }, "fragment"],
  [{ apiKey: "secret\nx" }, "apiKey"],
  [{ timeoutMillis: -1 }, "timeoutMillis must"],
  [{ timeoutMillis: Number.NaN }, "timeoutMillis must"],
  [{ url: "https://h", ca: CERT, fingerprint: FINGERPRINT }, "ca and fingerprint exclude each other"],
  [{ url: "https://h", fingerprint: FINGERPRINT, fetch }, "fingerprint and fetch exclude each other"],
  [{ url: "http://h", fingerprint: FINGERPRINT }, "fingerprint is given; url must begin with https:"],
  [{ ca: CERT }, "ca is given; url must begin with https:"],
  [{ url: "https://h", socketPath: "/s" }, "socketPath is given; url must begin with http:"],
  [{ url: "https://h", fingerprint: "SHA-1" }, "fingerprint must be"],
];

test("options that cannot work are refused at once with the fix, and without a secret", () => {
  for (const [options, message] of UNFIT) {
    assert.throws(
      () => createClient(options as ClientOptions),
      (error: unknown) => error instanceof TypeError && error.message.includes(message) && !/secret/.test(`${error}`),
      `${message}`,
    );
  }
  createClient({ url: "http://h/base/" });
});

test.run();
