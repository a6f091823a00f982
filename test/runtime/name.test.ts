// The name of the runtime, which info tells.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { runtimeName } from "../../src/util/runtime.js";

const test = suite("the name of the runtime");

const CASES: readonly (readonly [globals: Parameters<typeof runtimeName>[0], name: string])[] = [
  [undefined, "node"],
  [{ process: { versions: { node: "20.20.2" } } }, "node"],
  [{ process: { versions: { node: "24.3.0", bun: "1.4.0" } }, navigator: { userAgent: "Bun/1.4.0" } }, "bun"],
  [{ process: { versions: { node: "24.2.0", deno: "2.9.0" } }, navigator: { userAgent: "Deno/2.9.0" } }, "deno"],
  [{ navigator: { userAgent: "Cloudflare-Workers" } }, "workerd"],
  [{ process: {}, navigator: { userAgent: "Mozilla/5.0" } }, "js"],
  [{}, "js"],
];

for (const [globals, name] of CASES) {
  test(`${JSON.stringify(globals)} is ${name}`, () => assert.is(runtimeName(globals), name));
}

test.run();
