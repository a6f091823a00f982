// Programs that serve until they are ended, in a folder of their own.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { inTime } from "../harness.js";

/** How a program ended, and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that has printed a URL. */
export interface Running {
  /** The first URL that it printed. */
  readonly url: string;
  /** Ends it like a service manager does. */
  terminate(): Promise<Ended>;
}

/** Starts a program on a free port and waits for the URL that it prints. It is gone after the body. */
export async function whileRunning(
  folder: string,
  program: string,
  body: (running: Running) => Promise<void>,
): Promise<void> {
  const child = start(folder, program);
  try {
    const url = await inTime(urlOf(child), `the URL of ${program}`);
    await body({
      url,
      terminate() {
        child.process.kill("SIGTERM");
        return inTime(child.ended, `the end of ${program}`);
      },
    });
  } finally {
    if (child.process.exitCode === null && child.process.signalCode === null) {
      child.process.kill("SIGKILL");
      await child.ended;
    }
  }
}

/** Runs a program that ends by itself. */
export function run(folder: string, program: string): Promise<Ended> {
  return inTime(start(folder, program).ended, program);
}

interface Child {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  said(): string;
}

function start(folder: string, program: string): Child {
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: { ...process.env, PORT: "0", WATCHER_TOKEN: "a-token" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  const ended = once(child, "close").then(([code]) => ({ code, stdout, stderr }));
  return { process: child, ended, said: () => stdout };
}

async function urlOf({ process: { stdout }, ended, said }: Child): Promise<string> {
  const end = ended.then(({ code, stderr }) => {
    throw new Error(`it ended with ${code} without a URL: ${stderr}`);
  });
  // Who has a URL does not care how it ends.
  end.catch(() => undefined);
  for (;;) {
    const [, url] = /(http:\/\/[\w.:/-]+)[^\n]*\n/.exec(said()) ?? [];
    if (url !== undefined) return url;
    if (stdout === null) throw new Error("its output cannot be read");
    await Promise.race([once(stdout, "data"), end]);
  }
}
