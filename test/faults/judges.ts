import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { inWorkshop } from "../cli/launcher.js";
import { programOf } from "../program.js";
import { type FileDamage, nameOf } from "./damage.js";
import { assertNone } from "./defects.js";
import { IS_LONG } from "./sizes.js";
import { makeSmallFolder, type SmallFolder } from "./small-folder.js";

/**
 * How a damage was answered:
 *
 * - `right`: everything was read, and is right;
 * - `error`: some reads failed with an error that says damage, the others were right;
 * - `earlier, said`: the log ended early, which is reported; what was read is the state before the first lost write;
 * - `earlier`: so it is, but nothing says so, since the end of the log looks as if a crash had cut it off;
 * - `part, said`: damage is reported, what was read was all stored once, but not all at one moment: segments and records
 *   are newer than what is left of the log;
 * - `refused, salvaged`: the folder was not opened, and what is whole in it was salvaged;
 * - `refused`: so it is, but salvaging was not tried, to save time;
 * - `aborted, ...`: LevelDB ended the process, and the next opening was answered so.
 */
type Answered = "right" | "error" | "earlier, said" | "earlier" | "part, said" | "refused" | "refused, salvaged";

/** What became of a damage, and what is wrong with that. */
export interface Judged {
  readonly verdict: Answered | "wrong";
  readonly detail?: string;
}

/** What a child is asked to judge. It is sent the small folder before its first order. */
export interface Order {
  readonly damage: FileDamage;
  /** The folder to make and to damage. */
  readonly copy: string;
  /** Whether it is there, as a process that was aborted has left it. */
  readonly isAgain: boolean;
  /** Whether to salvage it when it is refused. */
  readonly salvages: boolean;
}

/** A damage to be judged. */
export type Trial = Pick<Order, "damage" | "salvages">;

/** What came of many damages. */
interface Tally {
  readonly counts: Map<string, number>;
  readonly defects: string[];
}

/** To start one takes longer than the few damages of a short test. */
const WORKERS = IS_LONG ? availableParallelism() : 1;

/** Makes a small folder, damages copies of it one by one, prints how each was answered, and fails for wrong answers. */
export async function judgeAll(home: "table" | "log", choose: (small: SmallFolder) => Iterable<Trial>): Promise<void> {
  const tally: Tally = { counts: new Map(), defects: [] };
  await inWorkshop(async (workshop) => {
    const small = await makeSmallFolder(workshop.path("small"), home);
    const trials = choose(small)[Symbol.iterator]();
    const workers = Array.from({ length: WORKERS }, async (_, index) => {
      const judge = new Judge(small, workshop.path(`tried-${index}`));
      try {
        for (let next = trials.next(); !next.done; next = trials.next()) await judge.try(next.value, tally);
      } finally {
        judge.end();
      }
    });
    await Promise.all(workers);
  });
  const counts = [...tally.counts].sort().map(([verdict, count]) => `${count} ${verdict}`);
  console.log(`segments in a ${home}: ${counts.join(", ")}, ${tally.defects.length} wrong`);
  assertNone(tally.defects);
}

/** After which an opening counts as one that never ends, in milliseconds: it takes some tenths of a second. */
const LONGEST = 100_000;

const { file: PROGRAM, execArgv } = programOf(new URL("./judge.ts", import.meta.url));

/** A child process that judges, and is replaced when it is aborted. */
class Judge {
  readonly #small: SmallFolder;
  readonly #copy: string;
  #child: ChildProcess | undefined;

  constructor(small: SmallFolder, copy: string) {
    this.#small = small;
    this.#copy = copy;
  }

  async try(trial: Trial, { counts, defects }: Tally): Promise<void> {
    const first = await this.#ask({ ...trial, isAgain: false });
    const second = first ?? (await this.#ask({ ...trial, salvages: true, isAgain: true }));
    const judged: Judged = second ?? { verdict: "wrong", detail: "aborted again and again" };
    const verdict = first === undefined ? `aborted, ${judged.verdict}` : judged.verdict;
    if (judged.verdict === "wrong") defects.push(`${nameOf(trial.damage)}: ${judged.detail}`);
    else counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    // Whoever judges removes it, unless that ends the process.
    if (first === undefined) await rm(this.#copy, { recursive: true, force: true });
  }

  end(): void {
    this.#child?.kill("SIGKILL");
  }

  /** @returns `undefined` when the process died over it */
  async #ask(trial: Omit<Order, "copy">): Promise<Judged | undefined> {
    this.#child ??= this.#begin();
    const child = this.#child;
    const order: Order = { ...trial, copy: this.#copy };
    const control = new AbortController();
    const { signal } = control;
    try {
      const answered = once(child, "message", { signal }).then(([judged]): Judged => judged);
      const ended = once(child, "exit", { signal }).then(() => undefined);
      for (const each of [answered, ended]) each.catch(() => undefined);
      child.send(order);
      const judged = await Promise.race([answered, ended, this.#neverEnded(child, signal)]);
      if (judged === undefined) this.#child = undefined;
      return judged;
    } finally {
      control.abort();
    }
  }

  #begin(): ChildProcess {
    const child = fork(PROGRAM, { execArgv: [...execArgv], serialization: "advanced", stdio: "ignore" });
    child.send(this.#small);
    return child;
  }

  /** Ends a child that does not respond. The next trial gets another one. */
  async #neverEnded(child: ChildProcess, signal: AbortSignal): Promise<Judged> {
    await sleep(LONGEST, undefined, { signal });
    child.kill("SIGKILL");
    this.#child = undefined;
    return { verdict: "wrong", detail: `neither opened nor refused within ${LONGEST / 1000} s` };
  }
}
