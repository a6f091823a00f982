// Asking for a key, and browser extensions that the server does not know.

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { storageFull } from "../../src/errors.js";
import type { KeyScope } from "../../src/index.js";
import { withRecords } from "../overridden-records.js";
import { refusalOf } from "../refusals.js";
import { type AccessScene, bearer, inScene as inAccessScene, MINUTE, type SceneOptions } from "./scene.js";

const test = suite("pairing");

const EXTENSION = `chrome-extension://${"abcd".repeat(8)}`;
const SAFARI = "safari-web-extension://0b24ef9c-35b8-4a32-9c3f-b0ae8c5ab1b1";
const BUCKET = { type: "web.tab.current", client: "my-extension", hostname: "desk" };
const PHONE = { name: "phone", scopes: ["append:phone_*", "read:phone_*"] };

interface Asked {
  readonly code: string;
  readonly secret: string;
}

interface Scene extends AccessScene {
  ask(given?: object, headers?: Readonly<Record<string, string>>): Promise<Asked>;
  collect(secret: string): Promise<{ readonly httpStatus: number; readonly status?: string; readonly key?: string }>;
}

function inScene(body: (scene: Scene) => Promise<void>, options?: SceneOptions): Promise<void> {
  return inAccessScene(async (scene) => {
    const ask: Scene["ask"] = async (given = PHONE, headers = {}) => {
      const answer = await scene.send("POST", "/api/0/pairing", given, headers);
      assert.is(answer.status, 200);
      return (await answer.json()) as Asked;
    };
    const collect: Scene["collect"] = async (secret) => {
      const answer = await scene.send("POST", "/api/0/pairing/collect", { secret });
      return { httpStatus: answer.status, ...((await answer.json()) as object) };
    };
    await body({ ...scene, ask, collect });
  }, options);
}

const OWNER = bearer("token");

test("who asks gets a key once the owner has approved it, once", () =>
  inScene(async ({ server, warnings, send, status, ask, collect }) => {
    const { code, secret } = await ask();
    assert.match(code, /^[A-Z]{4}-\d{4}$/);
    assert.match(secret, /^[\w-]{43}$/);
    assert.equal(await collect(secret), { httpStatus: 200, status: "pending" });
    assert.is(warnings.length, 1);
    assert.match(warnings[0] ?? "", new RegExp(`^phone asks for a key \\(append:phone_\\* read:phone_\\*\\).*${code}`));
    assert.is(await status("GET", "/api/0/pairing"), 401);
    const [listed] = (await (await send("GET", "/api/0/pairing", undefined, OWNER)).json()) as object[];
    assert.equal(listed, {
      ...{ code, kind: "key", ...PHONE, origin: null, address: null },
      ...{ requested: "2024-03-01T09:00:00+00:00", expires: "2024-03-01T09:05:00+00:00" },
    });
    assert.is(await status("POST", `/api/0/pairing/${code}/approve`, {}), 401);
    const approve = await send("POST", `/api/0/pairing/${code.toLowerCase().replace("-", "")}/approve`, {}, OWNER);
    assert.equal(await approve.json(), { kind: "key", ...PHONE, origin: null });
    assert.equal(await server.pairing.list(), []);
    // Nothing is made before it is collected.
    assert.equal(await server.keys.list(), []);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => collect(secret)));
    const keys = outcomes.filter(({ key }) => key !== undefined);
    assert.is(keys.length, 1);
    assert.is(outcomes.filter(({ httpStatus }) => httpStatus === 404).length, 9);
    assert.equal(
      (await server.keys.list()).map(({ name, scopes, origin }) => ({ name, scopes, origin })),
      [{ ...PHONE, origin: null }],
    );

    assert.is(await status("GET", "/api/0/buckets", undefined, bearer(keys[0]?.key ?? "")), 200);
    assert.is(await status("POST", `/api/0/pairing/${code}/approve`, {}, OWNER), 404);
  }));

test("the owner narrows what is asked for, and cannot widen it", () =>
  inScene(async ({ server, ask, collect }) => {
    const wide = { name: "tool", scopes: ["write:aw-*", "read:*"] };
    const approvals: readonly (readonly [scopes: string[], message: RegExp | undefined])[] = [
      [["admin"], /INVALID_INPUT: scopes must be .*'admin'/],
      [["write:*"], /scopes must be .*'write:\*'/],
      [["read:x", "append:a*"], /scopes must be .*'append:a\*'/],
      [["raed:x"], /scopes\[0\] must be/],
      [[], /scopes must be/],
      [["append:aw-window*", "read:aw-*x", "read:*"], undefined],
    ];
    for (const [scopes, message] of approvals) {
      const { code, secret } = await ask(wide);
      const told = await refusalOf(server.pairing.approve(code, { scopes: scopes as KeyScope[], name: "tool.1" }));
      if (message === undefined) {
        const outcome = await collect(secret);
        assert.equal({ ...outcome, key: "" }, { httpStatus: 200, status: "approved", name: "tool.1", scopes, key: "" });
        assert.equal((await server.keys.list())[0]?.scopes, scopes);
        continue;
      }
      assert.match(told, message);
      await server.pairing.refuse(code);
    }
    const { code } = await ask({ name: "all", scopes: ["admin"] });
    assert.equal((await server.pairing.approve(code, { scopes: ["read:*"] })).scopes, ["read:*"]);
  }));

test("a name that is taken gets a number, and one that the owner gives must be free", () =>
  inScene(async ({ server, ask, collect }) => {
    await server.keys.add({ name: "phone", scopes: ["read:*"] });
    const first = await ask();
    assert.match(await refusalOf(server.pairing.approve(first.code, { name: "phone" })), /name 'phone' is the name of/);
    assert.match(await refusalOf(server.pairing.approve(first.code, { name: "a b " })), /name must be/);
    assert.is((await server.pairing.approve(first.code)).name, "phone-2");
    const second = await ask();
    await server.pairing.approve(second.code);
    await collect(first.secret);
    await collect(second.secret);
    const names = (await server.keys.list()).map(({ name }) => name);
    assert.equal(names.sort(), ["phone", "phone-2", "phone-3"]);
  }));

test("two that are approved at once get two names", () =>
  inScene(async ({ server, ask }) => {
    const asked = [await ask(), await ask(), await ask()];
    const approved = await Promise.all(asked.map(({ code }) => server.pairing.approve(code)));
    assert.equal(approved.map(({ name }) => name).sort(), ["phone", "phone-2", "phone-3"]);
    const [again, other] = [await ask(), await ask()];
    const both = await Promise.allSettled(
      [again, other].map(({ code }) => server.pairing.approve(code, { name: "tablet" })),
    );
    assert.equal(both.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  }));

test("a refusal is told, and a question ends after five minutes", () =>
  inScene(async ({ server, status, ask, collect, advance }) => {
    const refused = await ask();
    assert.is(await status("DELETE", `/api/0/pairing/${refused.code}`, undefined, OWNER), 200);
    assert.equal(await collect(refused.secret), { httpStatus: 200, status: "refused" });
    assert.is(await status("DELETE", `/api/0/pairing/${refused.code}`, undefined, OWNER), 404);
    const late = await ask();
    advance(5 * MINUTE - 1);
    assert.is((await collect(late.secret)).status, "pending");
    advance(1);
    assert.is((await collect(late.secret)).httpStatus, 404);
    assert.match(await refusalOf(server.pairing.approve(late.code)), /NO_SUCH_PAIRING/);
    // What is approved in the last second can still be collected.
    const last = await ask();
    advance(5 * MINUTE - 1);
    await server.pairing.approve(last.code);
    advance(MINUTE);
    assert.is((await collect(last.secret)).status, "approved");
  }));

test("three can wait, then others have to come again", () =>
  inScene(async ({ server, send, ask, advance }) => {
    const asked = [await ask(), await ask(), await ask()];
    const answer = await send("POST", "/api/0/pairing", PHONE);
    assert.equal([answer.status, answer.headers.get("retry-after")], [429, "60"]);
    await server.pairing.refuse(asked[0]?.code ?? "");
    await ask();
    assert.is((await send("POST", "/api/0/pairing", PHONE)).status, 429);
    advance(5 * MINUTE);
    await ask();
  }));

test("what describes no key is refused with the field", () =>
  inScene(async ({ send }) => {
    const cases: readonly (readonly [given: unknown, message: RegExp])[] = [
      [{ name: "a\nb", scopes: ["admin"] }, /name must be /],
      [{ name: "a", scopes: ["all"] }, /scopes\[0\] must be/],
      // Behind all that nobody would see the last one.
      [
        { name: "a", scopes: [...Array.from({ length: 9 }, (_, at) => `read:${at}${"b".repeat(60)}`), "admin"] },
        /scopes must be .*500/,
      ],
      // Anybody may ask: what is logged and shown must be what is asked for.
      [{ name: "a", scopes: ["read:a\n\u001b[2Jwarning: b"] }, /scopes must be /],
      [{ name: "a", scopes: ["read:\u202e*"] }, /scopes must be /],
      ...[..."\u034f\u115f\u1160\u17b4\u17b5\u180b\u2800\u3164\uffa0\ufe0f\u00a0\u3000\u2003\u{1d159}\u{e0100}"].map(
        (sign) => [{ name: "a", scopes: [`read:a${sign}`] }, /scopes must be /] as const,
      ),
    ];
    for (const [given, message] of cases) {
      const answer = await send("POST", "/api/0/pairing", given);
      assert.is(answer.status, 400);
      assert.match(((await answer.json()) as { message: string }).message, message);
    }
  }));

test("a page without an origin of its own is refused before anybody has to answer", () =>
  inScene(
    async ({ send, server }) => {
      const answer = await send("POST", "/api/0/pairing", PHONE, { origin: "null" });
      assert.is(answer.status, 400);
      assert.match(((await answer.json()) as { message: string }).message, /origin must be/);
      assert.equal(await server.pairing.list(), []);
    },
    { auth: "required", cors: ["*"] },
  ));

test("programs and extensions may ask, and pages that are not trusted may not", () =>
  inScene(
    async ({ status, ask, server }) => {
      const preflight = (origin: string, path: string) =>
        status("OPTIONS", path, undefined, { origin, "access-control-request-method": "POST" });
      for (const origin of [EXTENSION, SAFARI, "moz-extension://5f1c4f32-8e0d-4b5e-a9e5-08e5c2c3f7e1"]) {
        for (const path of ["/api/0/pairing", "/api/0/pairing/collect"]) {
          assert.is(await preflight(origin, path), 204, `${origin} ${path}`);
        }
        const { code } = await ask(PHONE, { origin });
        assert.is((await server.pairing.list())[0]?.origin, origin);
        assert.is(await status("POST", `/api/0/pairing/${code}/approve`, {}, { ...OWNER, origin }), 403);
        assert.is(await preflight(origin, `/api/0/pairing/${code}/approve`), 403);
        await server.pairing.refuse(code);
      }
      for (const origin of ["https://evil.example", "null", "http://localhost:5601", "chrome-extension://a/b"]) {
        assert.is(await preflight(origin, "/api/0/pairing"), 403, origin);
        assert.is(await status("POST", "/api/0/pairing", PHONE, { origin }), 403, origin);
      }
      assert.is(await status("POST", "/api/0/pairing", PHONE, { "sec-fetch-site": "cross-site" }), 403);
      assert.equal(await server.pairing.list(), []);
      await ask(PHONE, { origin: "https://friend.example" });
    },
    { auth: "required", cors: ["https://friend.example"] },
  ));

test("the key of an extension is for its origin, which it lets in", () =>
  inScene(async ({ server, status, ask, collect }) => {
    const { code, secret } = await ask(
      { name: "browser", scopes: ["append:web_*", "read:web_*"] },
      { origin: EXTENSION },
    );
    assert.is((await server.pairing.approve(code)).origin, EXTENSION);
    const { key } = await collect(secret);
    const headers = { origin: EXTENSION, authorization: `Bearer ${key}` };
    const preflight = { origin: EXTENSION, "access-control-request-method": "GET" };
    assert.is(await status("OPTIONS", "/api/0/buckets/web_desk/events", undefined, preflight), 204);
    assert.is(await status("POST", "/api/0/buckets/web_desk", BUCKET, headers), 200);
    assert.is(await status("GET", "/api/0/buckets/web_desk/events", undefined, headers), 200);
    assert.is(await status("GET", "/api/0/buckets/web_desk/events", undefined, { ...headers, origin: SAFARI }), 403);
    // Where browsers leave the origin out, which they do for extensions alone.
    const bare = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" };
    const { authorization } = headers;
    assert.is(await status("GET", "/api/0/buckets/web_desk/events", undefined, { ...bare, authorization }), 200);
    assert.is(await status("GET", "/api/0/buckets/web_desk/events", undefined, bare), 403);
    assert.is(
      await status("GET", "/api/0/buckets/web_desk/events", undefined, { ...bare, authorization: "Bearer as_x" }),
      403,
    );
    // It is not asked about: its key has answered.
    assert.equal(await server.pairing.list(), []);
  }));

for (const origin of [EXTENSION, SAFARI]) {
  test(`an extension that nobody knows becomes a question: ${origin.split(":")[0]}`, () =>
    inScene(
      async ({ server, warnings, status }) => {
        const report = () => status("POST", "/api/0/buckets/web_desk", BUCKET, { origin });
        const preflight = { origin, "access-control-request-method": "POST" };
        assert.is(await status("GET", "/api/0/buckets", undefined, { origin }), 403);
        assert.equal(await server.pairing.list(), []);
        assert.is(await status("OPTIONS", "/api/0/buckets/web_desk", undefined, preflight), 403);
        for (let time = 0; time < 5; time++) assert.is(await report(), 403);
        const questions = await server.pairing.list();
        assert.is(questions.length, 1);
        const { code, kind, name, scopes } = questions[0] as (typeof questions)[number];
        assert.equal({ kind, name, scopes }, { kind: "extension", name: origin, scopes: [] });
        assert.is(warnings.length, 1);
        assert.match(warnings[0] ?? "", new RegExp(`^an extension wants to report: ${origin};.* activity-server pair`));
        await server.pairing.approve(code);
        assert.equal(await server.extensions.list(), [{ origin, allowed: true }]);
        assert.equal([await report(), await report()], [200, 304]);
        assert.is(await status("OPTIONS", "/api/0/buckets/web_desk", undefined, preflight), 204);
        assert.is(await status("GET", "/api/0/buckets", undefined, { origin }), 403);
        assert.is(await status("GET", "/api/0/pairing", undefined, { origin }), 403);
        const path = `/api/0/extensions/${encodeURIComponent(origin)}`;
        assert.is(await status("DELETE", path), 200);
        assert.is(await report(), 403);
        assert.is((await server.pairing.list()).length, 1);
        // The log has named it.
        assert.is(warnings.length, 1);
      },
      { controlToken: "" },
    ));
}

test("a preflight alone makes an extension a question", () =>
  inScene(
    async ({ server, status }) => {
      const preflight = { origin: EXTENSION, "access-control-request-method": "POST" };
      assert.is(await status("OPTIONS", "/api/0/buckets/web_desk", undefined, preflight), 403);
      const questions = await server.pairing.list();
      assert.equal(
        questions.map(({ kind, name }) => ({ kind, name })),
        [{ kind: "extension", name: EXTENSION }],
      );
      await server.pairing.approve(questions[0]?.code ?? "");
      assert.is(await status("OPTIONS", "/api/0/buckets/web_desk", undefined, preflight), 204);
    },
    { auth: "optional" },
  ));

test("an extension that was refused does not ask again", () =>
  inScene(
    async ({ server, send, status }) => {
      const report = () => status("POST", "/api/0/buckets/web_desk", BUCKET, { origin: EXTENSION });
      assert.is(await report(), 403);
      const [question] = await server.pairing.list();
      assert.is(await status("DELETE", `/api/0/pairing/${question?.code}`), 200);
      assert.is(await report(), 403);
      assert.equal(await server.pairing.list(), []);
      const listed = await (await send("GET", "/api/0/extensions")).json();
      assert.equal(listed, [{ origin: EXTENSION, allowed: false }]);
      await server.extensions.allow(EXTENSION);
      assert.is(await report(), 200);
      assert.match(await refusalOf(server.extensions.allow("https://a.example")), /INVALID_INPUT: origin must be/);
    },
    { auth: "optional" },
  ));

test("three extensions wait at a time, and hold up nobody who asks for a key", () =>
  inScene(
    async ({ server, status, ask }) => {
      for (const letter of "abcdefgh") {
        const origin = `chrome-extension://${letter.repeat(32)}`;
        assert.is(await status("POST", "/api/0/buckets/web_desk", BUCKET, { origin }), 403);
      }
      assert.is((await server.pairing.list()).length, 3);
      await ask();
      assert.is((await server.pairing.list()).length, 4);
    },
    { auth: "optional" },
  ));

test("with a key required an allowed extension still needs one", () =>
  inScene(async ({ server, send, status, warnings }) => {
    const report = (more: object = {}) =>
      send("POST", "/api/0/buckets/web_desk", BUCKET, { origin: EXTENSION, ...more });
    assert.is((await report()).status, 403);
    assert.match(warnings[0] ?? "", `keys add NAME --scope append:GLOB --origin ${EXTENSION}`);
    await server.extensions.allow(EXTENSION);
    const refused = await report();
    assert.is(refused.status, 401);
    assert.match(((await refused.json()) as { message: string }).message, "POST /api/0/pairing");
    assert.is(await status("GET", "/api/0/info", undefined, { origin: EXTENSION }), 200);
    const { key } = await server.keys.add({ name: "any-origin", scopes: ["append:web_*"] });
    assert.is((await report(bearer(key))).status, 200);
    // Bound to the extension a key lets it in by itself.
    await server.extensions.forget(EXTENSION);
    assert.is((await report(bearer(key))).status, 403);
    const bound = await server.keys.add({ name: "bound", scopes: ["append:web_*"], origin: EXTENSION });
    assert.is((await report(bearer(bound.key))).status, 304);
  }));

test("where nothing is required nobody but the owner gives a key, if there is one who can prove it", () =>
  inScene(
    async ({ status, ask, server }) => {
      const { code } = await ask({ name: "lasting", scopes: ["admin"] });
      assert.is(await status("POST", `/api/0/pairing/${code}/approve`, {}), 401);
      assert.equal(await server.keys.list(), []);
      assert.is(await status("POST", `/api/0/pairing/${code}/approve`, {}, OWNER), 200);
      // An extension may only report, as everybody may.
      const other = "chrome-extension://aaaabbbbccccddddaaaabbbbccccdddd";
      assert.is(await status("POST", "/api/0/buckets/b", BUCKET, { origin: other }), 403);
      const [question] = await server.pairing.list();
      assert.is(await status("POST", `/api/0/pairing/${question?.code}/approve`, {}), 200);
    },
    { auth: "optional" },
  ));

test("where there is no owner everybody gives a key, until there is one", () =>
  inScene(
    async ({ status, ask, collect }) => {
      const first = await ask();
      assert.is(await status("POST", `/api/0/pairing/${first.code}/approve`, {}), 200);
      const { key } = await collect(first.secret);
      assert.type(key, "string");
      const second = await ask();
      assert.is(await status("POST", `/api/0/pairing/${second.code}/approve`, {}), 401);
    },
    { auth: "optional", controlToken: "" },
  ));

test("a key that could not be kept can be collected again", async () => {
  let isFull = true;
  const storage = withRecords(memory(), ["keys"], ({ compareAndSet }) => ({
    compareAndSet: (...given) => (isFull ? Promise.reject(storageFull()) : compareAndSet(...given)),
  }));
  await inScene(
    async ({ server, errors, ask, collect }) => {
      const { code, secret } = await ask();
      await server.pairing.approve(code);
      assert.is((await collect(secret)).httpStatus, 507);
      assert.is(errors.splice(0).length, 1);
      isFull = false;
      assert.is((await collect(secret)).status, "approved");
    },
    { auth: "required", storage },
  );
});

test.run();
