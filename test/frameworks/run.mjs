// npm run test:frameworks [name ...]: each example with the packed package, built and started by its framework's own
// production commands, and asked the same. Without names all of them, one after the other.

import { FRAMEWORKS } from "./list.mjs";
import { closeBrowser } from "./pages.mjs";
import { checkKept, STEPS } from "./probe.mjs";
import { startProgram } from "./program.mjs";
import { createProject, pack, run } from "./project.mjs";

/** Takes every step, also behind one that fails. @returns what failed */
async function probe(framework, project) {
  const failures = [];
  const step = async (name, body) => {
    try {
      await body();
    } catch (error) {
      failures.push(`${name}: ${error.message}`);
    }
  };
  const program = await startProgram(framework, project);
  try {
    for (const [name, body] of Object.entries(STEPS)) await step(name, () => body(program.url));
    await step("SIGTERM", () => program.stop());
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
    if (framework.kind === "server") failures = await probe(framework, project);
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
  console.log(`${failures.length === 0 ? "ok  " : "FAIL"} ${framework.name} ${project?.version ?? ""}, ${minutes} min`);
  for (const failure of failures) console.log(failure.replace(/^/gm, "     "));
  return failures.length === 0;
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !FRAMEWORKS.some((framework) => framework.name === name));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(", ")}; there are ${FRAMEWORKS.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
const tarball = await pack();
let failed = 0;
for (const framework of FRAMEWORKS) {
  if (names.length > 0 && !names.includes(framework.name)) continue;
  if (!(await tryFramework(framework, tarball))) failed++;
}
await closeBrowser();
process.exitCode = failed === 0 ? 0 : 1;
