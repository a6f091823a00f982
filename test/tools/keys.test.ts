// The command `keys`, with a running server and with a folder that nobody uses.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { inside } from "../cli/inside.js";
import { call, jsonLines, stopped, type Workshop } from "../cli/launcher.js";

const test = suite("activity-server keys");

async function keys({ told }: Workshop, folder: string, words: readonly string[]): Promise<Record<string, unknown>[]> {
  return jsonLines(await told(["keys", ...words, "--data", folder, "--json"]));
}

function statusWith(url: string, key: unknown, path = "/api/0/buckets"): Promise<{ status: number }> {
  return call(url + path, "GET", undefined, { Authorization: `Bearer ${key}` });
}

test("a running server is asked, and heeds a new and a revoked key at once", () =>
  inside(async (workshop) => {
    const running = await workshop.start(["--auth", "required"]);
    const { url, facts } = running;
    assert.equal([facts.protection, facts.keys], ["keys", 0]);
    assert.match(facts.next, /Authorization: Bearer <key>/);
    await running.complaint((line) => line.includes("no key exists yet"));
    const folder = String(facts.data);
    assert.is((await call(`${url}/api/0/buckets`)).status, 401);
    const [made] = await keys(workshop, folder, [
      "add",
      "wall",
      "--scope",
      "read:a_*",
      "--scope=append:b",
      "--expires",
      "90d",
    ]);
    const { event, name, scopes, key, created, expires } = made ?? {};
    assert.equal([event, name, scopes], ["key-added", "wall", ["read:a_*", "append:b"]]);
    assert.is(Date.parse(String(expires)) - Date.parse(String(created)) > 89.9 * 86_400_000, true);
    assert.is((await statusWith(url, key)).status, 200);
    assert.is((await statusWith(url, key, "/api/0/settings")).status, 403);
    const [listed] = await keys(workshop, folder, ["list"]);
    assert.equal([listed?.["event"], listed?.["name"], listed?.["key"]], ["key", "wall", undefined]);
    assert.is(listed?.["last_used_from"], "127.0.0.1");
    assert.equal(await keys(workshop, folder, ["revoke", "wall"]), [{ event: "key-revoked", name: "wall" }]);
    assert.is((await statusWith(url, key)).status, 401);
  }));

test("a folder that nobody uses is opened, and the next server takes its keys", () =>
  inside(async (workshop) => {
    const first = await workshop.start();
    assert.equal([first.facts.protection, first.facts.keys], ["loopback", 0]);
    const folder = String(first.facts.data);
    await stopped(first);
    const [made] = await keys(workshop, folder, ["add", "a", "--scope", "admin", "--origin", "https://a.example"]);
    assert.is(made?.["origin"], "https://a.example");
    const text = await workshop.told(["keys", "list", "--data", folder]);
    assert.is(text, "a: admin, only from https://a.example, never used\n");
    const second = await workshop.start(["--auth", "required"]);
    assert.is(second.facts.keys, 1);
    assert.is((await statusWith(second.url, made?.["key"], "/api/0/settings")).status, 200);
    assert.is((await call(`${second.url}/api/0/buckets`)).status, 401);
  }));

test.run();
