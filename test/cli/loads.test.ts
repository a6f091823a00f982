// What a start loads: each of these takes as long as opening the storage.
import fs from "node:fs";
import { pathToFileURL } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CLI, call, inWorkshop, stopped } from "./launcher.js";

const test = suite("launcher: what it loads");

/** Writes down what Node has loaded when the process ends. */
const NOTING = `
process.on("exit", () => {
  require("node:fs").writeFileSync(process.env.LOADED_FILE, process.moduleLoadList.join("\\n"));
});
`;

test("nothing of fetch, TLS or HTTP/2 is loaded until somebody needs it", () =>
  inWorkshop(async ({ path, start }) => {
    fs.writeFileSync(path("noting.cjs"), NOTING);
    const env = { LOADED_FILE: path("loaded.txt"), NODE_OPTIONS: `--require ${path("noting.cjs")}` };
    const running = await start([], env);
    // The HTTP client of this process, not of that one.
    assert.is((await fetch(`${running.url}/api/0/info`)).status, 200);
    assert.is((await stopped(running)).code, 0);
    const loaded = fs.readFileSync(path("loaded.txt"), "utf8").split("\n");
    assert.ok(loaded.includes("NativeModule http"), "the list is of a server");
    const needless = ["internal/deps/undici/undici", "https", "tls", "http2", "readline", "worker_threads"];
    for (const name of needless) assert.not.ok(loaded.includes(`NativeModule ${name}`), name);
  }));

/** As where a file is gone, or cannot be read. */
const FAILING = `
export const load = (url, context, next) => {
  if (/\\/(engine|openapi|search)-\\w+\\.js$/.test(url)) throw new Error("there is no such file");
  return next(url, context);
};
`;
const SERVER = `
import { register } from "node:module";
register("./failing.mjs", import.meta.url);
const { createActivityServer } = await import(process.argv[2] + "/index.js");
const { memory } = await import(process.argv[2] + "/memory.js");
const { url } = await createActivityServer({ storage: memory(), logger: console }).listen({ port: 0 });
console.log(url);
`;

test("a server does without the query language, search and the description; who needs one is told that it fails", () =>
  inWorkshop(async ({ path, spawn }) => {
    fs.writeFileSync(path("failing.mjs"), FAILING);
    fs.writeFileSync(path("server.mjs"), SERVER);
    const running = spawn([new URL(".", pathToFileURL(CLI)).href], {}, path("server.mjs"));
    const url = await running.line((text) => text.startsWith("http"));
    const body = { timeperiods: ["2024-03-01/2024-03-02"], query: ["RETURN = 1;"] };
    assert.is((await call(`${url}/api/0/query/`, "POST", body)).status, 500);
    assert.is((await call(`${url}/api/openapi.json`)).status, 500);
    assert.match(running.said().stderr, "there is no such file");
    assert.is((await call(`${url}/api/0/info`)).status, 200);
  }));

test("the first request after the start may be a query", () =>
  inWorkshop(async ({ start }) => {
    const { url } = await start();
    const body = { timeperiods: ["2024-03-01/2024-03-02"], query: ["RETURN = 1;"] };
    assert.equal((await call(`${url}/api/0/query/`, "POST", body)).body, [1]);
  }));

test.run();
