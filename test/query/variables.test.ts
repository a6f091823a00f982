// Variables of a request, which a program uses like its own.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connect } from "../../src/client/index.js";
import type { ActivityServer } from "../../src/index.js";
import { BUCKET, type Send, withServer } from "../harness.js";
import { json, refusal } from "../http/client.js";
import { codeOf } from "../refusals.js";

const test = suite("query variables");

const DAY = ["2024-03-01/2024-03-02"];
const VARIABLES = {
  bucket: "window",
  apps: ["editor", 'a "quoted" \\ one'],
  größe_2: -1.5,
  deep: { a: [null, true, { b: "" }] },
};

/** The result of a program by each way to run it. */
async function each(
  { server, send }: { readonly server: ActivityServer; readonly send: Send },
  query: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const inProcess = await server.query({ timeperiods: DAY, query, variables });
  const byClient = await connect(server).query({ timeperiods: DAY, query, variables });
  const overHttp = json(await send("POST", "/api/0/query", { timeperiods: DAY, query: [query], variables }));
  assert.equal(byClient, inProcess);
  assert.equal(overHttp, inProcess);
  return inProcess[0];
}

test("they are values, whatever is in them", () =>
  withServer({}, async (served) => {
    const apps = ["editor", 'a "quoted" \\ one', '"); RETURN = "'];
    const events = apps.map((app, index) => {
      return { timestamp: `2024-03-01T10:0${index}:00Z`, duration: `${index + 1}s`, data: { app } } as const;
    });
    await served.server.buckets.create("window", BUCKET, events);
    const sum = 'RETURN = sum_durations(filter_keyvals(query_bucket(bucket), "app", apps));';
    assert.is(await each(served, sum, VARIABLES), 3);
    assert.is(await each(served, sum, { ...VARIABLES, apps: ['"); RETURN = "'] }), 3);
    assert.is(await each(served, sum, { ...VARIABLES, apps: [] }), 0);
    assert.equal(await each(served, "RETURN = [größe_2, deep, apps];", VARIABLES), [
      VARIABLES.größe_2,
      VARIABLES.deep,
      VARIABLES.apps,
    ]);
    assert.is(await each(served, "bucket = 1; RETURN = bucket;", VARIABLES), 1);
    assert.is(await each(served, "RETURN = 1;", {}), 1);
  }));

test("programs are kept apart whose names and texts are the same one after the other", () =>
  withServer({ door: "process" }, async ({ server }) => {
    const asked = [
      ["A", " RETURN = NAME;"],
      ["A ", "RETURN = NAME;"],
    ] as const;
    for (const [name, query] of [...asked, ...asked]) {
      assert.equal(await server.query({ timeperiods: DAY, query, name }), [name]);
    }
  }));

test("a cached result is that of the same values", () =>
  withServer({}, async (served) => {
    await served.server.buckets.create("window", BUCKET, [{ timestamp: "2024-03-01T10:00:00Z", duration: "1s" }]);
    for (const n of [1, 2, 1]) {
      assert.is(
        await each(served, "RETURN = n + sum_durations(query_bucket(bucket));", { n, bucket: "window" }),
        n + 1,
      );
    }
  }));

test("a bucket that the caller may not see stays hidden", () =>
  withServer({ auth: "required" }, async ({ server, send }) => {
    await server.buckets.create("window", BUCKET);
    const { key } = await server.keys.add({ name: "other", scopes: ["read:other"] });
    const query = { timeperiods: DAY, query: ["RETURN = query_bucket(bucket);"], variables: { bucket: "window" } };
    refusal(await send("POST", "/api/0/query", query, { authorization: `Bearer ${key}` }), 400);
  }));

test("names that no program can use, and other values, are refused", () =>
  withServer({}, async ({ server, send }) => {
    const query = "RETURN = 1;";
    const wrong: unknown[] = [
      ...["NAME", "STARTTIME", "ENDTIME", "TIMEINTERVAL", "RETURN", "true", "None", "if", "return"].map((name) => {
        return { [name]: 1 };
      }),
      ...["", "a b", "1a", "a-b", "a;b", "a\n"].map((name) => ({ [name]: 1 })),
      ...[[1], "text", 1],
    ];
    for (const variables of wrong) {
      assert.is(
        await codeOf(server.query({ timeperiods: DAY, query, variables: variables as never })),
        "INVALID_INPUT",
      );
      refusal(await send("POST", "/api/0/query", { timeperiods: DAY, query: [query], variables }), 400);
    }
    for (const value of [new Date(0), Number.NaN, () => 1]) {
      assert.is(await codeOf(server.query({ timeperiods: DAY, query, variables: { value } })), "INVALID_INPUT");
    }
  }));

test.run();
