// Starts the built launcher for the client checks, each time on the same data folder when asked to.
import { spawn } from "node:child_process";
import { once } from "node:events";
import readline from "node:readline";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));

/**
 * Starts a server on LevelDB and waits until it listens.
 *
 * @param {{ data: string, port?: number, cli?: string, flags?: string[] }} options port 0, the default, takes a free one
 */
export async function launch({ data, port = 0, cli = CLI, flags = [] }) {
  const args = [cli, "--json", "--port", String(port), "--data", data, "--storage", "leveldb", ...flags];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit").then(([code, signal]) => ({ code, signal }));
  const lines = readline.createInterface({ input: child.stdout });
  const listening = new Promise((resolve, reject) => {
    lines.on("line", (line) => {
      const entry = JSON.parse(line);
      if (entry.event === "listening") resolve(entry);
      if (entry.level === "error" || entry.level === "warn") console.error(`server: ${line}`);
    });
    exited.then(({ code, signal }) => reject(new Error(`the launcher ended (${code ?? signal}) before it listened`)));
  });
  // Whoever stops a server on purpose does not wait for `listening` any more.
  listening.catch(() => undefined);
  const facts = await listening;
  return {
    url: facts.url,
    port: facts.port,
    facts,
    /** Sends the signal and resolves to how the process ended. */
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      return exited;
    },
  };
}
