// What an app passes with a request reaches `authorize` and hooks, by each way in, and nothing else becomes a context.
import { H3 } from "h3";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { connect } from "../../src/client/index.js";
import { type ActivityServer, allow, createActivityServer, handlers } from "../../src/index.js";
import { BUCKET, onPort, withoutStrays } from "../harness.js";

const test = suite("the context of a request");

interface User {
  readonly name: string;
}
interface Context {
  readonly user: User;
}
type Server = ActivityServer<User, Context>;

const PATH = "/api/0/buckets/b/heartbeat?pulsetime=1";
const INIT = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ timestamp: "2024-03-01T10:00:00Z", data: {} }),
};

/** Runs a body with what `authorize`, a hook and a listener get as context. */
async function withSeen(body: (server: Server, seen: unknown[], heard: object[]) => Promise<void>): Promise<void> {
  const seen: unknown[] = [];
  const heard: object[] = [];
  const server = createActivityServer<User, Context>({
    storage: memory(),
    authorize: ({ context }) => {
      seen.push(context);
      return allow(context?.user ?? { name: "unknown" });
    },
    hooks: {
      beforeHeartbeat: (write) => void seen.push(write.context),
    },
  });
  server.on("heartbeat", (notice) => heard.push(notice));
  await server.buckets.create("b", BUCKET);
  await withoutStrays(async () => {
    try {
      await body(server, seen, heard);
    } finally {
      await server.close();
    }
  });
}

const ada: Context = { user: { name: "ada" } };
const bob: Context = { user: { name: "bob" } };

type Pass = (server: Server, context: Context) => Promise<number>;

const request = (): Request => new Request(`http://localhost${PATH}`, INIT);

/** The ways in that take a context. @returns the status */
const PASSES: Readonly<Record<string, Pass>> = {
  nodeHandler: (server, context) =>
    onPort(
      (node, response) => server.nodeHandler(node, response, { context }),
      async ({ send }) => (await send("POST", PATH, INIT.body)).status,
    ),
  "fetch with a request": async (server, context) => (await server.fetch(request(), { context })).status,
  "fetch with a path": async (server, context) => (await server.fetch(PATH, { ...INIT, context })).status,
  "fetch with an event": async (server, context) => (await server.fetch({ request: request() }, { context })).status,
  "handlers with a request": async (server, context) => {
    const { POST } = handlers(server, { context: (given) => ({ user: { name: given.method && context.user.name } }) });
    return (await POST(request(), { params: Promise.resolve({}), context: bob })).status;
  },
  "handlers with an event": async (server, context) => {
    const routes = handlers(server, { context: async (event: { request: Request; locals: Context }) => event.locals });
    return (await routes.POST({ request: request(), locals: context })).status;
  },
};

for (const [name, pass] of Object.entries(PASSES)) {
  test(`${name}: authorize and hooks get it, and listeners get only the identity`, () =>
    withSeen(async (server, seen, heard) => {
      assert.is(await pass(server, ada), 200);
      assert.equal(seen, [ada, ada]);
      assert.equal(
        heard.map((notice) => [(notice as { identity?: User }).identity, "context" in notice]),
        [[ada.user, false]],
      );
    }));

  test(`${name}: requests at the same time keep their own`, () =>
    withSeen(async (server, _, heard) => {
      assert.equal(await Promise.all([pass(server, ada), pass(server, bob)]), [200, 200]);
      const names = heard.map((notice) => (notice as { identity: User }).identity.name);
      assert.equal(names.sort(), ["ada", "bob"]);
    }));
}

test("it is the same object, not a copy", () =>
  withSeen(async (server, seen) => {
    await server.fetch(PATH, { ...INIT, context: ada });
    assert.is(seen[0], ada);
    assert.is(seen[1], ada);
  }));

test("without `authorize`, hooks get it", async () => {
  const seen: unknown[] = [];
  const server = createActivityServer<User, Context>({
    storage: memory(),
    hooks: { beforeCreateBucket: ({ context, identity }) => void seen.push(context?.user, identity) },
  });
  const { method, headers } = INIT;
  await server.fetch("/api/0/buckets/c", { method, headers, body: JSON.stringify(BUCKET), context: ada });
  await server.close();
  assert.equal(seen, [ada.user, undefined]);
});

test("what else frameworks pass is no context", () =>
  withSeen(async (server, seen) => {
    const next = Object.assign(() => {}, { context: ada });
    const { nodeHandler } = server as unknown as { nodeHandler(...args: readonly unknown[]): Promise<void> };
    for (const given of [next, undefined, null, "x", Object.create({ context: ada })]) {
      await onPort(
        (node, response) => nodeHandler(node, response, given),
        ({ send }) => send("POST", PATH, INIT.body),
      );
    }
    const { fetch } = server as unknown as { fetch(...args: readonly unknown[]): Promise<Response> };
    for (const given of [next, null, { params: ada }]) assert.is((await fetch(request(), given)).status, 200);
    assert.ok(seen.length >= 16);
    assert.ok(seen.every((context) => context === undefined));
  }));

test("requests without one, by a socket, an app and a client in process, have none", () =>
  withSeen(async (server, seen) => {
    const { url } = await server.listen({ port: 0 });
    assert.is((await fetch(url + PATH, INIT)).status, 200);
    assert.is((await server.app.fetch(request())).status, 200);
    const host = new H3().use((event) => void Object.assign(event.context, { context: ada }));
    host.mount("/tracker", server.app);
    assert.is((await host.fetch(new Request(`http://localhost/tracker${PATH}`, INIT))).status, 200);
    await connect(server).heartbeat("b", { timestamp: "2024-03-01T10:00:00Z", duration: 0, data: {} }, 1);
    assert.ok(seen.length >= 7);
    assert.ok(seen.every((context) => context === undefined));
  }));

test("what the function of handlers() throws reaches the framework, and nothing is asked", () =>
  withSeen(async (server, seen) => {
    const redirect = new Error("to the login page");
    const { POST } = handlers(server, { context: () => Promise.reject(redirect) });
    assert.is(await POST(request()).catch((error: unknown) => error), redirect);
    assert.equal(seen, []);
  }));

test("frameworks see a request listener with two parameters", () =>
  withSeen(async (server) => assert.is(server.nodeHandler.length, 2)));

test.run();
