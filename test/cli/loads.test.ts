// What a start loads: each of these takes as long as opening the storage.
import fs from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { inWorkshop } from "./launcher.js";

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
    running.kill("SIGTERM");
    assert.is((await running.ended).code, 0);
    const loaded = fs.readFileSync(path("loaded.txt"), "utf8").split("\n");
    assert.ok(loaded.includes("NativeModule http"), "the list is of a server");
    const needless = ["internal/deps/undici/undici", "https", "tls", "http2", "readline", "worker_threads"];
    for (const name of needless) assert.not.ok(loaded.includes(`NativeModule ${name}`), name);
  }));

test.run();
