// long: 300 s
// A project of somebody else, in test/consumer, which has nothing of ours but the package. Uses the build in dist.
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { detailsOf } from "./faults/sizes.js";
import { packPrograms, ROOT, withConsumer } from "./package/tarball.js";

const MANIFEST = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
const CORE: readonly string[] = Object.keys(MANIFEST.dependencies);
const TESTS = path.join(ROOT, "test/consumer/test");

const test = suite("consumer");
const details = detailsOf(test);
const packed = packPrograms();

test("its own tests pass with the package alone", () => {
  const wanted = fs
    .readdirSync(TESTS)
    .flatMap((name) => [...fs.readFileSync(path.join(TESTS, name), "utf8").matchAll(/^ *test\(/gm)]);
  withConsumer(packed, CORE, ({ copy, node }) => {
    copy("test/consumer");
    const printed = node("--test");
    const [, passed = ""] = /^(?:#|ℹ) pass (\d+)$/m.exec(printed) ?? [];
    // Those of report.test.js run once for each of two sources.
    assert.ok(Number(passed) >= wanted.length, printed);
    assert.match(printed, /^(?:#|ℹ) fail 0$/m);
  });
});

details("its tests would notice", () => {
  withConsumer(packed, CORE, ({ copy, node, write }) => {
    copy("test/consumer");
    write("src/report.js", "export async function focusReport() { return []; }\n");
    assert.throws(() => node("--test", "test/report.test.js"), /# fail [1-9]|ℹ fail [1-9]/);
  });
});

test("it imports nothing but the package and what Node brings", () => {
  const sources = fs
    .readdirSync(path.join(ROOT, "test/consumer"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .map((name) => fs.readFileSync(path.join(ROOT, "test/consumer", name), "utf8"));
  const imported = sources.flatMap((text) => [...text.matchAll(/^import .*from "(.*)";$/gm)].map(([, name]) => name));
  const packages = new Set(imported.filter((name) => !/^(node:|\.\.?\/(src\/)?[a-z]+\.js$)/.test(name ?? "")));
  assert.equal([...packages], ["activity-server/testing"]);
});

test.run();
