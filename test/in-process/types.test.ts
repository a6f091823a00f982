// What the compiler knows of a server in process. The functions are checked by `tsc`, and not called.
import http from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import {
  type AcceptedEvent,
  type AccessDecision,
  type AccessRequest,
  type ActivityEvent,
  type ActivityServer,
  allow,
  createActivityServer,
  deny,
  handlers,
  type JsonObject,
  micros,
  secondsToMicros,
} from "../../src/index.js";
import { heartbeats } from "../../src/testing/index.js";
import { sendJson } from "../api/sending.js";
import { withTestServer } from "../harness.js";
import { same } from "../types.js";

const test = suite("types in process");

interface App {
  readonly app: string;
}

interface User {
  readonly name: string;
}

test("the identity that authorize allows is that of hooks and listeners", async () => {
  const seen: (string | undefined)[] = [];
  await withTestServer(
    {
      authorize: ({ header }) => (header("x-user") === undefined ? deny() : allow({ name: header("x-user") ?? "" })),
      hooks: {
        beforeSetting({ identity }) {
          same<typeof identity, { name: string } | undefined>();
          seen.push(identity?.name);
        },
        async beforeInsert(write) {
          seen.push(write.identity?.name);
          return { ...write, events: write.events.slice(1) };
        },
      },
    },
    async (server) => {
      server.on("bucket", ({ identity }) => seen.push(identity?.name));
      const headers = { "x-user": "ada" };
      await sendJson(server, "POST", "/api/0/buckets/b", { type: "t", client: "c", hostname: "h" }, headers);
      await sendJson(server, "POST", "/api/0/settings/a", 1, headers);
      assert.equal(seen, ["ada", "ada"]);
    },
  );
});

export function namedIdentity(): ActivityServer {
  const server = createActivityServer<User>({
    storage: memory(),
    hooks: { beforeHeartbeat: ({ identity }) => same<typeof identity, User | undefined>() },
    authorize: async ({ path }): Promise<AccessDecision<User>> => (path === "/" ? allow() : allow({ name: "ada" })),
  });
  server.on("heartbeat", ({ identity }) => same<typeof identity, User | undefined>());
  // @ts-expect-error the identity has no such field
  server.on("import", ({ identity }) => identity?.age);
  return server;
}

export function wrongIdentity(): unknown {
  return createActivityServer<User>({
    storage: memory(),
    // @ts-expect-error a user has a name
    authorize: () => allow({ nick: "ada" }),
  });
}

interface Context {
  readonly user: User;
}

/** The context is what the app names, or what `authorize` is annotated with; else there is none. */
export function contexts(request: Request): ActivityServer {
  const server = createActivityServer<User, Context>({
    storage: memory(),
    authorize({ context }) {
      same<typeof context, Context | undefined>();
      return context === undefined ? deny() : allow(context.user);
    },
    hooks: { beforeInsert: ({ context }) => same<typeof context, Context | undefined>() },
  });
  const context = { user: { name: "ada" } };
  server.fetch(request, { context });
  server.fetch("/api/0/info", { method: "GET", context });
  handlers(server, { context: (given) => (given.url === "/" ? undefined : context) });
  handlers(server, { context: async (event: { request: Request; locals: Context }) => event.locals });
  http.createServer((node, response) => server.nodeHandler(node, response, { context }));
  http.createServer(server.nodeHandler);
  server.as({ name: "job" }).heartbeat("b", { timestamp: new Date() }, "60s");
  // @ts-expect-error a user has a name
  server.fetch(request, { context: { user: "ada" } });
  // @ts-expect-error misspelled
  server.fetch(request, { contxt: context });
  // @ts-expect-error a user has a name
  handlers(server, { context: () => ({ user: "ada" }) });
  // @ts-expect-error a user has a name
  http.createServer((node, response) => server.nodeHandler(node, response, { context: { user: 1 } }));
  // @ts-expect-error a user has a name
  server.as({ nick: "job" });

  const inferred = createActivityServer({
    storage: memory(),
    authorize: ({ context }: AccessRequest<Context>) => (context ? allow(context.user) : deny()),
    hooks: {
      beforeImport: ({ context, identity }) =>
        same<[typeof context, typeof identity], [Context | undefined, User | undefined]>(),
    },
  });
  // @ts-expect-error a user has a name
  inferred.fetch(request, { context: {} });

  const unnamed = createActivityServer({
    storage: memory(),
    authorize({ context }) {
      same<typeof context, undefined>();
      return allow();
    },
  });
  // @ts-expect-error no context is named
  unnamed.fetch(request, { context });
  const plain: ActivityServer = server;
  // @ts-expect-error it may be any other context
  plain.fetch(request, { context });
  return plain;
}

/** Events come back with the data that they were given, or that the program knows of. */
export async function dataOfEvents(server: ActivityServer): Promise<void> {
  const beat = await server.heartbeat("b", { timestamp: micros(0), data: { app: "Code" } }, "60s");
  same<typeof beat.data, { app: string }>();
  const one = await server.events.insert("b", { timestamp: micros(0), data: { n: 1 } });
  same<typeof one.data, { n: number }>();
  const [first] = await server.events.insert("b", [{ timestamp: micros(0) }]);
  same<typeof first, AcceptedEvent | undefined>();
  const all = await server.events.read<App>("b").toArray();
  same<typeof all, ActivityEvent<App>[]>();
  for await (const event of server.events.read("b")) same<typeof event.data, JsonObject>();
  const [result] = await server.query<number>({ timeperiods: [], query: "" });
  same<typeof result, number | undefined>();
}

const AT = "2024-03-01T10:00:00Z";

/** What was read can be inserted again; a number that comes from anywhere else has no unit. */
export async function units(server: ActivityServer, number: number): Promise<void> {
  const event = await server.events.get("b", 1);
  await server.events.insert("other", { ...event, data: {} });
  await server.events.insert("b", heartbeats({ every: "5s", for: { seconds: 60 } }));
  await server.events.insert("b", { timestamp: AT, duration: { micros: number } });
  await server.heartbeat("b", { timestamp: AT, duration: secondsToMicros(1) }, { seconds: 60 });
  await server.heartbeat("b", event, 0);
  // @ts-expect-error a number has no unit
  await server.heartbeat("b", event, 60);
  // @ts-expect-error the unit is in the type, but not in the number
  await server.heartbeat("b", event, event.duration);
  // @ts-expect-error a number has no unit
  await server.events.insert("b", { timestamp: AT, duration: number });
  // @ts-expect-error a sum has none either
  await server.events.insert("b", { timestamp: AT, duration: event.duration + 1 });
  // @ts-expect-error no such unit
  await server.heartbeat("b", event, "60 seconds");
}

/** Times of results are times of calls; a number that comes from anywhere else could be of milliseconds. */
export async function times(server: ActivityServer): Promise<void> {
  const { timestamp } = await server.events.get("b", 1);
  await server.events.insert("b", { timestamp: new Date() });
  await server.events.insert("b", { timestamp: micros(timestamp + 500) });
  server.events.read("b", { start: timestamp, end: new Date() });
  const { created, start } = await server.buckets.get("b");
  server.events.read("b", { start: start ?? created });
  for await (const { bucket, timestamp: end } of server.search({})) server.events.read(bucket, { end });
  const [undo] = await server.identity.undoable();
  if (undo !== undefined) await server.query({ timeperiods: [{ start: undo.time, end: undo.expires }], query: "" });
  // @ts-expect-error milliseconds
  await server.events.insert("b", { timestamp: Date.now() });
  // @ts-expect-error milliseconds
  await server.heartbeat("b", { timestamp: Date.now() }, "60s");
  // @ts-expect-error milliseconds
  server.events.read("b", { start: Date.now() - 3_600_000 });
  // @ts-expect-error milliseconds
  server.search({ end: Date.now() });
  // @ts-expect-error milliseconds
  await server.query({ timeperiods: [{ start: Date.now(), end: new Date() }], query: "" });
  // @ts-expect-error milliseconds
  await server.events.split("b", 1, Date.now());
  // @ts-expect-error a duration is no timestamp
  server.events.read("b", { start: secondsToMicros(1) });
}

export async function places(server: ActivityServer): Promise<void> {
  // @ts-expect-error a number is no place
  await server.listen(8080);
}

test.run();
