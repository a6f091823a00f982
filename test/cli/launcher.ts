import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import type { ServerFacts } from "../../src/cli/banner.js";
import { checkedFetch } from "../api/answer-check.js";

/** The built launcher. */
export const CLI: string = fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));

/** Says which accounts the machine has: those of `TEST_ACCOUNTS`. */
const ACCOUNTS: string = new URL("accounts.mjs", import.meta.url).href;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Launched {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Resolves with the first line of stdout for which `test` holds. */
  line(test: (text: string) => boolean): Promise<string>;
  /** Resolves with the first line of stderr for which `test` holds. */
  complaint(test: (text: string) => boolean): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** Closes our ends of its output. */
  stopReading(): void;
  /** Everything it has said so far. */
  said(): { readonly stdout: string; readonly stderr: string };
}

export interface Running extends Launched {
  readonly facts: ServerFacts & { readonly event: string };
  readonly url: string;
}

export type Environment = Readonly<Record<string, string>>;

/** Starts launchers. */
export interface Starter {
  /** Starts the launcher. Home and data folder lie in the workshop. */
  spawn(words: readonly string[], env?: Environment, entry?: string): Launched;
  /** Starts it with `--json --port 0` and waits until it listens. */
  start(words?: readonly string[], env?: Environment): Promise<Running>;
  /** Starts it and waits for its end. */
  run(words: readonly string[], env?: Environment, entry?: string): Promise<Ended>;
  /** Runs a command that must succeed. @returns what it prints */
  told(words: readonly string[]): Promise<string>;
}

/** A temporary folder with launchers in it; at the end both are gone, whatever happened. */
export interface Workshop extends Starter {
  readonly folder: string;
  path(name: string): string;
}

/** Starts the built launcher, each in a process of its own: inside.ts takes this one. */
export async function inWorkshop(body: (workshop: Workshop) => Promise<void>): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "activity-cli-")));
  const children: Child[] = [];

  function spawnOne(words: readonly string[], env: Environment = {}, entry: string = CLI): Launched {
    const child = spawn(process.execPath, ["--import", ACCOUNTS, entry, ...words], {
      cwd: folder,
      env: { ...bareEnvironment(folder), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(child);
    return {
      ...watch(child, once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>),
      pid: child.pid ?? -1,
      kill: (signal) => child.kill(signal),
    };
  }

  try {
    await body({ folder, path: (name) => join(folder, name), ...starterOf(spawnOne) });
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, "exit")));
    await rm(folder, { recursive: true, force: true });
  }
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** All that can be made of starting one. */
export function starterOf(spawnOne: Starter["spawn"]): Starter {
  return {
    spawn: spawnOne,
    async start(words = [], env = {}) {
      const launched = spawnOne(["--json", "--port", "0", ...words], env);
      const facts = JSON.parse(await launched.line((text) => text.includes('"event":"listening"')));
      return { ...launched, facts, url: facts.url };
    },
    run: async (words, env, entry) => await spawnOne(words, env, entry).ended,
    async told(words) {
      const { code, stdout, stderr } = await spawnOne(words).ended;
      assert.is(code, 0, `${words.join(" ")}: ${stderr}`);
      return stdout;
    },
  };
}

/** Ends one as a service manager does. */
export function stopped({ kill, ended }: Launched): Promise<Ended> {
  kill("SIGTERM");
  return ended;
}

/** The lines of JSON that a command has printed. */
export function jsonLines(text: string): Record<string, unknown>[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The environment of this process without what would change the launcher: its own variables, npm's, colours. */
export function bareEnvironment(home: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(ACTIVITY_SERVER_|npm_|XDG_|NODE_ENV$)/.test(name));
  return { ...Object.fromEntries(kept), HOME: home, USERPROFILE: home, LOCALAPPDATA: home };
}

/** Keeps what it says. @param closed resolves with exit code and signal when it has ended, and all is read */
export function watch(
  output: Pick<Child, "stdout" | "stderr">,
  closed: Promise<readonly [code: number | null, signal: NodeJS.Signals | null]>,
): Omit<Launched, "pid" | "kill"> {
  let stdout = "";
  let stderr = "";
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const check of waiting) check();
  };
  output.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    wake();
  });
  output.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    wake();
  });
  const ended = closed.then(([code, signal]): Ended => {
    wake();
    return { code, signal, stdout, stderr };
  });

  function find(read: () => string, test: (text: string) => boolean): Promise<string> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const found = read().split("\n").slice(0, -1).find(test);
        if (found !== undefined) resolve(found);
      };
      waiting.add(check);
      check();
      void ended.then((end) => reject(new Error(`it ended (${end.code}) without that line:\n${stdout}${stderr}`)));
    });
  }

  return {
    ended,
    line: (test) => find(() => stdout, test),
    complaint: (test) => find(() => stderr, test),
    stopReading() {
      output.stdout.destroy();
      output.stderr.destroy();
    },
    said: () => ({ stdout, stderr }),
  };
}

/** A request with JSON in and out; an answer that the OpenAPI document does not allow fails the test. */
export async function call(
  url: string,
  method = "GET",
  body?: unknown,
  headers: Environment = {},
): Promise<{ status: number; body: unknown }> {
  const response = await checkedFetch(url, {
    method,
    headers: body === undefined ? headers : { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}
