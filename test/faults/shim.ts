import { execFile } from "node:child_process";
import { existsSync, rmSync, statSync } from "node:fs";
import { type FileHandle, open, writeFile } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** What can be made to fail: the operations of shim.c in the order of its `enum kind`. */
export const OPERATIONS = [
  "write",
  "sync",
  "create",
  "open",
  "rename",
  "link",
  "unlink",
  "truncate",
  "mkdir",
  "syncFolder",
  "read",
] as const;

/** An operation on a file or folder. */
export type Operation = (typeof OPERATIONS)[number];

/** What happens to an operation, in the order of `enum action`. */
const ACTIONS = ["fail", "tear", "kill", "tear and kill"] as const;

/** A fault to be injected. */
export interface Fault {
  readonly operations: readonly Operation[];
  /** The first matching operation that fails. @default 1 */
  readonly first?: number;
  /** How many of them fail. @default all from the first one on */
  readonly times?: number;
  /** @default "EIO" */
  readonly error?: "EIO" | "ENOSPC" | "EFBIG" | "EDQUOT";
  /**
   * `fail`: nothing of it is done; `tear`: half of the bytes of a write are; `kill`: the process ends instead;
   * `tear and kill`: half of the bytes are written, then the process ends. @default "fail"
   */
  readonly action?: (typeof ACTIONS)[number];
  /** Part of the paths concerned. @default all paths */
  readonly path?: string;
}

/** A trace of file operations, which grows while the program runs. */
export interface TraceFile {
  readonly file: string;
  /** Bytes that it has now: a place in the course of things. */
  mark(): number;
}

const SIZE = 512;
const FILTER_AT = 64;

/** Stands between a program and its folder. */
export class Shim {
  /** To be given to the program. */
  readonly env: Readonly<Record<string, string>>;
  readonly trace: TraceFile;
  readonly #control: FileHandle;

  private constructor(control: FileHandle, trace: string, env: Readonly<Record<string, string>>) {
    this.#control = control;
    this.env = env;
    this.trace = { file: trace, mark: () => (existsSync(trace) ? statSync(trace).size : 0) };
  }

  /**
   * @param folder whose paths are watched; absolute, without symbolic links
   * @param beside an existing folder outside of it, for control file and trace
   */
  static async over(folder: string, beside: string): Promise<Shim> {
    const library = await compiled();
    const name = join(beside, "control");
    const trace = join(beside, "trace");
    await writeFile(name, new Uint8Array(SIZE));
    const control = await open(name, "r+");
    const shim = new Shim(control, trace, {
      LD_PRELOAD: library,
      FAULTS_FOLDER: folder,
      FAULTS_CONTROL: name,
      FAULTS_TRACE: trace,
      UV_USE_IO_URING: "0",
    });
    await shim.tellFree(undefined);
    return shim;
  }

  /** From now on, this goes wrong. The count begins anew. */
  async inject({ operations, first = 1, times = -1, error = "EIO", action = "fail", path = "" }: Fault): Promise<void> {
    await this.heal();
    const kinds = operations.reduce((bits, operation) => bits | (1 << OPERATIONS.indexOf(operation)), 0);
    await this.#control.write(Buffer.from(`${path}\0`), 0, path.length + 1, FILTER_AT);
    await this.#set(48, 0, 0);
    await this.#set(4, kinds, first, times, constants.errno[error], ACTIONS.indexOf(action));
    await this.#set(0, 1);
  }

  /** From now on, these take so much longer; none of them fails. */
  async slow(operations: readonly Operation[], micros: number): Promise<void> {
    await this.inject({ operations, times: 0 });
    await this.#set(24, micros);
  }

  /** Nothing is injected any more. */
  async heal(): Promise<void> {
    await this.#set(0, 0);
    await this.#set(24, 0);
  }

  /** Files may grow by so many bytes from now on, and by what deletions free; `undefined`: without limit. */
  async limitSpace(bytes: number | undefined): Promise<void> {
    const buffer = Buffer.alloc(8);
    buffer.writeBigInt64LE(BigInt(bytes ?? 0));
    await this.#set(28, 0);
    await this.#control.write(buffer, 0, 8, 32);
    if (bytes !== undefined) await this.#set(28, 1);
  }

  /** What the program is told of the free space of the file system; `undefined`: the truth. */
  async tellFree(bytes: number | undefined): Promise<void> {
    const buffer = Buffer.alloc(8);
    buffer.writeBigInt64LE(BigInt(bytes ?? -1));
    await this.#control.write(buffer, 0, 8, 40);
  }

  /** What was counted since the last fault was injected; `total` since the beginning. */
  async counts(): Promise<{ readonly seen: number; readonly failed: number; readonly total: number }> {
    const buffer = Buffer.alloc(12);
    await this.#control.read(buffer, 0, 12, 48);
    return { seen: buffer.readInt32LE(0), failed: buffer.readInt32LE(4), total: buffer.readInt32LE(8) };
  }

  async close(): Promise<void> {
    await this.#control.close();
  }

  async #set(at: number, ...values: readonly number[]): Promise<void> {
    const buffer = Buffer.alloc(4 * values.length);
    for (const [index, value] of values.entries()) buffer.writeInt32LE(value, 4 * index);
    await this.#control.write(buffer, 0, buffer.length, at);
  }
}

const run = promisify(execFile);
let library: Promise<string> | undefined;

/** The compiled library, made once in a process. */
function compiled(): Promise<string> {
  library ??= compile();
  return library;
}

async function compile(): Promise<string> {
  const file = join(tmpdir(), `activity-faults-${process.pid}.so`);
  const source = fileURLToPath(new URL("./shim.c", import.meta.url));
  await run("cc", ["-shared", "-fPIC", "-O1", "-o", file, source, "-ldl", "-lpthread"]);
  process.once("exit", () => rmSync(file, { force: true }));
  return file;
}

/**
 * Whether this platform can inject faults: Linux with a C compiler. Where it cannot, tests that need it are left out
 * with a message, but not in continuous integration.
 *
 * @throws Error in continuous integration on a platform that cannot
 */
export async function canInject(): Promise<boolean> {
  const reason =
    process.platform === "linux"
      ? await compiled().then(
          () => undefined,
          (error: Error) => error.message,
        )
      : `the platform is ${process.platform}`;
  if (reason === undefined) return true;
  if (process.env["CI"] === "true") throw new Error(`faults cannot be injected: ${reason}`);
  console.log(`left out, faults cannot be injected here: ${reason}`);
  return false;
}
