// An example as a project of its own, with the packed package: what somebody has who follows the documentation.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const COMMAND_MILLIS = 10 * 60_000;

/** Runs work with the path of this project's tarball, which is removed afterwards. */
export async function withTarball(work) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "activity-server-pack-"));
  try {
    await run(["npm", "pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder], { cwd: ROOT });
    return await work(path.join(folder, fs.readdirSync(folder)[0]));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies an example and installs what it names. A failure removes the copy. */
export async function createProject(framework, tarball) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `activity-server-${framework.name}-`));
  const remove = () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    return { ...(await fillProject(framework, tarball, folder)), folder, remove };
  } catch (error) {
    if (process.env.KEEP_PROJECTS === undefined) remove();
    throw error;
  }
}

async function fillProject(framework, tarball, folder) {
  const copied = { recursive: true, filter: (name) => !name.includes("node_modules") };
  fs.cpSync(path.join(ROOT, "docs/examples", framework.example), folder, copied);
  const manifestPath = path.join(folder, "package.json");
  const manifest = JSON.parse(fs.readFileSync(manifestPath, "utf8"));
  manifest.dependencies["activity-server"] = `file:${tarball}`;
  if (framework.node !== undefined) manifest.devDependencies = { ...manifest.devDependencies, node: framework.node };
  fs.writeFileSync(manifestPath, JSON.stringify(manifest, null, 2));
  const env = environmentOf(framework, folder);
  const install = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"];
  // A registry may fail once; what it is asked for is not what is tried here.
  await run(install, { cwd: folder, env: process.env }).catch(() => run(install, { cwd: folder, env: process.env }));
  for (const command of framework.build) await run(command, { cwd: folder, env });
  const node = (await run(["node", "--version"], { cwd: folder, env })).trim().slice(1);
  const installed = path.join(folder, "node_modules", framework.package, "package.json");
  return {
    env,
    node,
    version: fs.existsSync(installed) ? JSON.parse(fs.readFileSync(installed, "utf8")).version : "?",
  };
}

/** Programs of the project come first, its own Node among them. Nothing says CI: frameworks behave differently then. */
function environmentOf(framework, folder) {
  const { CI, NODE_ENV, TEST_LONG, ...env } = process.env;
  return {
    ...env,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    NUXT_TELEMETRY_DISABLED: "1",
    ASTRO_TELEMETRY_DISABLED: "1",
    HOST: "127.0.0.1",
    PATH: `${path.join(folder, "node_modules/.bin")}${path.delimiter}${env.PATH}`,
    ...framework.env,
  };
}

/** Runs a command to its end. @throws Error with all that it printed when it fails */
export function run([program, ...args], options) {
  return new Promise((resolve, reject) => {
    let output = "";
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"], timeout: COMMAND_MILLIS });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ${args.join(" ")}: ${signal ?? `exit code ${code}`}\n${output}`));
    });
  });
}
