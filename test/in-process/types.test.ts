// What the compiler knows of a server in process. The functions are checked by `tsc`, and not called.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type AccessDecision, type ActivityServer, allow, createActivityServer, deny } from "../../src/index.js";
import { createTestServer } from "../../src/testing/index.js";

const test = suite("types in process");

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles where two types are the same. */
const same = <A, B>(..._: Equal<A, B> extends true ? [] : [never]): void => undefined;

interface User {
  readonly name: string;
}

test("the identity that authorize allows is that of hooks and listeners", async () => {
  const seen: (string | undefined)[] = [];
  const server = createTestServer({
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
  });
  server.on("bucket", ({ identity }) => seen.push(identity?.name));
  const headers = { "content-type": "application/json", "x-user": "ada" };
  const body = JSON.stringify({ type: "t", client: "c", hostname: "h" });
  await server.fetch("/api/0/buckets/b", { method: "POST", headers, body });
  await server.fetch("/api/0/settings/a", { method: "POST", headers, body: "1" });
  assert.equal(seen, ["ada", "ada"]);
  await server.close();
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

test.run();
