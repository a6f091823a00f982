// Calls that end badly: by a server that does not speak this API, by time, by the caller.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  type ActivityClient,
  type ClientErrorCode,
  connect,
  createClient,
  isActivityClientError,
  isTransient,
} from "../../src/client/index.js";
import { withoutStrays, withTestServer } from "../harness.js";
import { failureInTime as failureOf, textOf } from "./failure-of.js";
import { settle, withManualTimers } from "./manual-timers.js";
import { answering, beginning, type Script, withScript } from "./scripted-server.js";

const test = suite("client failures");

const PAGE = "<!doctype html><title>Bad gateway</title>";
const BUCKET = { type: "t", client: "c", hostname: "h" } as const;

const hang: Script = () => {};
const drop: Script = (socket) => socket.destroy();

type Call = (client: ActivityClient) => Promise<unknown>;
const info: Call = (client) => client.info();
const exported: Call = (client) => textOf(client.exportText());

type Case = readonly [script: Script, call: Call, code: ClientErrorCode, message: RegExp, status?: number];

const page = (status: string): Script => answering(status, PAGE, "text/html");
const malformed = (script: Script, call: Call, message: RegExp, status = 200): Case => {
  return [script, call, "MALFORMED_RESPONSE", message, status];
};
const create: Call = (client) => client.buckets.create("b", BUCKET);
const NO_API = /\(not a response of this API\)$/;
const EMPTY = answering("200 OK", "");

const CASES: Readonly<Record<string, Case>> = {
  "a page instead of an answer": malformed(page("200 OK"), info, /"<!doctype .*"; the response must be JSON$/),
  "a page where nothing has to be told": malformed(page("200 OK"), create, /the response must be JSON$/),
  "an empty answer": malformed(EMPTY, info, /the response must be JSON$/),
  "a page for a document in pieces": malformed(page("200 OK"), exported, /the response must be a document$/),
  "no document in pieces": malformed(EMPTY, exported, /""; the response must be a document$/),
  "not modified without a condition": malformed(answering("304 Not Modified", ""), info, /304/, 304),
  "a status that stands for no answer": malformed(answering("300 Choices", "{}"), create, /300/, 300),
  "the page of a proxy whose server is away": [page("502 Bad Gateway"), info, "REFUSED", NO_API, 502],
  "an error whose message is no text": [answering("400 Bad", '{"message":{"a":1}}'), info, "REFUSED", NO_API, 400],
  "an error that is null": [answering("500 Oops", "null"), exported, "REFUSED", NO_API, 500],
  "a connection that is closed": [drop, info, "UNREACHABLE", /: no complete response: /],
  "what is no HTTP": [(socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"), info, "UNREACHABLE", /no complete response/],
};

for (const [name, [script, call, code, message, status]] of Object.entries(CASES)) {
  test(`${name}: the error tells it with URL and status`, async () => {
    await withoutStrays(() =>
      withScript(script, async ({ url }) => {
        const error = await failureOf(call(createClient({ url })));
        assert.is(error.code, code, error.message);
        assert.is(error.status, status);
        assert.is(error.serverMessage, undefined);
        assert.match(error.message, message);
        assert.ok(error.message.startsWith(`${error.method} ${url}/api/0/`), error.message);
        assert.ok(error.url?.startsWith(url));
      }),
    );
  });
}

test("a server that is not there is named with the reason", async () => {
  let gone = "";
  await withScript(hang, async ({ url }) => {
    gone = url;
  });
  const error = await failureOf(createClient({ url: gone }).info());
  assert.is(error.code, "UNREACHABLE");
  assert.match(error.message, "ECONNREFUSED");
  assert.instance(error.cause, TypeError);
});

for (const [name, script] of Object.entries({ silent: hang, slow: beginning('{"hostname":') })) {
  test(`a ${name} server is given up after the time of the client or of the call`, async () => {
    await withoutStrays(() =>
      withScript(script, async ({ url, left }) => {
        const patient = createClient({ url, timeoutMillis: Number.POSITIVE_INFINITY });
        for (const call of [createClient({ url, timeoutMillis: 20 }).info(), patient.info({ timeoutMillis: 20 })]) {
          const error = await failureOf(call);
          assert.is(error.code, "TIMEOUT");
          assert.is(error.message, `GET ${url}/api/0/info: no response within 20 ms`);
        }
        await left();
      }),
    );
  });

  test(`a call to a ${name} server ends as soon as its caller aborts`, async () => {
    await withoutStrays(() =>
      withScript(script, async ({ url, left }) => {
        const controller = new AbortController();
        const call = failureOf(createClient({ url }).buckets.get("b", { signal: controller.signal }));
        setImmediate(() => controller.abort("no more"));
        const error = await call;
        assert.is(error.code, "ABORTED");
        assert.is(error.cause, "no more");
        assert.is(error.message, `GET ${url}/api/0/buckets/b: aborted by the caller`);
        await left();
      }),
    );
  });
}

test("with a signal that is aborted nothing is sent, over HTTP and in process", () =>
  withTestServer({}, async (server) => {
    await withScript(hang, async ({ url, requests }) => {
      const signal = AbortSignal.abort();
      for (const client of [createClient({ url }), connect(server)]) {
        assert.is((await failureOf(client.buckets.create("b", BUCKET, { signal }))).code, "ABORTED");
      }
      assert.is(requests(), 0);
    });
    assert.equal(await server.buckets.list(), []);
  }));

test("a fetch of the caller's that watches no signal is given up as well", async () => {
  const never = createClient({ fetch: () => new Promise<Response>(() => {}), timeoutMillis: 5 });
  assert.is((await failureOf(never.info())).code, "TIMEOUT");
  let cancelled = 0;
  const body = new ReadableStream<Uint8Array>({ cancel: () => void cancelled++ });
  const endless = createClient({ fetch: async () => new Response(body), timeoutMillis: 5 });
  assert.is((await failureOf(endless.info())).code, "TIMEOUT");
  assert.is(cancelled, 1);
});

test("a fetch of the caller's that throws is an unreachable server", async () => {
  const broken = createClient({
    fetch: () => {
      throw new RangeError("no wire");
    },
  });
  const error = await failureOf(broken.info());
  assert.is(error.code, "UNREACHABLE");
  assert.match(error.message, /no complete response: no wire$/);
});

test("calls that are over leave no listener on a signal of the caller's", () =>
  withTestServer({}, async (server) => {
    const { signal } = new AbortController();
    let [listeners, most] = [0, 0];
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (name: string, listener: EventListener) => {
      most = Math.max(most, ++listeners);
      add(name, listener);
    };
    signal.removeEventListener = (name: string, listener: EventListener) => {
      listeners--;
      remove(name, listener);
    };
    const client = connect(server);
    await client.info({ signal });
    await failureOf(client.buckets.get("nothing", { signal }));
    await failureOf(client.buckets.get("", { signal }));
    await textOf(client.exportText({ signal }));
    assert.equal([listeners, most], [0, 1]);
  }));

test("a reader of pieces may take its time; the server may not", async () => {
  await withManualTimers(async ({ pending, fire }) => {
    const encoder = new TextEncoder();
    let send = (_text: string): void => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (text) => controller.enqueue(encoder.encode(text));
      },
    });
    const client = createClient({ fetch: async () => new Response(body), timeoutMillis: 70 });
    const pieces = client.exportText()[Symbol.asyncIterator]();
    send("{");
    assert.is((await pieces.next()).value, "{");
    assert.equal(pending(), [], "no time runs while nobody waits");
    const second = pieces.next();
    await settle();
    assert.equal(pending(), [70]);
    send("}");
    assert.is((await second).value, "}");
    const late = Promise.resolve(pieces.next()).catch((error: unknown) => error);
    await settle();
    fire();
    const error = await late;
    assert.is(isActivityClientError(error) && error.code, "TIMEOUT");
  });
});

test("leaving a loop over pieces closes the connection", async () => {
  await withScript(beginning("{"), async ({ url, left }) => {
    for await (const piece of createClient({ url }).exportText()) {
      assert.is(piece, "{");
      break;
    }
    await left();
  });
});

test("what may pass by itself is told from what does not", async () => {
  const transient = async (script: Script, timeoutMillis = 30_000): Promise<boolean> => {
    let is = false;
    await withScript(script, async ({ url }) => {
      is = isTransient(await failureOf(createClient({ url, timeoutMillis }).info()));
    });
    return is;
  };
  assert.is(await transient(hang, 20), true);
  for (const script of [drop, answering("503 Closing", "{}"), answering("429 Slow down", "{}")]) {
    assert.is(await transient(script), true);
  }
  for (const script of [
    answering("404 Not Found", "{}"),
    answering("400 Bad Request", "{}"),
    answering("200 OK", "x"),
  ]) {
    assert.is(await transient(script), false);
  }
  assert.is(isTransient(new Error("UNREACHABLE")), false);
});

test.run();
