// What the compiler knows of the client. The assignments are checked by `tsc`; nothing here is carried out.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Operation } from "../../src/api/operation.js";
import { type AnswerName, type BodyName, OPERATION_LIST, type OperationId } from "../../src/api/operations.js";
import type { Named } from "../../src/api/schemas.js";
import {
  type AcceptedClientEvent,
  type ActivityClient,
  type ClientEvent,
  connect,
  createClient,
  type ExportDocument,
  isActivityClientError,
} from "../../src/client/index.js";
import type { ActivityServer } from "../../src/index.js";
import { createTestServer } from "../../src/testing/index.js";
import { withTestServer } from "../harness.js";
import type { Equal } from "../types.js";

const test = suite("types of the client");

type Mutual<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Yes<Answer extends true> = Answer;
type AnswerOf<Id extends OperationId> = Named<AnswerName<Id>>;
type BodyOf<Id extends OperationId> = Named<BodyName<Id>>;

/**
 * Operations that no client needs: descriptions for programs that make clients, a route that only refuses, and what
 * operators ask for.
 */
const LEFT_OUT: readonly OperationId[] = [
  "getOpenApiDocument",
  "getSwaggerDocument",
  "refuseSetting",
  "backUpStorage",
  "verifyStorage",
];

/** Which method serves which operation that does not name it itself. */
const METHODS: { readonly [Id in OperationId]?: (client: ActivityClient) => unknown } = {
  createBucket: (client) => client.buckets.create,
  deleteBucket: (client) => client.buckets.delete,
  insertEvents: (client) => client.events.insert,
  deleteEvent: (client) => client.events.delete,
  heartbeat: (client) => client.heartbeat,
  query: (client) => client.query,
  search: (client) => client.search,
  exportBucketCsv: (client) => client.buckets.exportCsv,
  importBuckets: (client) => client.import,
  readFeed: (client) => client.feed,
};

/** Other ways to the same routes. */
const SECOND_WAYS = ["exportText", "buckets.exportText", "events.deleteMany"];

type Buckets = ActivityClient["buckets"];
type Given<Method extends (...given: never[]) => unknown> = Awaited<ReturnType<Method>>;

/** What a method gives is what the route table says, where it says something. */
export type Answers = [
  Yes<Mutual<readonly ClientEvent[], AnswerOf<"getEvents">>>,
  Yes<Mutual<AcceptedClientEvent | readonly AcceptedClientEvent[], AnswerOf<"insertEvents">>>,
  Yes<Mutual<ClientEvent, AnswerOf<"getEvent">>>,
  Yes<Mutual<AcceptedClientEvent, AnswerOf<"heartbeat">>>,
  Yes<Equal<Given<ActivityClient["import"]>, AnswerOf<"importBuckets">>>,
];

/** Whatever the route table takes, the client takes as well. */
export type Bodies = [
  Yes<BodyOf<"createBucket"> extends Parameters<Buckets["create"]>[1] ? true : false>,
  Yes<BodyOf<"heartbeat"> extends Parameters<ActivityClient["heartbeat"]>[1] ? true : false>,
  Yes<BodyOf<"query"> extends Parameters<ActivityClient["query"]>[0] ? true : false>,
  Yes<BodyOf<"importBuckets"> extends Parameters<ActivityClient["import"]>[0] ? true : false>,
];

/** Without a type of the caller's, a query gives what the table says. */
export async function queried(client: ActivityClient): Promise<AnswerOf<"query">> {
  return await client.query({ timeperiods: [], query: "" });
}

interface WindowData {
  readonly app: string;
  readonly title: string;
}

/** Uses that compile, and misuses that must not. */
export async function uses(client: ActivityClient): Promise<void> {
  const [event] = await client.events.list<WindowData>("b", { start: new Date(), end: "2024-03-01", limit: 1 });
  const title: string | undefined = event?.data.title;
  const inserted: AcceptedClientEvent<{ app: string }> = await client.events.insert("b", {
    timestamp: "",
    data: { app: "a" },
  });
  const list: AcceptedClientEvent<WindowData>[] = await client.events.insert<WindowData>("b", []);
  const beat: AcceptedClientEvent<WindowData> = await client.heartbeat<WindowData>("b", { timestamp: new Date() }, 5);
  const rows: { app: string }[][] = await client.query<{ app: string }[]>({ timeperiods: [], query: "" });
  const exported: ExportDocument = await client.export({ signal: new AbortController().signal, timeoutMillis: 5 });
  await client.import(exported);

  // @ts-expect-error there is no such option of a client
  createClient({ uri: "http://localhost" });
  // @ts-expect-error milliseconds are named as such
  createClient({ timeout: 5 });
  // @ts-expect-error the way is what connect() decides
  connect(createTestServer(), { fetch });
  // @ts-expect-error there is no such option of a call
  await client.info({ timeOutMillis: 5 });
  // @ts-expect-error there is no such parameter
  await client.events.list("b", { from: new Date() });
  // @ts-expect-error the order of events is not to be chosen
  await client.events.list("b", { order: "oldest" });
  // @ts-expect-error a timeline has bins, no limit
  await client.events.timeline("b", { limit: 5 });
  // @ts-expect-error a count has no limit
  await client.events.count("b", { limit: 5 });
  // @ts-expect-error an instant is no number
  await client.heartbeat("b", { timestamp: Date.now() }, 5);
  // @ts-expect-error an event has no such field
  await client.heartbeat("b", { timestamp: "", length: 5 }, 5);
  // @ts-expect-error a heartbeat needs a pulsetime
  await client.heartbeat("b", { timestamp: "" });
  // @ts-expect-error data is an object
  await client.events.insert("b", { timestamp: "", data: "text" });
  // @ts-expect-error a bucket needs a hostname
  await client.buckets.create("b", { type: "t", client: "c" });
  // @ts-expect-error a bucket has no such field
  await client.buckets.create("b", { type: "t", client: "c", hostname: "h", host: "h" });
  // @ts-expect-error other data than asked for
  const wrong: ClientEvent<{ url: string }> = await client.events.get<WindowData>("b", 1);
  // @ts-expect-error what comes back is not to be changed
  inserted.duration = 5;

  const error: unknown = undefined;
  if (isActivityClientError(error) && error.code === "REFUSED") {
    const status: number = error.status;
    void status;
  }
  void [title, list, beat, rows, wrong];
}

/** Scopes without their buckets do not compile, in clients and in process. */
export async function scopes(client: ActivityClient, server: ActivityServer): Promise<void> {
  for (const { keys, pairing } of [client, server]) {
    await keys.add({ name: "k", scopes: ["admin", "read:*", "append:a_*", `write:${"b"}`] });
    // @ts-expect-error no buckets
    await keys.add({ name: "k", scopes: ["read"] });
    // @ts-expect-error no such kind of access
    await keys.add({ name: "k", scopes: ["delete:*"] });
    // @ts-expect-error no buckets
    await pairing.approve("CODE", { scopes: ["append"] });
    const [known] = await keys.list();
    await keys.add({ name: "k", scopes: known?.scopes ?? [] });
  }
}

test("every operation of the route table has one method of its own, and there is no other", () =>
  withTestServer({}, async (server) => {
    const client = connect(server);
    const called = Object.entries(OPERATION_LIST).filter(([, { call }]: [string, Operation]) => call !== undefined);
    const methods = [
      ...Object.values(METHODS).map((method) => method(client)),
      ...called.map(([, { call = "" }]: [string, Operation]) => {
        return call.split(".").reduce<unknown>((from, name) => (from as Record<string, unknown>)[name], client);
      }),
    ];
    for (const method of methods) assert.type(method, "function");
    const served = new Set([...Object.keys(METHODS), ...LEFT_OUT, ...called.map(([id]) => id)]);
    assert.equal([...served].sort(), Object.keys(OPERATION_LIST).sort());
    const names = Object.entries(client).flatMap(([name, member]: [string, unknown]) =>
      typeof member === "function" ? [name] : Object.keys(member as object).map((inner) => `${name}.${inner}`),
    );
    assert.is(names.length, new Set(methods).size + SECOND_WAYS.length);
    for (const name of SECOND_WAYS) assert.ok(names.includes(name), name);
  }));

test.run();
