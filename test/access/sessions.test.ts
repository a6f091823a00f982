// Signing in at a page of the server, and what its session opens.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { createActivityServer } from "../../src/index.js";
import { hashSecret } from "../../src/service/access/key-record.js";
import { createSessionProof, parseSessionProof } from "../../src/util/session-proof.js";
import { onPort, withServer } from "../harness.js";
import { proved } from "./proofs.js";
import {
  type AccessScene,
  HOST,
  inScene as inAccessScene,
  MINUTE,
  type SceneOptions,
  type SignedIn,
  START,
  signIn,
} from "./scene.js";

const test = suite("sessions");

/** How old a proof may be. */
const WINDOW = 5 * MINUTE;
const DAY = 24 * 60 * MINUTE;
const READ = "/api/0/buckets";

interface Scene extends AccessScene {
  ask(method: string, path: string, headers?: Readonly<Record<string, string>>, body?: unknown): Promise<Response>;
  /** The headers of a page that is signed in. */
  page(session: SignedIn): Record<string, string>;
  signIn(headers?: Readonly<Record<string, string>>): Promise<SignedIn>;
}

function inScene(body: (scene: Scene) => Promise<void>, options?: SceneOptions): Promise<void> {
  return inAccessScene(async (scene) => {
    const ask: Scene["ask"] = (method, path, headers, content) => scene.send(method, path, content, headers);
    const page: Scene["page"] = ({ cookie, secret }) => ({ origin: HOST, cookie, "x-activity-session": secret });
    await body({ ...scene, ask, page, signIn: (headers) => signIn(scene.server, HOST, headers) });
  }, options);
}

test("a link gives a session once, for a minute", () =>
  inScene(async ({ server, ask, advance }) => {
    const redeem = (token: string) => ask("POST", "/api/0/session", { origin: HOST }, { token });
    const { token, path } = await server.sessions.createLink();
    assert.match(token, /^[\w-]{43}$/);
    assert.is(path, `/#/sign-in/${token}`);
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(token)));
    assert.is(answers.filter(({ status }) => status === 200).length, 1);
    assert.is(answers.filter(({ status }) => status === 401).length, 9);
    assert.is((await server.sessions.list()).length, 1);

    const late = await server.sessions.createLink();
    advance(MINUTE - 1);
    const early = await server.sessions.createLink();
    advance(1);
    assert.is((await redeem(late.token)).status, 401);
    assert.is((await redeem(early.token)).status, 200);
    assert.is((await redeem("")).status, 401);
  }));

test("only a page of the server signs in", () =>
  inScene(
    async ({ server, ask }) => {
      for (const headers of [
        {},
        { origin: "https://friend.example" },
        { "sec-fetch-site": "none" },
        { origin: "http://localhost:5601" },
        { origin: "null" },
      ] as Record<string, string>[]) {
        const { token } = await server.sessions.createLink();
        assert.is((await ask("POST", "/api/0/session", headers, { token })).status, 403, JSON.stringify(headers));
      }
      const { token } = await server.sessions.createLink();
      assert.is((await ask("POST", "/api/0/session", { "sec-fetch-site": "same-origin" }, { token })).status, 200);
    },
    { auth: "required", cors: ["https://friend.example"] },
  ));

test("the cookie is out of reach of scripts and of other sites, and its name holds the port", () =>
  inScene(async ({ server, ask }) => {
    const { token } = await server.sessions.createLink();
    const answer = await ask("POST", "/api/0/session", { origin: HOST }, { token });
    const [value, ...attributes] = (answer.headers.get("set-cookie") ?? "").split("; ");
    assert.match(value ?? "", /^activity-server-session-5600=[\w-]{43}$/);
    assert.equal(attributes.sort(), ["HttpOnly", "Max-Age=34560000", "Path=/", "SameSite=Strict"]);
    const { secret } = (await answer.json()) as { secret: string };
    assert.match(secret, /^[\w-]{43}$/);
    assert.not((value ?? "").includes(secret));
  }));

test("over TLS the cookie is for TLS alone, and under a prefix for the prefix alone", () =>
  withServer({ door: "process", allowedHosts: false, basePath: "/tracker" }, async ({ server }) => {
    const { token } = await server.sessions.createLink();
    const headers = { origin: "https://localhost", "content-type": "application/json" };
    const body = JSON.stringify({ token });
    const answer = await server.fetch("https://localhost/tracker/api/0/session", { method: "POST", headers, body });
    assert.match(
      answer.headers.get("set-cookie") ?? "",
      /^activity-server-session-443=[\w-]{43}; Path=\/tracker; .*; Secure$/,
    );
  }));

for (const [asked, path] of [
  ["/tracker/api/0/session?x=/api/0/session", "/tracker"],
  ["/tracker//api/0//session/", "/tracker"],
  ["/tracker/%61pi/0/sess%69on", "/tracker"],
] as const)
  test(`where a framework takes the prefix off, the cookie is for the prefix all the same: ${asked}`, async () => {
    const { default: express } = await import("express");
    await withServer({ door: "process", auth: "required" }, ({ server }) => {
      const app = express();
      app.use("/tracker", server.nodeHandler);
      return onPort(app, async ({ port }) => {
        const origin = `http://127.0.0.1:${port}`;
        const { token } = await server.sessions.createLink();
        const headers = { origin, "content-type": "application/json" };
        const init = { method: "POST", headers, body: JSON.stringify({ token }) };
        const answer = await fetch(`${origin}${asked}`, init);
        const [cookie = "", attribute] = (answer.headers.get("set-cookie") ?? "").split("; ");
        assert.is(attribute, `Path=${path}`);
        assert.match(cookie, new RegExp(`^activity-server-session-${port}=`));
        const { secret } = (await answer.json()) as { secret: string };
        const page = proved(
          { cookie, "x-activity-session": secret },
          "GET",
          `/tracker${READ}`,
          Date.now(),
          String(port),
        );
        assert.is((await fetch(`${origin}/tracker${READ}`, { headers: page })).status, 200);
      });
    });
  });

test("a session that ends before the end of a body opens nothing more", () =>
  inScene(async ({ server, page, signIn }) => {
    const session = await signIn();
    let write = (_text: string, _isLast: boolean): void => undefined;
    const body = new ReadableStream({
      start(controller) {
        write = (text, isLast) => {
          controller.enqueue(Buffer.from(text));
          if (isLast) controller.close();
        };
      },
    });
    const headers = { ...page(session), "content-type": "application/json" };
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    const answer = server.fetch(new Request(`${HOST}/api/0/keys`, init));
    write('{"name": "new", ', false);
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    await server.sessions.end(session.id);
    write('"scopes": ["admin"]}', true);
    assert.is((await answer).status, 401);
    assert.equal(await server.keys.list(), []);
  }));

test("a session opens everything, for its page alone", () =>
  inScene(async ({ server, ask, page, signIn }) => {
    assert.is((await ask("GET", READ)).status, 401);
    const one = await signIn();
    const two = await signIn();
    const headers = page(one);
    for (const path of [READ, "/api/0/settings", "/api/0/keys", "/api/0/storage/backup"]) {
      assert.is((await ask("GET", path, headers)).status, 200, path);
    }
    const { cookie, secret } = one;
    const refused: Record<string, Record<string, string>> = {
      "the cookie of another session": { ...headers, cookie: two.cookie },
      "the cookie in the place of the secret": { ...headers, "x-activity-session": cookie.split("=")[1] ?? "" },
      "a cookie of another port": { ...headers, cookie: cookie.replace("5600", "5601") },
      "an empty secret": { ...headers, "x-activity-session": "" },
      "a cut secret": { ...headers, "x-activity-session": secret.slice(1) },
      "another site, as browsers say": { cookie, "x-activity-session": secret, "sec-fetch-site": "none" },
      "a key that is none beside it": { ...headers, authorization: "Bearer as_x" },
    };
    for (const [name, given] of Object.entries(refused)) {
      assert.is((await ask("GET", READ, given)).status, 401, name);
    }
    assert.is((await ask("GET", READ, { ...headers, origin: "http://localhost:5601" })).status, 403);
    // Older browsers say nothing when a page reads from its own server.
    assert.is((await ask("GET", READ, { cookie, "x-activity-session": secret })).status, 200);
    const write = await ask("POST", "/api/0/settings/a", { cookie, "x-activity-session": secret }, 1);
    assert.is(write.status, 401);
    // Another page may have left a cookie of the same name.
    assert.is((await ask("GET", READ, { ...headers, cookie: `x=1; ${two.cookie}; ${cookie}` })).status, 200);
    await server.keys.add({ name: "a", scopes: ["read:*"] });
    assert.is((await ask("GET", READ, headers)).status, 200);
  }));

test("the secret itself opens nothing, and a proof only its own request, once and within five minutes", () =>
  inScene(async ({ server, signIn, advance }) => {
    const { secret, cookie } = await signIn();
    const at = (method: string, target: string, header: string) =>
      server.fetch(`${HOST}${target}`, { method, headers: { origin: HOST, cookie, "x-activity-session": header } });
    const proofOf = (method: string, target: string, millis: number) =>
      createSessionProof(secret, { method, target, port: "5600" }, millis);
    const faultOf = async (answer: Response) => [answer.status, ((await answer.json()) as { fault: string }).fault];
    assert.equal(await faultOf(await at("GET", READ, secret)), [401, "keyNeeded"]);

    advance(WINDOW);
    let now = START + WINDOW;
    const proof = proofOf("GET", `${READ}?a=%2B1`, now);
    for (const [method, target] of [
      ["GET", READ],
      ["POST", `${READ}?a=%2B1`],
      ["GET", `${READ}?a=%2B2`],
      ["GET", "/api/0/export?a=%2B1"],
    ] as const) {
      assert.equal(await faultOf(await at(method, target, proof)), [401, "keyNeeded"], `${method} ${target}`);
    }
    assert.is((await at("GET", `${READ}?a=%2B1`, proof)).status, 200);
    assert.equal(await faultOf(await at("GET", `${READ}?a=%2B1`, proof)), [401, "staleProof"]);
    for (const skew of [-WINDOW - 1, WINDOW + 1]) {
      assert.equal(await faultOf(await at("GET", READ, proofOf("GET", READ, now + skew))), [401, "staleProof"]);
    }
    for (const skew of [-WINDOW, WINDOW]) {
      assert.is((await at("GET", READ, proofOf("GET", READ, now + skew))).status, 200);
    }
    // What could be tried again is forgotten only when it is too old.
    for (let time = 0; time < 3; time++) {
      const repeated = proofOf("GET", READ, now);
      assert.is((await at("GET", READ, repeated)).status, 200);
      advance(WINDOW);
      now += WINDOW;
      assert.is((await at("GET", READ, repeated)).status, 401);
    }
    const cut = proofOf("GET", READ, now).slice(0, -1);
    assert.equal(await faultOf(await at("GET", READ, cut)), [401, "keyNeeded"]);
    assert.equal(await faultOf(await at("GET", READ, `0${proofOf("GET", READ, now)}`)), [401, "keyNeeded"]);
  }));

test("a proof that somebody collected while the server was stopped opens nothing after its start", async () => {
  const storage = memory();
  await inScene(
    async ({ signIn }) => {
      const { cookie, secret } = await signIn();
      const proofAt = (millis: number) =>
        createSessionProof(secret, { method: "GET", target: READ, port: "5600" }, millis);
      const collected = proofAt(START + 999);
      let now = START + 1000;
      const next = createActivityServer({ storage, auth: "required", clock: () => now });
      const ask = async (proof: string) => {
        const headers = { origin: HOST, cookie, "x-activity-session": proof };
        return (await next.fetch(`${HOST}${READ}`, { headers })).status;
      };
      assert.equal([await ask(collected), await ask(proofAt(now))], [401, 200]);
      // The clock was ahead: what pages make now counts all the same.
      now = START - DAY;
      assert.is(await ask(proofAt(now)), 200);
    },
    { auth: "required", storage },
  );
});

test("both ends see the same target whatever stands between them", () => {
  const secret = "s".repeat(43);
  const hash = hashSecret(secret);
  const matches = (sent: string, seen: string) =>
    parseSessionProof(createSessionProof(secret, { method: "get", target: sent, port: "" }, START), {
      method: "GET",
      target: seen,
      port: "",
    })?.matches(hash);
  for (const [sent, seen] of [
    ["/tracker/api/0/buckets/a%2Fb", "/api/0/buckets/a%2fb"],
    ["/api/tracker/api/0/buckets/", "/api/0/buckets"],
    ["/a/server.json", "/server.json"],
    ["/api/0/search?filter=a+b&x=%C3%BC", "/api/0/search?filter=a%20b&x=\u00fc"],
    ["/api/0/buckets/%7Ea", "/api/0/buckets/~a"],
    ["/api/0/buckets/%zz", "/api/0/buckets/%zz"],
  ] as const) {
    assert.is(matches(sent, seen), true, sent);
  }
  for (const [sent, seen] of [
    ["/api/0/buckets/a", "/api/0/buckets/b"],
    ["/api/0/buckets?a=1", "/api/0/buckets"],
    ["/api/0/buckets/a%3Fb", "/api/0/buckets/a?b=1"],
  ] as const) {
    assert.is(matches(sent, seen), false, sent);
  }
});

/** A request over a socket, with any Host header. */
async function statusAt(port: number, method: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const sent = request({ host: "127.0.0.1", port, method, path: "/api/0/keys", headers: { ...headers } });
  sent.end(method === "POST" ? JSON.stringify({ name: randomUUID(), scopes: ["read:*"] }) : undefined);
  const [answer] = await once(sent, "response");
  answer.resume();
  return answer.statusCode;
}

test("a program that has the port a page is at cannot pass its requests on to the server at another port", async () => {
  for (const [trustProxy, open] of [
    [false, "none"],
    [true, "as asked"],
  ] as const) {
    await withServer({ auth: "required", trustProxy }, async ({ server, port }) => {
      const [own, old] = [`127.0.0.1:${port}`, "127.0.0.1:1"];
      const { cookie: line, secret } = await signIn(server, `http://${old}`, { host: old });
      const [, cookie = ""] = line.split("=");
      // What the page at the old port sends, as it is or made to look like that of another port.
      const passedOn = (method: string, host: string, isOrigin: boolean, at: string) => {
        const shown = proved({ "x-activity-session": secret }, method, "/api/0/keys", Date.now(), at);
        const named = `activity-server-session-${host.split(":")[1] ?? 80}=${cookie}`;
        const type = { "content-type": "application/json", ...(isOrigin && { origin: `http://${host}` }) };
        return statusAt(port, method, { ...shown, ...type, host, cookie: named });
      };
      assert.is(await passedOn("GET", old, false, "1"), open === "none" ? 401 : 200);
      assert.is(await passedOn("POST", old, true, "1"), open === "none" ? 401 : 200);
      for (const host of [own, "127.0.0.1"]) {
        assert.is(await passedOn("GET", host, false, "1"), 401, host);
        assert.is(await passedOn("POST", host, true, "1"), 401, host);
      }
      assert.is(await passedOn("POST", own, true, String(port)), 200);
      // A proxy at the usual port may pass the Host header on.
      assert.is(await passedOn("GET", "127.0.0.1", false, ""), 200);
    });
  }
});

test("with sessionCookieAlone the cookie does, for pages of the server", () =>
  inScene(
    async ({ ask, signIn }) => {
      const { cookie, secret } = await signIn();
      assert.is((await ask("GET", READ, { origin: HOST, cookie })).status, 200);
      assert.is((await ask("GET", READ, { cookie })).status, 200);
      assert.is((await ask("POST", "/api/0/settings/a", { origin: HOST, cookie }, 1)).status, 200);
      assert.is((await ask("POST", "/api/0/settings/a", { cookie }, 1)).status, 401);
      assert.is((await ask("GET", READ, { cookie, "sec-fetch-site": "none" })).status, 401);
      // Who sends a secret has to have the right one.
      assert.is((await ask("GET", READ, { origin: HOST, cookie, "x-activity-session": `${secret}x` })).status, 401);
    },
    { auth: "required", sessionCookieAlone: true },
  ));

for (const [sessionCookieAlone, outcome, path] of [
  [true, `goes to ${HOST}/`, "/api/sign-in"],
  [true, `goes to ${HOST}/`, "/api/sign-in/"],
  [false, "This web interface can be signed in only if the server runs with --session-cookie-alone.", "/api/sign-in"],
] as const) {
  test(`the page ${path} that signs a folder in, with sessionCookieAlone ${sessionCookieAlone}`, () =>
    inScene(
      async ({ server }) => {
        const page = `${HOST}${path}`;
        const [, file = ""] = /<script src="(.*)"><\/script>/.exec(await (await server.fetch(page)).text()) ?? [];
        const script = await (await server.fetch(new URL(file, page).href)).text();
        const { token } = await server.sessions.createLink();
        let cookie = "";
        const fetchOfPage = async (path: string, init: RequestInit = {}): Promise<Response> => {
          const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin", cookie };
          const answer = await server.fetch(new URL(path, page).href, { ...init, headers });
          cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? cookie;
          return answer;
        };
        const said = await new Promise<string>((resolve) => {
          const replace = (to: string) => resolve(`goes to ${new URL(to, page).href}`);
          const place = { hash: `#${token}`, pathname: path, replace };
          const line = {
            set textContent(text: string) {
              resolve(text);
            },
          };
          const run = new Function("location", "history", "document", "fetch", script);
          run(place, { replaceState() {} }, { querySelector: () => line }, fetchOfPage);
        });
        assert.is(said, outcome);
      },
      { auth: "required", webui: import.meta.dirname, sessionCookieAlone },
    ));
}

test("a page learns first whether it has to sign in", () =>
  inScene(async ({ server, ask, page, signIn }) => {
    const state = async (headers = {}) => (await ask("GET", "/api/0/session", headers)).json();
    const signedOut = { signed_in: false, required: true, has_keys: false, id: null, expires: null };
    assert.equal(await state(), signedOut);
    const session = await signIn();
    const signedIn = { signed_in: true, required: true, id: session.id, expires: "2024-03-31T09:00:00+00:00" };
    assert.equal(await state(page(session)), { ...signedIn, has_keys: false });
    await server.keys.add({ name: "a", scopes: ["read:*"] });
    assert.equal(await state(page(session)), { ...signedIn, has_keys: true });
    assert.equal(await state({ ...page(session), cookie: "" }), { ...signedOut, has_keys: true });
  }));

test("a session ends when it is signed out, ended by somebody, or not used for thirty days", () =>
  inScene(async ({ server, ask, page, signIn, advance }) => {
    const reads = async (session: SignedIn) => (await ask("GET", READ, page(session))).status;
    const [out, ended, unused, used] = [await signIn(), await signIn(), await signIn(), await signIn()];
    const signedOut = await ask("DELETE", "/api/0/session", page(out));
    assert.match(signedOut.headers.get("set-cookie") ?? "", /^activity-server-session-5600=; .*Max-Age=0/);
    assert.equal([await reads(out), await reads(ended)], [401, 200]);
    assert.is((await ask("DELETE", `/api/0/sessions/${ended.id}`, page(used))).status, 200);
    assert.is((await ask("DELETE", `/api/0/sessions/${ended.id}`, page(used))).status, 404);
    assert.equal([await reads(ended), await reads(used)], [401, 200]);

    advance(29 * DAY);
    assert.is(await reads(used), 200);
    advance(DAY);
    assert.equal([await reads(unused), await reads(used)], [401, 200]);
    assert.equal(
      (await server.sessions.list()).map(({ id }) => id),
      [used.id],
    );
    // The next sign-in takes expired records away.
    await signIn();
    await server.sessions.end(used.id);
    assert.is(await reads(used), 401);
  }));

test("the list says where sessions are, and which is that of the page", () =>
  inScene(async ({ server, ask, page, signIn, advance }) => {
    const one = await signIn({ "user-agent": `Browser ${"x".repeat(500)}` });
    const two = await signIn();
    advance(10 * MINUTE);
    const list = (await (await ask("GET", "/api/0/sessions", page(two))).json()) as Record<string, unknown>[];
    assert.equal(
      list.map(({ id, current, created }) => ({ id, current, created })).sort((a) => (a.id === one.id ? -1 : 1)),
      [
        { id: one.id, current: false, created: "2024-03-01T09:00:00+00:00" },
        { id: two.id, current: true, created: "2024-03-01T09:00:00+00:00" },
      ],
    );
    const first = list.find(({ id }) => id === one.id);
    assert.is(String(first?.["user_agent"]).length, 200);
    await server.sessions.list();
    const second = (await server.sessions.list()).find(({ id }) => id === two.id);
    assert.is(second?.lastUsed, (START + 10 * MINUTE) * 1000);
  }));

test("storage and backups hold neither cookie nor secret, and the storage keeps sessions for the next start", async () => {
  const storage = memory();
  await inScene(
    async ({ ask, page, signIn }) => {
      const session = await signIn();
      let everything = "";
      for await (const item of storage.backup()) everything += JSON.stringify(item);
      assert.ok(everything.includes(session.id));
      assert.not(everything.includes(session.secret));
      assert.not(everything.includes(session.cookie.split("=")[1] ?? "?"));
      const next = createActivityServer({ storage, auth: "required", clock: () => START });
      const answer = await next.fetch(`${HOST}${READ}`, { headers: proved(page(session), "GET", READ, START) });
      assert.is(answer.status, 200);
      assert.is((await ask("GET", READ, page(session))).status, 200);
    },
    { auth: "required", storage },
  );
});

test("the use of a session that ended meanwhile does not bring it back", () =>
  inScene(async ({ server, storage, ask, page, signIn, advance }) => {
    const session = await signIn();
    advance(10 * MINUTE);
    const [, ended] = await Promise.all([ask("GET", READ, page(session)), server.sessions.end(session.id)]);
    assert.is(ended, undefined);
    await new Promise((resolve) => setImmediate(resolve));
    assert.is((await storage.records("sessions").list()).size, 0);
    assert.is((await ask("GET", READ, page(session))).status, 401);
  }));

test.run();
