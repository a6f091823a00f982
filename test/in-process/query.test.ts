// Queries of the program around: the answers of POST /api/0/query, as objects that belong to it.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { BUCKET, withServer } from "../harness.js";
import { json } from "../http/client.js";
import { pausesDuring } from "../http/pauses.js";
import { type Line, withBuckets } from "../query/asking.js";

const test = suite("queries in process");

const DAY = "2024-03-01/2024-03-02";
const ODD: readonly Line[] = [
  [0, 0.000001, { app: "a", n: -0, list: [{ x: -0 }], "10": 1, "2": 2 }],
  [10, 1 / 3, JSON.parse('{"__proto__": {"x": 1}, "a": "\\ud800"}')],
  [20, 86_399.999999, {}],
];
const PROGRAMS: readonly string[] = [
  'RETURN = query_bucket("window_box");',
  'RETURN = merge_events_by_keys(query_bucket("window_box"), ["app", "a"]);',
  'e = query_bucket("window_box"); RETURN = [e, e + [0 - 0], {"10": e, "2": [null], "__proto__": 0 * (0 - 1)}];',
  'RETURN = [0.1 + 0.2, 0 * (0 - 1), "\n", TIMEINTERVAL, {}, [], true, null];',
  'RETURN = "x";',
];

test("the answer in process is that over HTTP to the last digit", () =>
  withServer({}, async ({ server, send }) => {
    const events = ODD.map(([start, length, data]) => ({
      timestamp: new Date(Date.UTC(2024, 2, 1) + start * 1000),
      duration: { seconds: length },
      data,
    }));
    await server.buckets.create("window_box", BUCKET, events);
    for (const query of PROGRAMS) {
      for (const timeperiods of [[DAY], [], [DAY, "2024-03-01T00:00:00.000001Z/2024-03-01T00:00:20.1Z"]]) {
        const answer = json(await send("POST", "/api/0/query", { timeperiods, query: [query] }));
        const given = await server.query({ timeperiods, query });
        assert.is(exact(given), exact(answer), query);
      }
    }
  }));

/** JSON, in which zeros with different signs, keys of its own and their order are seen. */
function exact(value: unknown): string {
  return JSON.stringify(value, (_key, member) => (Object.is(member, -0) ? "-0" : member));
}

test("who changes an answer changes neither what is stored nor what is answered next", () =>
  withBuckets({ window_box: [[0, 1, { app: "a", list: [1] }]] }, async ({ ask, server }) => {
    const program = 'e = query_bucket("window_box"); RETURN = [e, e];';
    const wanted = JSON.stringify(await ask(program));
    for (let round = 0; round < 2; round++) {
      const answer = (await ask(program)) as unknown as { data: { app: string; list: number[] } }[][];
      for (const { data } of answer.flat()) {
        assert.equal(data, { app: "a", list: [1] });
        data.app = "b";
        data.list.push(2);
      }
    }
    assert.is(JSON.stringify(await ask(program)), wanted);
    assert.equal((await server.events.read("window_box").toArray())[0]?.data, { app: "a", list: [1] });
  }));

test("a program is a string or a list of lines", () =>
  withBuckets({}, async ({ server }) => {
    const messageFor = (query: unknown): Promise<unknown> =>
      server.query({ timeperiods: [DAY], query: query as string }).then(
        ([result]) => result,
        (thrown: Error) => thrown.message,
      );
    assert.is(await messageFor("RETURN = 1;"), 1);
    assert.is(await messageFor(["a = 2;", "RETURN = a;"]), 2);
    assert.is(await messageFor(5), "query must be a string or a list, got 5");
    assert.is(await messageFor(["a = 2;", 5]), "query[1] must be a string, got 5");
  }));

const PERIODS = 1000;

test("others are served while thousands of periods are read", () =>
  withBuckets({}, async ({ server }) => {
    const timeperiods = [...Array.from({ length: PERIODS }, () => DAY), "no period"];
    const [pauses, error] = await pausesDuring(() =>
      server.query({ timeperiods, query: "RETURN = 1" }).then(
        () => undefined,
        (thrown: Error) => thrown,
      ),
    );
    assert.match(String(error?.message), `timeperiods[${PERIODS}] must be two times with a slash`);
    assert.ok(pauses >= PERIODS, `${pauses} pauses`);
  }));

const DOUBLINGS = 16;
const MANY = `e = query_bucket("window_box"); ${"e = concat(e, e);".repeat(DOUBLINGS)}`;
/** Fewest pauses for so many events, by the thousand. */
const FEWEST_PAUSES = 2 ** DOUBLINGS / 5000;

test("others are served while a large answer is made", () =>
  withBuckets(
    { window_box: [[0, 1, { app: "a" }]] },
    async ({ ask }) => {
      const [least] = await pausesDuring(() => ask(`${MANY} RETURN = query_bucket_names();`));
      const [pauses, answer] = await pausesDuring(() => ask(`${MANY} RETURN = e;`));
      assert.is((answer as readonly unknown[]).length, 2 ** DOUBLINGS);
      assert.ok(pauses >= least + FEWEST_PAUSES, `${pauses} and ${least} pauses`);
    },
    { timeMillis: 1e9 },
  ));

test("who no longer waits while a large answer is made gets none", () =>
  withBuckets({ window_box: [[0, 1, { app: "a" }]] }, async ({ server }) => {
    let looks = 0;
    /** A signal that aborts at a look. */
    const after = (most: number): AbortSignal =>
      new Proxy(AbortSignal.abort("not needed any more"), {
        get: (target, name) => (name === "aborted" ? ++looks > most : Reflect.get(target, name, target)),
      });
    const timeperiods = [DAY];
    await server.query({ timeperiods, query: `${MANY} RETURN = 1;`, signal: after(Number.POSITIVE_INFINITY) });
    const carriedOut = looks;
    looks = 0;
    await server.query({ timeperiods, query: `${MANY} RETURN = e;`, signal: after(carriedOut) }).then(
      () => assert.unreachable("it was answered"),
      (reason) => assert.is(reason, "not needed any more"),
    );
    assert.is(looks, carriedOut + 1);
  }));

test.run();
