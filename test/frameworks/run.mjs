// npm run test:frameworks -- [--node MAJOR] [name ...]: each example with the packed package, built and started by its
// framework's own production commands, and asked the same. Without names all of them, one after the other. With --node
// all of them by that version of Node, which the npm package `node` brings.

import { parseArgs } from "node:util";
import { FRAMEWORKS } from "./list.mjs";
import { closeBrowser } from "./pages.mjs";
import { checkKept, openFeeds, SESSION_STEPS, STEPS } from "./probe.mjs";
import { startProgram } from "./program.mjs";
import { createProject, run, withTarball } from "./project.mjs";

/** Takes every step, also behind one that fails. @returns what failed */
async function probe(framework, project) {
  const failures = [];
  const step = async (name, body) => {
    try {
      await body();
    } catch (error) {
      // What `fetch` says of a connection stands in the cause.
      failures.push(`${name}: ${error.message}${error.cause ? ` (${error.cause})` : ""}`);
    }
  };
  const program = await startProgram(framework, project);
  try {
    const steps = framework.kind === "sessions" ? SESSION_STEPS : STEPS;
    const given = { login: framework.login, output: program.output };
    for (const [name, body] of Object.entries(steps)) await step(name, () => body(program.url, given));
    await step("SIGTERM", async () => {
      const checkEnds = framework.kind === "sessions" ? () => {} : await openFeeds(program.url);
      const begun = performance.now();
      await program.stop();
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      console.log(`     ${framework.name} ended ${seconds} s after SIGTERM`);
      await checkEnds(framework.cutsFeeds);
    });
  } finally {
    program.kill();
  }
  if (framework.keepsData)
    await step("kept after a restart", async () => {
      const again = await startProgram(framework, project);
      try {
        await checkKept(again.url);
      } finally {
        again.kill();
      }
    });
  if (failures.length > 0) failures.push(`it printed:\n${program.output().slice(-4000)}`);
  return failures;
}

async function tryFramework(framework, tarball) {
  const started = Date.now();
  let project;
  let failures;
  try {
    project = await createProject(framework, tarball);
    if (framework.kind !== "tests") failures = await probe(framework, project);
    else {
      await run(framework.start, { cwd: project.folder, env: { ...project.env, NODE_ENV: "test" } });
      failures = [];
    }
  } catch (error) {
    failures = [error.message];
  }
  if (process.env.KEEP_PROJECTS === undefined) project?.remove();
  else console.log(project?.folder);
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  const state = failures.length === 0 ? "ok  " : "FAIL";
  console.log(`${state} ${framework.name} ${project?.version ?? ""}, Node ${project?.node ?? "?"}, ${minutes} min`);
  for (const failure of failures) console.log(failure.replace(/^/gm, "     "));
  return failures.length === 0;
}

const { values, positionals: names } = parseArgs({ options: { node: { type: "string" } }, allowPositionals: true });
const unknown = names.filter((name) => !FRAMEWORKS.some((framework) => framework.name === name));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(", ")}; there are ${FRAMEWORKS.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
let failed = 0;
await withTarball(async (tarball) => {
  for (const framework of FRAMEWORKS) {
    if (names.length > 0 && !names.includes(framework.name)) continue;
    const tried = values.node === undefined ? framework : { ...framework, node: values.node };
    if (!(await tryFramework(tried, tarball))) failed++;
  }
});
await closeBrowser();
process.exitCode = failed === 0 ? 0 : 1;
