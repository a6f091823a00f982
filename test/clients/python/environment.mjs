// A throw-away Python environment with the client from PyPI. The configuration of the user is neither read nor written.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";

function run(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (error || status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${error ?? stdout + stderr}`);
  return stdout.trim();
}

/** Our environment with another home, and without what would lead the client elsewhere. */
function homeEnvironment(home) {
  const kept = Object.entries(process.env).filter(([name]) => !/^XDG_|_proxy$|^AW_/i.test(name));
  return { ...Object.fromEntries(kept), HOME: home, USERPROFILE: home, LOCALAPPDATA: home, APPDATA: home };
}

/**
 * Makes the environment, or takes the one that `venv` names.
 *
 * @param {{ folder: string, version?: string, venv?: string }} options `version` of aw-client; default: the newest
 */
export function preparePython({ folder, version, venv = path.join(folder, "venv") }) {
  const python = path.join(venv, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  if (!fs.existsSync(python)) {
    run(process.platform === "win32" ? "python" : "python3", ["-m", "venv", venv]);
    const wanted = version === undefined ? "aw-client" : `aw-client==${version}`;
    run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", wanted]);
  }
  const readVersion = "import importlib.metadata as m; print(m.version('aw-client'))";
  return {
    clientVersion: run(python, ["-c", readVersion]),
    /** Starts a script; stdin and stdout are pipes. */
    start(script, args) {
      // A home for each: clients that start at the same moment quarrel about who makes the folder of their queue.
      const env = homeEnvironment(fs.mkdtempSync(path.join(folder, "home-")));
      const child = spawn(python, ["-B", "-u", script, ...args], { env, stdio: ["pipe", "pipe", "inherit"] });
      return { child, exited: once(child, "close").then(([code, signal]) => ({ code, signal })) };
    },
  };
}
