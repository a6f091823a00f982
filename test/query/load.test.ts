// What queries may use up together: places, memory, periods.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { ActivityError, type Storage } from "../../src/index.js";
import { QueryLoad, type QueryShare } from "../../src/query/load.js";
import { Admission } from "../../src/util/admission.js";
import { inTime, withServer } from "../harness.js";
import { json, refusal } from "../http/client.js";
import { withHeldTimers } from "../http/held-timers.js";
import { door, fill } from "../http/storages.js";

const test = suite("load of queries");

const MIB = 1024 * 1024;
const QUERY = "/api/0/query";

/** Lets everything run that is not waiting for something. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** What has settled of some promises, by their places. */
function settledOf(promises: readonly Promise<unknown>[]): readonly number[] {
  const settled: number[] = [];
  for (const [index, promise] of promises.entries()) void promise.then(() => settled.push(index));
  return settled;
}

test("as much is let in as there is room for, and the rest in the order in which it came", async () => {
  const admission = new Admission({ capacity: 10, waitMillis: 60_000 });
  const entries = [4, 6, 1, 9, 1].map((weight) => admission.enter(weight));
  const settled = settledOf(entries);
  await turn();
  assert.equal(settled, [0, 1]);
  const [first, second] = await Promise.all(entries.slice(0, 2));
  first?.();
  await turn();
  assert.equal(settled, [0, 1, 2], "9 do not fit, and 1 stands behind them");
  second?.();
  await turn();
  assert.equal(settled, [0, 1, 2, 3]);
  first?.();
  first?.();
  await turn();
  assert.equal(settled, [0, 1, 2, 3], "what has ended cannot end again");
  (await entries[2])?.();
  await turn();
  assert.equal(settled, [0, 1, 2, 3, 4]);
  for (const entry of entries) (await entry)?.();
});

test("what is heavier than all that there is is let in alone", async () => {
  const admission = new Admission({ capacity: 10, waitMillis: 60_000 });
  const release = await admission.enter(1000);
  const next = admission.enter(1);
  const settled = settledOf([next]);
  await turn();
  assert.equal(settled, []);
  release?.();
  assert.type(await next, "function");
});

test("who waits too long, or comes when too many wait, is not let in", async () => {
  const admission = new Admission({ capacity: 1, waitMillis: 20, mostWaiting: 2 });
  const release = await admission.enter();
  const waiting = [admission.enter(), admission.enter()];
  assert.is(await admission.enter(), undefined);
  assert.equal(await Promise.all(waiting), [undefined, undefined]);
  release?.();
  assert.type(await admission.enter(), "function");
});

test("who leaves the line makes room in it, and keeps nobody behind it waiting", async () => {
  const admission = new Admission({ capacity: 10, waitMillis: 60_000, mostWaiting: 2 });
  const first = await admission.enter(6);
  let hasLeft = false;
  const leaving = admission.enter(10, () => hasLeft);
  const light = admission.enter(4);
  const settled = settledOf([leaving, light]);
  hasLeft = true;
  const last = admission.enter(10);
  await turn();
  assert.is(await leaving, undefined, "dismissed for the one that came last");
  first?.();
  (await light)?.();
  assert.type(await last, "function");
  assert.equal(settled, [0, 1]);
});

test("eight queries run at a time, and the next one when one of them ends", async () => {
  const load = new QueryLoad();
  const shares = Array.from({ length: 9 }, () => load.begin());
  const settled = settledOf(shares);
  await turn();
  assert.is(settled.length, 8);
  (await (shares[0] as Promise<QueryShare>)).end();
  await turn();
  assert.is(settled.length, 9);
});

test("one query at a time has much memory; those that wait for it leave their places to others", async () => {
  const load = new QueryLoad();
  const shares = await Promise.all(Array.from({ length: 8 }, () => load.begin()));
  for (const share of shares) assert.is(share.room(8 * MIB), undefined);
  const next = load.begin();
  const grown = shares.map((share) => Promise.resolve(share.room(9 * MIB)));
  const settled = settledOf(grown);
  await inTime(next, "a small query beside large ones");
  await turn();
  assert.equal(settled, [0]);
  assert.is(shares[0]?.room(500 * MIB), undefined, "it may grow further");
  shares[0]?.end();
  await turn();
  assert.equal(settled, [0, 1]);
  for (const [index, share] of shares.entries()) {
    await grown[index];
    share.end();
  }
});

/** A storage whose reads wait until they are let go. */
function holding(): { readonly storage: Storage; letGo(): void; readonly isRead: Promise<void> } {
  const inner = memory();
  let letGo = (): void => undefined;
  let noteRead = (): void => undefined;
  const gone = new Promise<void>((resolve) => (letGo = resolve));
  const isRead = new Promise<void>((resolve) => (noteRead = resolve));
  const storage: Storage = {
    ...inner,
    async read(bucketId, range) {
      noteRead();
      await gone;
      return inner.read(bucketId, range);
    },
  };
  return { storage, letGo, isRead };
}

function bodyOf(index: number): string {
  const second = String(index).padStart(2, "0");
  return JSON.stringify({
    timeperiods: [`2024-03-01/2024-03-02T00:00:${second}`],
    query: ['RETURN = query_bucket("b");'],
  });
}

test("queries beyond those that run and wait are refused with 503, and heartbeats are not", async () => {
  const { storage, letGo, isRead } = holding();
  await withServer({ storage, buckets: ["b"] }, async ({ server, send }) => {
    const headers = { "content-type": "application/json" };
    const ask = (index: number): Promise<Response> =>
      server.fetch(QUERY, { method: "POST", headers, body: bodyOf(index) });
    const asked = Array.from({ length: 8 + 64 + 1 }, (_, index) => ask(index % 60));
    await isRead;
    // Whichever came last: no other one can be answered yet.
    const refused = await inTime(Promise.race(asked), "the refusal", 20);
    assert.is(refused.status, 503);
    assert.is(refused.headers.get("retry-after"), "5");
    assert.match(await refused.text(), "too many queries are running");
    json(await send("POST", "/api/0/buckets/b/heartbeat?pulsetime=1", { timestamp: "2024-03-01", data: {} }));
    letGo();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    assert.equal([...new Set(statuses)].sort(), [200, 503]);
    assert.is(statuses.filter((status) => status === 503).length, 1);
  });
});

/** 200,000 events, 6.4 MB as they are counted: less than what a query may have beside others. */
const MUCH = 'e = query_bucket("b"); e = concat(e, e);';
/** Programs that get large at one place each. */
const GROWING: Readonly<Record<string, string>> = {
  "by its variables": `${MUCH} f = concat(e, e); e = 1; f = 1; RETURN = 1;`,
  "while it reads a bucket": `${MUCH} query_bucket("c"); e = 1; RETURN = 1;`,
  "by its result": `${MUCH} RETURN = concat(e, e);`,
};

test("while one query has much memory others wait for it wherever they grow, and then are refused with 503", async () => {
  const inner = memory();
  for (const id of ["b", "c"]) await fill(inner, id, 100_000, 1);
  await fill(inner, "held", 1);
  const { opened: reached, open: reach } = door();
  const { opened, open } = door();
  const storage: Storage = {
    ...inner,
    async read(bucketId, range) {
      if (bucketId === "held") {
        reach();
        await opened;
      }
      return inner.read(bucketId, range);
    },
  };
  await withServer({ storage }, async ({ send, server }) => {
    const ask = (text: string): Promise<Response> => {
      const body = JSON.stringify({ timeperiods: ["1970-01-01/2000-01-01"], query: [text] });
      return server.fetch(QUERY, { method: "POST", headers: { "content-type": "application/json" }, body });
    };
    await withHeldTimers(30_000, async (timers) => {
      const held = ask(`${MUCH} f = concat(e, e); query_bucket("held"); RETURN = 2;`);
      await inTime(reached, "the first one", 25);
      for (const [name, text] of Object.entries(GROWING)) {
        let isAnswered = false;
        const answer = ask(text).finally(() => (isAnswered = true));
        await timers.untilSet(1, () => isAnswered);
        assert.not(isAnswered, `one that grows ${name} does not wait`);
        const small = { timeperiods: ["2024-03-01/2024-03-02"], query: ['RETURN = query_bucket("b");'] };
        assert.equal(json(await inTime(send("POST", QUERY, small), "a small query meanwhile", 25)), [[]]);
        timers.goOff();
        const refused = await inTime(answer, `one that grows ${name}`, 25);
        assert.is(refused.status, 503, name);
        assert.is(refused.headers.get("retry-after"), "5");
        assert.match(await refused.text(), "other large queries are running");
      }
      open();
      assert.equal(await (await inTime(held, "the first one", 25)).json(), [2]);
    });
    for (const text of Object.values(GROWING).slice(0, 2)) {
      assert.equal(await (await inTime(ask(text), "the same again")).json(), [1]);
    }
  });
});

test("a query whose large result nobody takes holds up nobody else", async () => {
  await withServer({ buckets: ["b"] }, async ({ server, send }) => {
    const events = Array.from({ length: 5_000 }, (_, second) => ({
      timestamp: new Date(1_709_251_200_000 + second * 1000).toISOString(),
      duration: 1,
      data: { app: "editor" },
    }));
    json(await send("POST", "/api/0/buckets/b/events", events));
    const query = ['e = query_bucket("b");', "e = concat(e, e); ".repeat(6), "RETURN = e;"];
    const ask = (end: string): Promise<Response> => {
      const body = JSON.stringify({ timeperiods: [`2024-03-01/2024-03-02T00:00:${end}`], query });
      return server.fetch(QUERY, { method: "POST", headers: { "content-type": "application/json" }, body });
    };
    const unread = await Promise.all(Array.from({ length: 10 }, (_, second) => inTime(ask(`0${second}`), "a query")));
    assert.equal([...new Set(unread.map(({ status }) => status))], [200]);
    for (const { body } of unread) await body?.cancel();
  });
});

test("more than 10,000 periods are refused, over HTTP and in process", async () => {
  await withServer({}, async ({ send, server }) => {
    const timeperiods = Array.from({ length: 10_001 }, () => "2024-03-01/2024-03-02");
    const query = ["RETURN = 1;"];
    assert.match(
      refusal(await send("POST", QUERY, { timeperiods, query }), 400),
      /timeperiods must have at most 10000 periods .*, got 10001/,
    );
    try {
      await server.query({ timeperiods, query });
      assert.unreachable("it is answered");
    } catch (thrown) {
      assert.ok(ActivityError.is(thrown) && thrown.code === "INVALID_INPUT", String(thrown));
    }
    assert.is((await server.query({ timeperiods: timeperiods.slice(1), query })).length, 10_000);
  });
  await withServer({ queryLimits: { periods: 2 } }, async ({ send }) => {
    const timeperiods = ["2024-03-01/2024-03-02", "2024-03-02/2024-03-03", "2024-03-03/2024-03-04"];
    refusal(await send("POST", QUERY, { timeperiods, query: ["RETURN = 1;"] }), 400);
    assert.equal(
      json(await send("POST", QUERY, { timeperiods: timeperiods.slice(1), query: ["RETURN = 1;"] })),
      [1, 1],
    );
  });
});

test("going through thousands of periods counts to the time that a query may take, however little each does", () =>
  withServer({ queryLimits: { timeMillis: 1 } }, async ({ send }) => {
    const timeperiods = Array.from({ length: 10_000 }, () => "2024-03-01/2024-03-02");
    for (const query of [["RETURN = 1;"], [`#${"x".repeat(500_000)}`, "RETURN = 1;"]]) {
      const message = refusal(await send("POST", QUERY, { timeperiods, query }), 503);
      assert.match(message, "took longer than 1 ms (queryLimits.timeMillis)");
    }
  }));

test("a long program over thousands of periods needs no memory for each of them", () =>
  withServer({}, async ({ send }) => {
    const timeperiods = Array.from({ length: 10_000 }, (_, index) => {
      const time = new Date(1_709_251_200_000 + index * 1000).toISOString();
      return `2024-02-01/${time}`;
    });
    const request = { timeperiods, query: [`#${"x".repeat(500_000)}`, "RETURN = 1;"] };
    const before = process.memoryUsage().rss;
    assert.is((json(await send("POST", QUERY, request)) as unknown[]).length, 10_000);
    const grown = (process.memoryUsage().rss - before) / MIB;
    // A key with the whole text for each period would be 10 GB in all.
    assert.ok(grown < 500, `grew by ${grown.toFixed(0)} MiB`);
  }));

test.run();
