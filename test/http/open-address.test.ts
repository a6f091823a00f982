// A program that listens beyond its machine without a key is told so, once a socket.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { allow } from "../../src/index.js";
import { type ServedOptions, withServer } from "../harness.js";

const test = suite("open addresses");

function warningsOf(host: string, options: ServedOptions = {}): Promise<string[]> {
  return withServer(options, async ({ warnings }) => warnings, { host });
}

test("a socket that other machines reach and that asks for no key is warned of", async () => {
  const [warning = "", ...others] = await warningsOf("0.0.0.0");
  assert.match(warning, /^http:\/\/0\.0\.0\.0:\d+ accepts connections from other machines without a key/);
  assert.match(warning, "allowedHosts");
  assert.equal(others, []);
});

test("with a list of names web pages are kept out, and other machines are not", async () => {
  const [warning = ""] = await warningsOf("0.0.0.0", { allowedHosts: ["<ip>", "localhost"] });
  assert.match(warning, "without a key");
  assert.not.match(warning, "web pages");
});

test("nothing is said on loopback, or where a key or a session is asked for", async () => {
  assert.equal(await warningsOf("127.0.0.1"), []);
  assert.equal(await warningsOf("localhost"), []);
  assert.equal(await warningsOf("0.0.0.0", { auth: "required" }), []);
  assert.equal(await warningsOf("0.0.0.0", { apiKey: "secret" }), []);
  assert.equal(await warningsOf("0.0.0.0", { authorize: () => allow({}) }), []);
});

test.run();
