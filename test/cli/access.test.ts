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

test("origins and patterns from flags are trusted, others are not", () =>
  inside(async ({ start }) => {
    const words = ["--storage", "memory", "--cors", "http://a.example", "--cors-regex", "http://[cd]\\.example"];
    const { url } = await start(words);
    for (const [origin, status] of [
      ["http://a.example", 200],
      ["http://c.example", 200],
      ["http://b.example", 403],
      ["http://c.example.evil", 403],
    ] as const) {
      assert.is((await call(`${url}/api/0/buckets/`, "GET", undefined, { origin })).status, status, origin);
    }
  }));

test("--cors '*' without a key is warned about", () =>
  inside(async ({ start }) => {
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

test("without a key a server for other machines answers to addresses and to its own names only", () =>
  inside(async ({ start, path }) => {
    const words = ["--storage", "memory", "--host", "0.0.0.0", "--allowed-hosts", "desk.example"];
    const { facts } = await start([...words, "--insecure"]);
    const own = [`127.0.0.1:${facts.port}`, "localhost", "192.168.7.7:1", "[fe80::1]:5600", hostname(), "desk.example"];
    for (const host of own) assert.is(await statusFor(facts.port, host), 200, host);
    for (const host of ["evil.example", "desk.example.evil", "127.0.0.1.evil.example"]) {
      assert.is(await statusFor(facts.port, host), 400, host);
    }
    await writeFile(path("key"), "secret", { mode: 0o600 });
    const guarded = await start(["--storage", "memory", "--host", "0.0.0.0", "--api-key-file", path("key")]);
    assert.is(await statusFor(guarded.facts.port, "any.example"), 200);
  }));

test("further names for the Host header can be given to a server of this machine", () =>
  inside(async ({ start }) => {
    const { facts } = await start(["--storage", "memory", "--allowed-hosts", "desk.example"]);
    for (const host of ["localhost", "127.0.0.1", "[::1]", "desk.example:80"]) {
      assert.is(await statusFor(facts.port, host), 200, host);
    }
    for (const host of ["evil.example", "192.168.7.7", hostname() === "localhost" ? "a" : hostname()]) {
      assert.is(await statusFor(facts.port, host), 400, host);
    }
  }));

test.run();
