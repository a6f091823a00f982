// Commands of the runner. Each has a process group of its own, so that nothing it started outlives it.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { countCpu } from "./cpu.mjs";
import { ROOT, SCRATCH } from "./places.mjs";

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what starts a colour code
const ANSI = /\u001b\[[0-9;]*m/g;

/** Process groups under way, to be ended with the runner. */
const running = new Set();
let outputs = 0;

function killGroup(child) {
  try {
    if (process.platform === "win32") spawnSync("taskkill", ["/pid", String(child.pid), "/t", "/f"]);
    else process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

export function killAll() {
  for (const child of running) killGroup(child);
}

/** What a process has printed. A file, so that what it prints before a crash is there, in the order of printing. */
class Output {
  #file = path.join(SCRATCH, `output-${++outputs}`);
  fd = fs.openSync(this.#file, "a+");

  text(from = 0, to = fs.fstatSync(this.fd).size) {
    const bytes = Buffer.alloc(Math.max(0, to - from));
    fs.readSync(this.fd, bytes, 0, bytes.length, from);
    return bytes.toString().replace(ANSI, "");
  }

  end() {
    fs.closeSync(this.fd);
    fs.rmSync(this.#file, { force: true });
  }
}

/**
 * Starts a command.
 *
 * @param onLine is called with each line that it writes to file descriptor 3
 * @returns `output`; `kill`; `cpu`, which tells the seconds of the processor so far; and `ended`, which resolves with
 * `code` and `signal`
 */
export function start([command, args], { shell = false, env = process.env, onLine } = {}) {
  const output = new Output();
  const stdio = ["ignore", output.fd, output.fd, ...(onLine ? ["pipe"] : [])];
  const child = spawn(command, args, { cwd: ROOT, env, shell, detached: process.platform !== "win32", stdio });
  running.add(child);
  const counted = countCpu(child.pid);
  let rest = "";
  child.stdio[3]?.setEncoding("utf8").on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) onLine(line);
  });
  child.on("exit", () => killGroup(child));
  let cpu;
  const ended = new Promise((resolve) => {
    child.on("error", (error) => {
      fs.writeSync(output.fd, `${error.message}\n`);
      resolve({ code: null, signal: error.code });
    });
    child.on("close", (code, signal) => {
      running.delete(child);
      cpu = counted.seconds();
      counted.end();
      resolve({ code, signal });
    });
  });
  return { output, ended, kill: () => killGroup(child), cpu: () => cpu ?? counted.seconds() };
}
