// The host decides about requests.

import fs from "node:fs/promises";
import path from "node:path";
import { inspect } from "node:util";
import { H3 } from "h3";
import { toNodeHandler } from "srvx/node";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import {
  type AccessDecision,
  type AccessRequest,
  ActivityError,
  type ActivityServer,
  allow,
  deny,
} from "../../src/index.js";
import { proved } from "../access/proofs.js";
import { withFolder } from "../adapters/folder.js";
import { onPort, type ServedOptions, withServer } from "../harness.js";
import { json } from "./client.js";
import { bucketNamed } from "./storages.js";

const test = suite("authorize");

interface Asked {
  readonly status: number;
  readonly text: string;
}
type Ask = (method: string, path: string, headers?: Record<string, string>) => Promise<Asked>;

/** Runs a test with a server that holds the bucket `b`, by its `fetch`. */
async function inServer(
  options: ServedOptions,
  body: (ask: Ask, server: ActivityServer, errors: unknown[]) => Promise<void>,
): Promise<void> {
  const storage = memory();
  await storage.createBucket(bucketNamed("b"));
  await withServer({ door: "process", storage, ...options }, async ({ server, errors }) => {
    const ask: Ask = async (method, target, headers = {}) => {
      const answer = await server.fetch(target, requestOf(method, headers));
      return { status: answer.status, text: await answer.text() };
    };
    await body(ask, server, errors);
  });
}

function requestOf(method: string, headers: Readonly<Record<string, string>>): RequestInit {
  if (method !== "POST") return { method, headers };
  const body = JSON.stringify({ timestamp: "2024-03-01", data: {} });
  return { method, headers: { "content-type": "application/json", ...headers }, body };
}

const DECISIONS: readonly (readonly [answer: unknown, status: number, says?: string])[] = [
  [allow(), 200],
  [allow({ user: "ada" }), 200],
  [deny(), 403, "the program around this server does not allow this request"],
  [deny("only on weekdays"), 403, "only on weekdays"],
  [{ allow: false }, 500],
  [{ allow: true }, 500],
  [{ user: "ada" }, 500],
  [{}, 500],
  [allow, 500],
  [true, 500],
  [false, 500],
  ["allow", 500],
  ["deny", 500],
  [undefined, 500],
  [null, 500],
  ["yes", 500],
  [1, 500],
  [[], 500],
  [new Error("no"), 500],
  [new ActivityError("UNAUTHORIZED", "no"), 500],
  [new Response(null, { status: 401 }), 500],
];

test("only allow() and deny() decide, at once or later; anything else is a fault that the log names", async () => {
  let given: unknown;
  await inServer({ authorize: () => given as AccessDecision }, async (ask, _, errors) => {
    for (const [decision, status, says] of DECISIONS) {
      errors.length = 0;
      for (given of [decision, Promise.resolve(decision)]) {
        for (const path of ["/api/0/info", "/api/0/buckets", "/api/0/export", "/api/0/buckets/b/events"]) {
          const answer = await ask("GET", path);
          assert.is(answer.status, status, `${inspect(decision)} at ${path}`);
          if (says !== undefined) assert.equal(JSON.parse(answer.text).message, says);
          if (status === 500) assert.not.match(answer.text, /authorize/);
        }
      }
      const faults = errors.splice(0).map(String);
      for (const fault of faults) assert.match(fault, /^TypeError: authorize must return allow\(\), .*, got /);
      assert.is(faults.length > 0, status === 500, inspect(decision));
    }
  });
});

test("only an object is an identity", () => {
  for (const identity of ["ada", true, null, undefined]) {
    assert.throws(() => allow(identity as unknown as object), /the identity of allow\(\) must be an object .*, got /);
  }
});

test("what it throws refuses: an ActivityError by its code and message, anything else as a fault", async () => {
  const fault = new Error("session store is gone");
  const authorize = ({ header }: AccessRequest): never => {
    if (header("X-Fault")) throw fault;
    throw new ActivityError("UNAUTHORIZED", "log in first");
  };
  await inServer({ authorize }, async (ask, _, errors) => {
    const text = '{"message":"log in first","code":"UNAUTHORIZED"}';
    assert.equal(await ask("GET", "/api/0/buckets"), { status: 401, text });
    const answer = await ask("GET", "/api/0/buckets", { "x-fault": "1" });
    assert.is(answer.status, 500);
    assert.not.match(answer.text, /session store/);
    assert.ok(errors.splice(0).includes(fault));
  });
});

test("it is asked after the host, origin and key rules, and not about preflights", async () => {
  let asked = 0;
  const authorize = (): AccessDecision => {
    asked++;
    return allow();
  };
  await inServer({ authorize, apiKey: "key", allowedHosts: ["localhost", "127.0.0.1"] }, async (ask) => {
    asked = 0;
    assert.is((await ask("GET", "/api/0/buckets")).status, 401);
    assert.is((await ask("GET", "/api/0/buckets", { origin: "http://evil.example" })).status, 403);
    assert.is((await ask("OPTIONS", "/api/0/buckets")).status, 204);
    assert.is(asked, 0);
    assert.is((await ask("GET", "/api/0/buckets", { authorization: "Bearer key" })).status, 200);
    assert.is((await ask("GET", "/api/0/nothing", { authorization: "Bearer key" })).status, 404);
    assert.is(asked, 2);
  });
});

test("it gets method, path below the mount, headers, and the request of the host", async () => {
  const seen: AccessRequest[] = [];
  const authorize = (request: AccessRequest): AccessDecision => {
    seen.push(request);
    return allow();
  };
  await inServer({ authorize, basePath: "/tracker" }, async (ask, server) => {
    const { url } = await server.listen({ port: 0 });
    const path = "/tracker/api/0/buckets/b%2Fc/heartbeat?pulsetime=1";
    await ask("POST", path, { cookie: "sid=5" });
    await fetch(url + path, requestOf("POST", { cookie: "sid=5" }));
  });
  assert.equal([seen[0]?.web?.headers.get("cookie"), seen[1]?.node?.headers["cookie"]], ["sid=5", "sid=5"]);
  for (const { method, path, header } of seen) {
    assert.equal([method, path], ["POST", "/api/0/buckets/b%2Fc/heartbeat"]);
    assert.equal([header("Cookie"), header("x-nothing")], ["sid=5", undefined]);
  }
});

test("whom it names is told to hooks and listeners", async () => {
  const ada = { user: "ada" };
  const told: unknown[] = [];
  const hooks = { beforeHeartbeat: ({ identity }: { identity?: object }) => void told.push(identity) };
  await inServer(
    { hooks, authorize: ({ header }) => (header("x-user") === "ada" ? allow(ada) : allow()) },
    async (ask, server) => {
      told.length = 0;
      server.on("heartbeat", ({ identity }) => told.push(identity));
      assert.is((await ask("POST", "/api/0/buckets/b/heartbeat?pulsetime=1", { "x-user": "ada" })).status, 200);
      assert.is((await ask("POST", "/api/0/buckets/b/heartbeat?pulsetime=1")).status, 200);
      assert.equal(told, [ada, ada, undefined, undefined]);
      assert.is(told[0], ada);
    },
  );
});

test("a code that the server does not know answers 500 without its message", async () => {
  const authorize = (): never => {
    throw Object.assign(new Error("secret"), { name: "ActivityError", code: "UNAUTHORISED" });
  };
  await inServer({ authorize }, async (ask, _, errors) => {
    const answer = await ask("GET", "/api/0/buckets");
    assert.is(answer.status, 500);
    assert.not.match(answer.text, /secret/);
    assert.match(String(errors.splice(0)), /secret/);
  });
});

test("it sees one spelling of a path, its route and its bucket, however they are asked for", async () => {
  const seen: (readonly unknown[])[] = [];
  const authorize = ({ path, route, bucketId }: AccessRequest): AccessDecision => {
    seen.push([path, route, bucketId]);
    return allow();
  };
  const cases: readonly (readonly [path: string, seen: readonly unknown[]])[] = [
    ["/api/0/export/", ["/api/0/export", "/api/0/export", undefined]],
    ["/x//api/0/export//", ["/api/0/export", "/api/0/export", undefined]],
    ["/api/0/buckets/%73ecret", ["/api/0/buckets/secret", "/api/0/buckets/:bucketId", "secret"]],
    ["/api/0/buckets/a%2fb/", ["/api/0/buckets/a%2Fb", "/api/0/buckets/:bucketId", "a/b"]],
    ["/api/0/nothing/", ["/api/0/nothing", undefined, undefined]],
    ["/", ["/", "/", undefined]],
    ["/nothing", ["/nothing", undefined, undefined]],
  ];
  await inServer({ authorize, basePath: "/x" }, async (ask) => {
    for (const [path, wanted] of cases) {
      seen.length = 0;
      await ask("GET", path);
      assert.equal(seen, [wanted], path);
    }
  });
});

test("a denial by 404 hands out no files", async () => {
  await withFolder(async (folder) => {
    await fs.writeFile(path.join(folder, "index.html"), "the page");
    const authorize = (): never => {
      throw new ActivityError("NO_SUCH_ROUTE", "nothing here");
    };
    await inServer({ authorize, webui: folder }, async (ask) => {
      const text = '{"message":"nothing here","code":"NO_SUCH_ROUTE"}';
      assert.equal(await ask("GET", "/"), { status: 404, text });
    });
    await inServer({ authorize: () => allow(), webui: folder }, async (ask) => {
      assert.equal(await ask("GET", "/"), { status: 200, text: "the page" });
    });
  });
});

test("it learns which key or session a request came with, and neither of them opens more than it allows", async () => {
  const seen: unknown[] = [];
  const authorize = ({ key, session, route }: AccessRequest): AccessDecision => {
    seen.push([key, session]);
    return route === "/api/0/settings" ? deny() : allow();
  };
  await inServer({ authorize, auth: "required" }, async (ask, server) => {
    seen.length = 0;
    const { key } = await server.keys.add({ name: "wall", scopes: ["admin"] });
    const authorization = `Bearer ${key}`;
    assert.is((await ask("GET", "/api/0/buckets", { authorization })).status, 200);
    assert.is((await ask("GET", "/api/0/settings", { authorization })).status, 403);
    assert.is((await ask("GET", "/api/0/info")).status, 200);
    assert.is((await ask("GET", "/api/0/buckets")).status, 401);
    assert.equal(seen, [
      [{ name: "wall" }, undefined],
      [{ name: "wall" }, undefined],
      [undefined, undefined],
    ]);
  });
  await withServer({ door: "process", authorize, auth: "required" }, async ({ server }) => {
    const { token } = await server.sessions.createLink();
    const headers = { origin: "http://localhost", "content-type": "application/json" };
    const signedIn = await server.fetch("/api/0/session", { method: "POST", headers, body: JSON.stringify({ token }) });
    const { id, secret } = (await signedIn.json()) as { readonly id: string; readonly secret: string };
    const [cookie = ""] = (signedIn.headers.get("set-cookie") ?? "").split(";");
    const page = proved({ cookie, "x-activity-session": secret }, "GET", "/api/0/buckets", Date.now(), "");
    seen.length = 0;
    assert.is((await server.fetch("/api/0/buckets", { headers: page })).status, 200);
    assert.equal(seen, [[undefined, { id }]]);
  });
});

test("it gets the web-standard request inside another h3 app, too, and a body that was read by a clone is whole", async () => {
  const seen: AccessRequest[] = [];
  await withServer(
    {
      door: "process",
      authorize(request) {
        seen.push(request);
        return allow();
      },
    },
    async ({ server }) => {
      const host = new H3();
      host.use(async (event) => {
        await event.req.clone().text();
      });
      host.mount("/tracker", server.fetch);
      await onPort(toNodeHandler(host.fetch as (request: Request) => Promise<Response>) as never, async ({ send }) => {
        assert.equal(json(await send("POST", "/tracker/api/0/settings/k", { a: 1 })), { a: 1 });
      });
      assert.ok(seen[0]?.web !== undefined);
    },
  );
});

test.run();
