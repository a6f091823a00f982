// What a client makes of what it is given, before anything is sent.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ActivityClient, createClient } from "../../src/client/index.js";
import { failureOf } from "./failure-of.js";

const test = suite("requests of the client");

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
}

type Options = Omit<Parameters<typeof createClient>[0] & object, "fetch">;

/** A client whose requests end here, each answered with `null`. */
function listening(options: Options = {}): { readonly client: ActivityClient; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const client = createClient({
    ...options,
    fetch: async (url, { method = "", headers, body }) => {
      sent.push({ url, method, headers: new Headers(headers), body });
      return new Response("null");
    },
  });
  return { client, sent };
}

const BEAT = { timestamp: "2024-03-01T10:00:00Z" } as const;
const NEVER = new Date(Number.NaN);
const circle: Record<string, unknown> = {};
circle["self"] = circle;

type Call = (client: ActivityClient) => Promise<unknown>;
const put =
  (value: unknown): Call =>
  (client) =>
    client.settings.put("k", value as null);

/** Values that JSON would leave out or make null of. */
const UNSERIALIZABLE: Readonly<Record<string, readonly [call: Call, message: RegExp]>> = {
  "a setting that is no number": [put(Number.NaN), /the value is NaN/],
  "no setting": [put(undefined), /the value is undefined/],
  "a setting that is a symbol": [put(Symbol("s")), /the value is a symbol/],
  "a number that is none inside": [put({ a: [1, Number.NaN] }), /'1' is NaN/],
  "a gap in a list": [put([1, undefined]), /'1' is undefined/],
  "a function inside": [put({ a: () => 1 }), /'a' is a function/],
  "a circle": [put(circle), /circular/],
  "a bucket from no time": [
    (client) => client.buckets.create("b", { type: "", client: "", hostname: "", created: NEVER }),
    /'created' is Invalid Date/,
  ],
  "a pulsetime that is no number": [(client) => client.heartbeat("b", BEAT, Number.NaN), /pulsetime must/],
  "half a sign in a path": [(client) => client.buckets.get("\ud800"), /URI malformed/],
  "a period in milliseconds": [
    (client) => client.query({ timeperiods: [{ start: 1709283600000 as never, end: NEVER }], query: "" }),
    /must be a Date or a string, got 1709283600000; these are milliseconds, pass new Date\(1709283600000\)$/,
  ],
  "a start that is none": [(client) => client.events.list("b", { start: NEVER }), /Invalid time value/],
  "a period that is none": [
    (client) => client.query({ timeperiods: [{ start: NEVER, end: NEVER }], query: "" }),
    /Invalid time value/,
  ],
  "too little time": [(client) => client.info({ timeoutMillis: 0 }), /timeoutMillis must/],
  "half a document": [
    (client) => client.import({ buckets: { b: { type: "", client: "", hostname: "", data: { a: Number.NaN } } } }),
    /'a' is NaN/,
  ],
};

for (const [name, [call, message]] of Object.entries(UNSERIALIZABLE)) {
  test(`${name} is refused before anything is sent`, async () => {
    const { client, sent } = listening();
    const error = await failureOf(call(client));
    assert.is(error.code, "INVALID_INPUT", error.message);
    assert.match(error.message, message);
    assert.equal(sent, []);
  });
}

test("what JSON can hold goes out as it is; members that are undefined are left out", async () => {
  const { client, sent } = listening();
  await client.settings.put("k", { a: undefined, b: [null, -1.5, "x", true, {}], c: new Date(0) } as never);
  assert.equal(
    sent.map(({ body }) => body),
    ['{"b":[null,-1.5,"x",true,{}],"c":"1970-01-01T00:00:00.000Z"}'],
  );
});

test("an error about what cannot be sent names method and path", async () => {
  const { client } = listening({ url: "http://h/base" });
  const noName = await failureOf(client.events.get("", 1));
  assert.is(noName.method, "GET");
  assert.match(
    noName.message,
    /^GET \/api\/0\/buckets\/:bucketId\/events\/:eventId: no request can be made: bucketId must be/,
  );
  const noValue = await failureOf(put(Number.NaN)(client));
  assert.is(
    noValue.message,
    "POST /api/0/settings/:key: no request can be made: the value is NaN, which JSON cannot represent",
  );
});

test("headers that are given in any case go once with each request", async () => {
  const { client, sent } = listening({
    headers: { "X-Team": "blue", "Content-Type": "text/plain", ACCEPT: "application/json" },
    apiKey: "secret",
  });
  await client.settings.put("k", 1);
  await client.settings.get("k");
  const [put, get] = sent.map(({ headers }) => Object.fromEntries(headers));
  const common = { "x-team": "blue", accept: "application/json", authorization: "Bearer secret" };
  // A body is always JSON, whatever the caller says.
  assert.equal(put, { ...common, "content-type": "application/json" });
  assert.equal(get, { ...common, "content-type": "text/plain" });
});

test("one request has one Authorization", async () => {
  for (const name of ["authorization", "Authorization", "AUTHORIZATION"]) {
    const headers = { [name]: "Basic eDp5" };
    assert.throws(() => createClient({ apiKey: "secret", headers }), /^(?!.*(?:secret|eDp5)).*apiKey.*authorization/i);
    const { client, sent } = listening({ headers });
    await client.settings.get("k");
    assert.is(sent[0]?.headers.get("authorization"), "Basic eDp5");
  }
});

test.run();
