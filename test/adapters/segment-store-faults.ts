import * as assert from "uvu/assert";
import type { Commit, SegmentStore } from "../../adapters/segments/store.js";
import { sizeOf } from "../faults/sizes.js";
import { type Change, type Content, commitOf, contentOf, copyOf, emptyContent } from "./segment-store.js";

/** What a store lies on, and how that can be made to fail. */
export interface FaultyGround {
  store(): SegmentStore;
  /** Lets a call that is to come fail; 1 is the next one. */
  failCall(count: number): void;
  /** Whether a call was made to fail. */
  readonly hasFailed: boolean;
  /** From here on nothing fails, and what a dead process sent off has arrived. */
  repair(): void;
}

/** What happens behind the failure. */
export type Sequel = "goes on" | "closes" | "dies";

type Step = { readonly append: string } | { readonly begin: true } | { readonly commit: Change };

const LONG = "x".repeat(300_000);

/** Every kind of change, with short and long batches. */
const SCRIPT: readonly Step[] = [
  { begin: true },
  { append: "first" },
  { append: "second" },
  { commit: { records: { a: "1" } } },
  { append: LONG },
  { append: "third" },
  { commit: { records: { b: "2" }, put: { "1/1": "one", "1/2": "two", "2/1": "three" } } },
  { append: "fourth" },
  { begin: true },
  { append: "fifth" },
  { commit: { records: { a: undefined }, put: { "1/3": "four" }, deleteEntries: ["1/1", "2/1"] } },
  { commit: { drop: ["1/1", "2/1"] } },
  { append: "y".repeat(5_000) },
  { append: "sixth" },
  { commit: { deleteEntries: ["1/2", "1/3"], drop: ["1/2", "1/3"] } },
  { commit: { put: { "1/4": "five" } } },
  { begin: true },
  { append: "seventh" },
];
const NAMES = ["1/1", "1/2", "1/3", "1/4", "2/1"];

/** Of so many calls one fails. */
const EVERY = sizeOf("EVERY_STORE_CALL", { short: 5, long: 1 });

/**
 * Plays the script with a call failing, each in a run of its own.
 *
 * @param turn another one begins with another call
 * @returns how many calls there were, or up to `EVERY` - 1 more
 */
export async function playStoreFaults(newGround: () => FaultyGround, sequel: Sequel, turn: number): Promise<number> {
  for (let call = 1 + (turn % EVERY); ; call += EVERY) {
    const player = new Player(newGround(), sequel);
    try {
      if (!(await player.play(call))) return call - 1;
    } catch (cause) {
      throw new Error(`call ${call}, ${player.when}: ${cause instanceof Error ? cause.message : cause}`, { cause });
    }
  }
}

class Player {
  readonly #ground: FaultyGround;
  readonly #sequel: Sequel;
  #store: SegmentStore;
  /** What was acknowledged. */
  #content: Content = emptyContent();
  /** What there is besides if the call that was refused has taken effect. */
  #other: Content | undefined;
  #sequence = 0;
  #commits = 0;
  when = "opening";

  constructor(ground: FaultyGround, sequel: Sequel) {
    this.#ground = ground;
    this.#sequel = sequel;
    this.#store = ground.store();
  }

  async play(call: number): Promise<boolean> {
    this.#ground.failCall(call);
    await this.#open();
    for (const [index, step] of SCRIPT.entries()) {
      this.when = `step ${index}, ${Object.keys(step)}`;
      if (await this.#take(step)) break;
    }
    const { hasFailed } = this.#ground;
    if (this.#sequel !== "dies") await this.#store.close();
    this.#ground.repair();
    await this.#expectKept();
    return hasFailed;
  }

  async #open(): Promise<void> {
    try {
      await this.#store.open();
    } catch (thrown) {
      assert.ok(this.#ground.hasFailed, String(thrown));
      this.#ground.repair();
      this.#store = this.#ground.store();
      await this.#store.open();
    }
  }

  /** @returns whether the script ends here */
  async #take(step: Step): Promise<boolean> {
    const { after, make } = this.#prepared(step);
    try {
      await make();
      this.#content = after;
      return false;
    } catch (thrown) {
      assert.ok(this.#ground.hasFailed, String(thrown));
    }
    if (this.#sequel === "dies") this.#other = after;
    if (this.#sequel !== "goes on") return true;
    if ("commit" in step) await this.#recover(after);
    else await this.#beginAnew();
    return this.#content === after ? false : this.#take(step);
  }

  #prepared(step: Step): { after: Content; make: () => void | Promise<void> } {
    const after = copyOf(this.#content);
    if ("commit" in step) {
      const made: { commit: Commit; after: Content } = commitOf(this.#commits + 1, this.#content, step.commit);
      this.#commits++;
      return { after: made.after, make: () => this.#store.commit(made.commit) };
    }
    const sequence = ++this.#sequence;
    if ("begin" in step) {
      after.log = `snapshot of ${this.#content.log.length}`;
      return { after, make: () => this.#store.beginLog({ sequence, text: after.log }) };
    }
    after.log = `${this.#content.log}\n${step.append}`;
    return { after, make: () => this.#store.append({ sequence, text: step.append }) };
  }

  async #recover(after: Content): Promise<void> {
    const number = await this.#store.recover();
    assert.ok(number === this.#commits || number === this.#commits - 1, `recovered commit ${number}`);
    if (number === this.#commits) this.#content = after;
    this.#commits = number;
  }

  async #beginAnew(): Promise<void> {
    await this.#store.beginLog({ sequence: ++this.#sequence, text: this.#content.log });
  }

  async #expectKept(): Promise<void> {
    // Opened twice: an opening must not change what the next one finds.
    for (let opening = 1; opening <= 2; opening++) {
      const store = this.#ground.store();
      const opened = await store.open();
      const found = await contentOf(store, opened, NAMES);
      const isOther = this.#other !== undefined && same(found, this.#other);
      if (!isOther) assert.equal(found, withoutLoose(this.#content), `opening ${opening}`);
      else this.#content = this.#other as Content;
      this.#other = undefined;
      assert.equal(opened.problems(), []);
      await store.close();
    }
  }
}

function same(found: Content, expected: Content): boolean {
  try {
    assert.equal(found, withoutLoose(expected));
    return true;
  } catch {
    return false;
  }
}

/** Segments without an entry may be gone when a store is opened again. */
function withoutLoose(content: Content): Content {
  const copy = copyOf(content);
  for (const name of content.segments.keys()) if (!content.entries.has(name)) copy.segments.delete(name);
  return copy;
}
