// The feed over HTTP, through every door.
import { once } from "node:events";
import http from "node:http";
import { H3 } from "h3";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ActivityServer } from "../../src/index.js";
import { ACTIVITY } from "../../src/util/in-process.js";
import { type Headers, inTime, type Served, withServer } from "../harness.js";
import { until } from "../http/client.js";

const test = suite("the feed over HTTP");

const EVENT = { timestamp: "2024-03-01T10:00:00Z", duration: 1, data: { title: "ä → 😀" } };

/** A response in chunks, and its messages as they arrive. */
class Stream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder();
  text = "";
  #isOver = false;
  readonly leave: () => void;

  constructor(
    status: number,
    headers: Record<string, string | null>,
    chunks: AsyncIterable<Uint8Array>,
    leave: () => void,
  ) {
    this.status = status;
    this.headers = headers;
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.leave = leave;
  }

  /** Reads until the text matches; to the end without a pattern. */
  async until(pattern: RegExp = /(?!)/): Promise<string> {
    while (!pattern.test(this.text) && !this.#isOver) {
      const { done, value } = await inTime(this.#chunks.next(), `${pattern} in ${JSON.stringify(this.text)}`);
      if (done) this.#isOver = true;
      else this.text += this.#decoder.decode(value, { stream: true });
    }
    return this.text;
  }

  get messages(): Record<string, unknown>[] {
    return [...this.text.matchAll(/^data: (.*)$/gm)].map(([, json = ""]) => JSON.parse(json));
  }

  get cursor(): string {
    return [...this.text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? "";
  }
}

type Open = (served: Served, search?: string, headers?: Headers) => Promise<Stream>;

async function overNode({ port }: Pick<Served, "port">, search = "", headers: Headers = {}): Promise<Stream> {
  const request = http.get({ port, path: `/api/0/feed${search}`, headers, agent: false });
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  const found = response.headers as Record<string, string>;
  return new Stream(response.statusCode ?? 0, found, response, () => response.destroy());
}

async function overFetch(
  fetch: (request: Request) => Response | Promise<Response>,
  search = "",
  headers: Headers = {},
): Promise<Stream> {
  const response = await fetch(new Request(`http://localhost/api/0/feed${search}`, { headers }));
  const body = response.body as ReadableStream<Uint8Array>;
  const reader = body.getReader();
  const chunks = {
    [Symbol.asyncIterator]: () => ({
      next: () => reader.read() as Promise<IteratorResult<Uint8Array>>,
    }),
  };
  return new Stream(response.status, Object.fromEntries(response.headers), chunks, () => void reader.cancel());
}

const DOORS: Readonly<Record<string, Open>> = {
  "the request listener": overNode,
  "fetch()": ({ server }, search, headers) => overFetch(server.fetch, search, headers),
  "the app of h3": ({ server }, search, headers) =>
    overFetch((request) => new H3().mount("/", server.app).fetch(request), search, headers),
};

const running = (server: ActivityServer): number => server[ACTIVITY].running;

for (const [door, open] of Object.entries(DOORS)) {
  test(`${door}: messages arrive, and resume after their cursor`, () =>
    withServer({ buckets: ["a"] }, async (served) => {
      const stream = await open(served);
      assert.is(stream.status, 200);
      assert.is(stream.headers["content-type"], "text/event-stream");
      assert.is(stream.headers["cache-control"], "no-store, no-transform");
      await stream.until(/reset/);
      assert.match(
        stream.text,
        /^:\nretry: 2000\n\nid: \w+-0\nevent: reset\ndata: \{"type":"reset","reason":"start"\}\n\n$/,
      );
      await served.send("POST", "/api/0/buckets/a/events", EVENT);
      await stream.until(/inserted.*\n\n/);
      const { type, action, bucket, event } = stream.messages.at(-1) as Record<string, unknown>;
      assert.equal([type, action, bucket], ["events", "inserted", "a"]);
      const [stored] = JSON.parse((await served.send("GET", "/api/0/buckets/a/events")).body.toString());
      assert.equal(event, stored);
      const { cursor } = stream;
      stream.leave();
      await until(() => running(served.server) === 0, "the reader to be gone");
      await served.send("POST", "/api/0/settings/theme", '"dark"', { "content-type": "application/json" });
      for (const [search, headers] of [
        [`?after=${cursor}`, {}],
        ["", { "last-event-id": cursor }],
        ["?after=x1-1", { "last-event-id": cursor }],
      ] as const) {
        const again = await open(served, search, headers);
        await again.until(/setting/);
        assert.equal(again.messages, [{ type: "setting", key: "theme" }]);
        again.leave();
      }
      await until(() => running(served.server) === 0, "the readers to be gone");
    }));

  test(`${door}: a server that stops says so`, () =>
    withServer({ buckets: ["a"] }, async (served) => {
      const streams = await Promise.all([open(served), open(served)]);
      await Promise.all(streams.map((stream) => stream.until(/reset/)));
      const closed = served.server.close();
      for (const stream of streams) {
        await stream.until();
        assert.equal(stream.messages.at(-1), { type: "bye", reconnect_after: 2 });
      }
      await inTime(closed, "the server to close");
    }));

  test(`${door}: a key gets what it may read, and nothing once it is revoked`, () =>
    withServer({ buckets: ["mine_a", "other"], auth: "required" }, async (served) => {
      const { server } = served;
      const { key } = await server.keys.add({ name: "reader", scopes: ["read:mine_*"] });
      const stream = await open(served, "", { authorization: `Bearer ${key}` });
      await stream.until(/reset/);
      const insert = (id: string) => server.events.insert(id, { ...EVENT, duration: "1s" });
      await insert("other");
      await server.settings.put("theme", "dark");
      await insert("mine_a");
      await stream.until(/mine_a/);
      assert.equal(
        stream.messages.map(({ bucket }) => bucket),
        [undefined, "mine_a"],
      );
      await server.identity.rename("mine_a", { to: "hidden" });
      await stream.until(/deleted/);
      await insert("hidden");
      await server.buckets.create("mine_b", { client: "c", type: "t", hostname: "h" });
      await stream.until(/mine_b/);
      assert.not.match(stream.text, /hidden|other|theme/);
      const before = stream.text;
      await server.keys.revoke("reader");
      await insert("mine_b");
      await stream.until().catch(() => undefined);
      assert.is(stream.text, before);
      const again = await open(served, "", { authorization: `Bearer ${key}` });
      assert.is(again.status, 401);
      await again.until();
    }));

  test(`${door}: invalid parameters are 400, and one reader too many is 503`, () =>
    withServer({ feedReaders: 1 }, async (served) => {
      for (const [search, headers] of [[`?buckets=${"x".repeat(301)}`], ["", { "last-event-id": "x" }]] as const) {
        const refused = await open(served, search, headers);
        assert.is(refused.status, 400, search);
        assert.match(await refused.until(), /"code":"INVALID_INPUT"/);
      }
      const first = await open(served);
      await first.until(/reset/);
      const second = await open(served);
      assert.is(second.status, 503);
      assert.is(second.headers["retry-after"], "5");
      await second.until();
      first.leave();
      await until(() => running(served.server) === 0, "the reader to be gone");
      const third = await open(served);
      await third.until(/reset/);
      third.leave();
    }));
}

test("pairing requests reach their owner only: whoever reads, until keys exist", () =>
  withServer({ auth: "optional" }, async (served) => {
    const { server, send } = served;
    const scopes = ["read:*"] as const;
    const pair = async (name: string): Promise<{ code: string; secret: string }> =>
      JSON.parse((await send("POST", "/api/0/pairing", { name, scopes })).body.toString());
    const anybody = await overNode(served, "?types=pairing");
    await anybody.until(/reset/);
    const { code, secret } = await pair("phone");
    await anybody.until(/requested.*\n\n/);
    await server.pairing.approve(code);
    await anybody.until(/decided.*\n\n/);
    const { key } = JSON.parse((await send("POST", "/api/0/pairing/collect", { secret })).body.toString());
    const admin = await server.keys.add({ name: "admin", scopes: ["admin"] });
    const owner = await overNode(served, "", { authorization: `Bearer ${admin.key}` });
    const reader = await overNode(served, "", { authorization: `Bearer ${key}` });
    await Promise.all([owner, reader].map((stream) => stream.until(/reset/)));
    const other = await pair("tablet");
    await owner.until(/requested.*\n\n/);
    await server.pairing.refuse(other.code);
    await owner.until(/decided.*\n\n/);
    assert.equal(owner.messages.slice(1), [
      { type: "pairing", action: "requested", code: other.code },
      { type: "pairing", action: "decided", code: other.code },
    ]);
    await server.buckets.create("a", { client: "c", type: "t", hostname: "h" });
    const everything = await overNode(served, `?after=${anybody.cursor}`);
    for (const stream of [reader, everything]) {
      await stream.until(/created/);
      assert.not.match(stream.text, other.code);
      stream.leave();
    }
    owner.leave();
    anybody.leave();
  }));

test("a reader that takes nothing is disconnected", () =>
  withServer({ buckets: ["a"] }, async (served) => {
    const stream = await overNode(served);
    await stream.until(/reset/);
    const data = { title: "x".repeat(100_000) };
    // More than the buffers of the connection hold.
    for (let count = 0; count < 3000 && running(served.server) > 0; count++) {
      await served.server.events.insert("a", { ...EVENT, duration: "1s", data });
      await new Promise((resolve) => setTimeout(resolve));
    }
    await until(() => running(served.server) === 0, "the reader to be disconnected");
    const { cursor } = stream;
    stream.leave();
    const again = await overNode(served, `?after=${cursor}`);
    await again.until(/event: (?:events|reset)/);
    again.leave();
  }));

test("HEAD opens no feed for long", () =>
  withServer({ feedReaders: 1 }, async ({ send, server }) => {
    assert.is((await send("HEAD", "/api/0/feed")).status, 200);
    await until(() => running(server) === 0, "the reader to be gone");
    assert.is((await send("HEAD", "/api/0/feed")).status, 200);
  }));

test("a heartbeat in progress when the first reader comes is not lost", () =>
  withServer({ buckets: ["a"] }, async ({ server }) => {
    const beats = Array.from({ length: 50 }, (_, at) =>
      server.heartbeat("a", { timestamp: new Date(1.7e12 + at * 60_000), data: { at } }, "1s"),
    );
    const ids = new Set<number>();
    for await (const message of server.feed()) {
      if (message.type === "reset") for await (const { id } of server.events.read("a")) ids.add(id);
      else if ("event" in message) ids.add(message.event.id);
      if (ids.size === 50) break;
    }
    assert.is((await Promise.all(beats)).length, 50);
  }));

test.run();
