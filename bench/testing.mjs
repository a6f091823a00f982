// How long a test file waits for `activity-server/testing`: node bench/testing.mjs [rounds], after a build.
// Every round is a process of its own, so nothing is warm but the files. Prints medians in milliseconds.
import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";

const MEASURED = {
  import: `const testing = await import("activity-server/testing");`,
  createTestServer: `const server = testing.createTestServer();`,
  "first request": `await (await server.fetch("/api/0/info")).text();`,
  "second server": `testing.createTestServer();`,
  realisticDay: `const day = testing.realisticDay({ timezone: "Europe/Berlin" });`,
  load: `await server.load(day);`,
  reset: `await server.reset();`,
  listen: `await server.listen();`,
};
const STEPS = Object.entries(MEASURED).map(
  ([name, step]) => `before = performance.now(); ${step} times[${JSON.stringify(name)}] = performance.now() - before;`,
);
const PROGRAM = `const times = {}; let before; ${STEPS.join("\n")}
await server.close(); process.stdout.write(JSON.stringify(times));`;

const rounds = Number(process.argv[2] ?? 15);
const seen = new Map();
for (let round = 0; round < rounds; round++) {
  keep("an empty process", run("").took);
  const { took, printed } = run(PROGRAM);
  for (const [name, millis] of Object.entries(JSON.parse(printed))) keep(name, millis);
  keep("the whole process", took);
}
for (const [name, times] of seen) {
  const [fastest, median, slowest] = [0, Math.floor(times.length / 2), times.length - 1].map((at) =>
    times.toSorted((a, b) => a - b)[at].toFixed(1),
  );
  console.log(`${name.padEnd(18)} ${median.padStart(7)} ms   ${fastest} to ${slowest}`);
}

function run(program) {
  const before = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: new URL(".", import.meta.url),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return { took: performance.now() - before, printed: stdout };
}

function keep(name, millis) {
  seen.set(name, [...(seen.get(name) ?? []), millis]);
}
