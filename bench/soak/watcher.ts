import { seededRandom } from "../data.js";
import { type Entry, wireText } from "./event.js";
import { Ledger, type Pending } from "./ledger.js";
import { type Actor, between, seedOf, someMicros, type World } from "./world.js";

const FIRST_BEAT = 1_750_000_000_000_000;
const PULSETIME_SECONDS = 60;
/** A bucket with more events is deleted and begun anew. */
const MAX_EVENTS = 4000;

export interface WatcherOptions {
  readonly name: string;
  /** Beats a second. */
  readonly rate: number;
  /** Takes the latency of a beat, in milliseconds. */
  onBeat(latency: number): void;
}

/** A watcher with a bucket of its own: beats in order that merge or not, late ones, and edits in between. */
export class Watcher implements Actor {
  readonly #world: World;
  readonly #options: WatcherOptions;
  readonly #ledger: Ledger;
  readonly #random: () => number;
  #now = FIRST_BEAT;
  /** The event that the next beat extends; none when it is not known for sure. */
  #current: number | undefined;

  constructor(world: World, options: WatcherOptions) {
    this.#world = world;
    this.#options = options;
    this.#ledger = world.add(new Ledger(options.name));
    this.#random = seededRandom(seedOf(options.name, world.seed));
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, client } = this.#world;
    const every = 1000 / this.#options.rate;
    let due = clock.now() + this.#random() * every;
    while (!signal.aborted) {
      await this.#world.rest(due - clock.now(), signal);
      if (signal.aborted) return;
      due = Math.max(due + every, clock.now());
      const isAnswered = this.#ledger.isBlocked || (await this.#step());
      if (isAnswered) continue;
      this.#current = undefined;
      if (client.isEnding) return;
    }
  }

  async #step(): Promise<boolean> {
    const world = this.#world;
    const ledger = this.#ledger;
    if (!ledger.exists) return world.createBucket(ledger);
    if (ledger.size > MAX_EVENTS && !ledger.isBusy) return world.deleteBucket(ledger);
    const chance = this.#random();
    if (chance < 0.02) return world.put(ledger, "insert late", [[undefined, this.#draft(this.#past(), 30)]]);
    const [old] = chance < 0.04 ? ledger.some(1, this.#random) : [];
    if (old === undefined || old.n === this.#current) return this.#beat();
    if (chance < 0.03) return world.deleteEvent(ledger, old);
    const edited = { ...old, edit: old.edit + 1, duration: someMicros(this.#random, 100) };
    return world.put(ledger, "replace", [[old, edited]]);
  }

  async #beat(): Promise<boolean> {
    const random = this.#random;
    this.#now += someMicros(random, 5) + 1;
    const isLate = random() < 0.02;
    const last = this.#current === undefined ? undefined : this.#ledger.get(this.#current);
    const extended = isLate || random() < 0.1 ? undefined : last;
    const fresh = this.#draft(isLate ? this.#past() : this.#now, random() < 0.3 ? 2 : 0);
    const beat: Entry = extended ? { ...extended, timestamp: this.#now, duration: fresh.duration } : fresh;
    const covered = extended && this.#now - extended.timestamp + beat.duration;
    const event = extended ? { ...extended, duration: Math.max(extended.duration, covered ?? 0) } : beat;
    // The server compares the next beat with a late one: only other data make sure that it begins an event.
    this.#current = isLate ? undefined : event.n;
    const { highestId } = this.#world;
    const what = extended ? "beat, merged" : isLate ? "beat, late" : "beat, new event";
    const pending: Pending = { what, changes: [{ before: extended, after: event }], whole: true };
    const path = `/heartbeat?pulsetime=${PULSETIME_SECONDS}`;
    const body = wireText({ ...beat, id: undefined }, this.#ledger.kind);
    const answer = await this.#world.write(this.#ledger, pending, ["POST", path, { body }]);
    if (answer === undefined) return false;
    this.#world.learn(this.#ledger, [JSON.parse(answer.text)], { what, entries: [event], highestId });
    if (answer.latency !== undefined && !this.#world.hurry.aborted) this.#options.onBeat(answer.latency);
    return true;
  }

  /** An instant before everything that the watcher may extend. */
  #past(): number {
    return this.#now - 1_000_000 * between(this.#random, 5_000, 50_000);
  }

  #draft(timestamp: number, mostSeconds: number): Entry {
    const duration = someMicros(this.#random, mostSeconds);
    return { n: this.#world.nextN(), timestamp, duration, edit: 0, id: undefined };
  }
}
