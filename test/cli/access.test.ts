import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { hostname, networkInterfaces } from "node:os";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { inside } from "./inside.js";
import { call, stopped } from "./launcher.js";

const test = suite("launcher access");

test("the key of the file opens the API, and nothing else does", () =>
  inside(async ({ path, spawn, program }) => {
    await writeFile(path("key"), "  s3cret key \r\n", { mode: 0o600 });
    const { facts, url, said } = await program.start(["--api-key-file", path("key")]);
    const answers = async (authorization?: string) =>
      (await call(`${url}/api/0/buckets/`, "GET", undefined, authorization === undefined ? {} : { authorization }))
        .status;
    assert.is(facts.protection, "api-key");
    assert.is(await answers(), 401);
    assert.is(await answers("Bearer wrong"), 401);
    assert.is(await answers("Bearer s3cret key"), 200);
    assert.is((await call(`${url}/api/0/info`)).status, 200);
    assert.not.match(JSON.stringify(said()), /s3cret/);
    const human = spawn(["--port", "0", "--storage", "memory", "--api-key-file", path("key")]);
    assert.match(
      await human.line((text) => text.includes("Protection")),
      `this machine only, API key from ${path("key")}`,
    );
  }));

test("origins and patterns from flags are trusted, others are not; * without a key is warned about", () =>
  inside(async ({ start }) => {
    const words = ["--storage", "memory", "--cors", "http://a.example", "--cors-regex", "http://[cd]\\.example"];
    const { url } = await start(words);
    for (const [origin, status] of [
      ["http://a.example", 200],
      ["http://c.example", 200],
      ["http://b.example", 403],
    ] as const) {
      assert.is((await call(`${url}/api/0/buckets/`, "GET", undefined, { origin })).status, status, origin);
    }
    const { complaint } = await start(["--storage", "memory", "--cors", "*"]);
    await complaint((text) => text.includes("any open web page"));
  }));

test("--insecure is said loudly whenever other machines can come in", () =>
  inside(async ({ start, spawn, path }) => {
    const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === "::1"));
    for (const host of hasIpv6 ? ["0.0.0.0", "::"] : ["0.0.0.0"]) {
      const { facts, complaint, url } = await start(["--storage", "memory", "--host", host, "--insecure"]);
      assert.is(facts.protection, "insecure");
      await complaint((text) => text.includes("INSECURE: other machines can read, change and delete everything"));
      assert.ok(facts.urls.length >= 1);
      assert.is((await call(`${url}/api/0/info`)).status, 200);
    }
    const human = spawn(["--port", "0", "--storage", "memory", "--host", "0.0.0.0", "--insecure"]);
    assert.match(await human.line((text) => text.includes("Protection")), /NONE: open to other machines, no API key/);
    assert.match((await stopped(human)).stderr, /^\+-+\+\n\| INSECURE: .* \|\n\| .* \|\n\+-+\+\n$/);

    await writeFile(path("key"), "secret", { mode: 0o600 });
    const guarded = await start(["--storage", "memory", "--host", "0.0.0.0", "--api-key-file", path("key")]);
    assert.is(guarded.facts.protection, "api-key");
    assert.is(guarded.said().stderr, "");
    assert.is((await call(`${guarded.url}/api/0/buckets/`)).status, 401);
  }));

/** The status of a request for info under a name. */
function statusFor(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { port, host: "127.0.0.1", path: "/api/0/info", headers: { host } };
    request(options, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end();
  });
}

// Which forms of a name count as one of the server is shown by test/http/guard.test.ts.
test("without a key a server answers to its own names only, and for other machines to every address", () =>
  inside(async ({ start, path }) => {
    const words = ["--storage", "memory", "--allowed-hosts", "desk.example"];
    const local = await start(words);
    const open = await start([...words, "--host", "0.0.0.0", "--insecure"]);
    await writeFile(path("key"), "secret", { mode: 0o600 });
    const guarded = await start(["--storage", "memory", "--host", "0.0.0.0", "--api-key-file", path("key")]);
    for (const [host, ...statuses] of [
      ["localhost", 200, 200, 200],
      ["desk.example:80", 200, 200, 200],
      [`box.${hostname()}`, 400, 400, 200],
      ["192.168.7.7:1", 400, 200, 200],
      [hostname(), hostname() === "localhost" ? 200 : 400, 200, 200],
    ] as const) {
      const found = [local, open, guarded].map(({ facts }) => statusFor(facts.port, host));
      assert.equal(await Promise.all(found), statuses, host);
    }
  }));

test.run();
