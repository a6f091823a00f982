// long: 300 s
// The published package under other releases of Node than the one that runs the tests: `engines` promises them. The long
// tests fetch those from the registry.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { sampleOf } from "./faults/sizes.js";
import { type Consumer, packPrograms, ROOT, withConsumer } from "./package/tarball.js";

const MANIFEST = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
const DEPENDENCIES = [...Object.keys(MANIFEST.dependencies), ...Object.keys(MANIFEST.optionalDependencies)];
const OWN = "the Node at hand";
/** The short tests take the first. */
const RELEASES: readonly string[] = [OWN, "Node 22", "Node 24"];

const PROGRAM = `
import { createActivityServer } from "activity-server";
import { leveldb } from "activity-server/leveldb";
const server = createActivityServer({ storage: await leveldb({ path: "data" }) });
await server.buckets.create("b", { type: "t", client: "c", hostname: "h" });
await server.heartbeat("b", { timestamp: "2024-03-01T00:00:00Z", data: { a: 1 } }, "10s");
await server.heartbeat("b", { timestamp: "2024-03-01T00:00:05Z", data: { a: 1 } }, "10s");
const socket = await server.listen({ port: 0 });
const response = await fetch(socket.url + "/api/0/buckets/b/events");
console.log(process.versions.node, await response.text());
await server.close();
`;

const REQUIRING = `
const { memory } = require("activity-server/memory");
console.log(typeof require("activity-server").createActivityServer, typeof memory);
`;

const test = suite("Node releases");
const packed = packPrograms();

for (const release of sampleOf(RELEASES, RELEASES.length)) {
  test(`the package stores, listens and is required under ${release}`, () => {
    withConsumer(packed, DEPENDENCIES, (consumer) => {
      const node = release === OWN ? process.execPath : fetchNode(release.slice(5));
      consumer.write("program.mjs", PROGRAM);
      consumer.write("requiring.cjs", REQUIRING);
      const printed = run(node, consumer, "program.mjs");
      const [, version = "", text = ""] = /^(\S+) (.*)$/m.exec(printed) ?? [];
      assert.ok(release === OWN || version.startsWith(`${release.slice(5)}.`), printed);
      const [event, ...more] = JSON.parse(text);
      assert.equal([event.duration, event.data, more], [5, { a: 1 }, []]);
      assert.is(run(node, consumer, "requiring.cjs").trim(), "function function");
      const launcher = "node_modules/activity-server/dist/cli.cjs";
      assert.match(run(node, consumer, launcher, "--version"), MANIFEST.version);
    });
  });
}

/** The program of a release, fetched once from the registry of npm. */
function fetchNode(release: string): string {
  const { platform, arch } = process;
  const name = `node-${platform === "win32" ? "win" : platform}-${arch}`;
  const folder = path.join(ROOT, "node_modules/.cache/node-releases", release);
  const program = path.join(folder, "node_modules", name, "bin", platform === "win32" ? "node.exe" : "node");
  if (fs.existsSync(program)) return program;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, "package.json"), '{ "private": true }');
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", `${name}@${release}`];
  const { status, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8", shell: platform === "win32" });
  assert.is(status, 0, stderr);
  return program;
}

function run(node: string, { folder }: Consumer, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(node, args, { cwd: folder, encoding: "utf8" });
  assert.is(status, 0, `${args.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

test.run();
