import { intOf } from "../contract/case.js";
import { type Api, outcomeOf } from "./api.js";
import {
  bucketIds,
  difference,
  type Entries,
  type Entry,
  entriesOf,
  fromWire,
  type IdRegister,
  listOf,
  toWire,
} from "./ledger.js";

/** Is told of every state that a bucket or the settings may have, before and when it is acknowledged. */
export interface Observer {
  sent(subject: string, state: ReadonlyMap<unknown, unknown> | null): void;
  acknowledged(subject: string): void;
}

/** What all kinds of load have in common. */
export interface LoadOptions {
  readonly random: () => number;
  readonly ids: IdRegister;
  readonly observer?: Observer;
  /** Names that no other event has. */
  nextN(): number;
}

/** One writer: a request, its answer, the next request. */
export interface Load {
  /** Makes a request, or a few. @returns whether the server is alive */
  step(api: Api): Promise<boolean>;
  /** Compares what is there with what was acknowledged; a request in doubt counts wholly or not at all. */
  verify(api: Api): Promise<string | undefined>;
}

/** Writes until the server dies. */
export async function writeOn(load: Load, api: Api): Promise<void> {
  while (await load.step(api));
}

const START = 1_700_000_000_000_000;
const SECOND = 1_000_000;
/** With so many states that are possible, a load waits until it is verified. */
const MAX_CANDIDATES = 32;

type Content = Entries | null;
/** What a request makes of a bucket. */
type Change = (content: Content) => Content;
type Request = readonly [method: string, path: string, body?: unknown];

/** A load on one bucket. */
abstract class BucketLoad implements Load {
  readonly bucketId: string;
  protected readonly options: LoadOptions;
  /** What the bucket may hold. The first one knows of no request that is in doubt. */
  #candidates: readonly Content[] = [null];

  constructor(bucketId: string, options: LoadOptions) {
    this.bucketId = bucketId;
    this.options = options;
  }

  abstract step(api: Api): Promise<boolean>;

  protected get entries(): Content {
    return this.#candidates[0] ?? null;
  }

  /** @returns the body of an acknowledgement; `dead` for a server that is not there any more */
  protected async request(api: Api, change: Change, request: Request): Promise<{ body: unknown } | "dead" | "refused"> {
    if (this.#candidates.length > MAX_CANDIDATES) return "refused";
    const { observer } = this.options;
    const [method, path, body] = request;
    observer?.sent(this.bucketId, change(this.entries));
    const answer = await api.request(method, `buckets/${this.bucketId}${path}`, body);
    switch (outcomeOf(answer)) {
      case "stored":
        observer?.acknowledged(this.bucketId);
        this.#candidates = distinct(this.#candidates.map(change));
        return { body: answer?.body };
      case "doubt":
        this.#candidates = distinct([...this.#candidates, ...this.#candidates.map(change)]);
        return answer === undefined ? "dead" : "refused";
      case "refused":
        return "refused";
      default:
        // The doubt goes on: what is there now need not be what a reopening finds.
        if (this.#candidates.length > 1) return "refused";
        throw new Error(`${method} ${this.bucketId}${path}: ${JSON.stringify(answer)}`);
    }
  }

  protected async create(api: Api): Promise<boolean> {
    const body = { type: "load", client: "faults", hostname: "test" };
    return (await this.request(api, (content) => content ?? new Map(), ["POST", "", body])) !== "dead";
  }

  /** Takes over ids that the server has given. */
  protected learn(answers: readonly unknown[]): void {
    const told = answers.map(fromWire);
    for (const { id, n } of told) this.options.ids.claim(this.bucketId, id ?? Number.NaN, n);
    this.#candidates = this.#candidates.map((content) => {
      const entries = new Map(content);
      for (const entry of told) {
        const defect = difference(new Map([[entry.n, entry]]), new Map(partOf(entries, entry.n)));
        if (defect !== undefined) throw new Error(`${this.bucketId}: the answer differs: ${defect}`);
        entries.set(entry.n, entry);
      }
      return entries;
    });
  }

  async verify(api: Api): Promise<string | undefined> {
    const found = (await bucketIds(api)).includes(this.bucketId) ? await entriesOf(api, this.bucketId) : null;
    const defects = this.#candidates.map((expected) => difference(found, expected));
    for (const { id, n } of found?.values() ?? []) this.options.ids.claim(this.bucketId, id ?? Number.NaN, n);
    this.#candidates = [found];
    return defects.includes(undefined) ? undefined : `${this.bucketId}: ${[...new Set(defects)].join("; or: ")}`;
  }

  /** What was read while the server lives is one of the states that are possible; which one stays open. */
  async compare(api: Api): Promise<string | undefined> {
    const before = this.#candidates;
    const defect = await this.verify(api);
    this.#candidates = before;
    return defect;
  }
}

function partOf(entries: Entries, n: number): [number, Entry][] {
  const entry = entries.get(n);
  return entry === undefined ? [] : [[n, entry]];
}

function distinct(contents: readonly Content[]): Content[] {
  const kept: Content[] = [];
  for (const content of contents) {
    if (!kept.some((other) => other === content || difference(other, content) === undefined)) kept.push(content);
  }
  return kept;
}

/** Puts entries into whatever the bucket holds. */
function putting(entries: readonly Entry[]): Change {
  return (content) => {
    const changed = new Map(content);
    for (const entry of entries) changed.set(entry.n, entry);
    return changed;
  };
}

/** A watcher: beats in order, now and then a late one. */
export class HeartbeatLoad extends BucketLoad {
  #now = START;
  #current: Entry | undefined;

  async step(api: Api): Promise<boolean> {
    if (this.entries === null) return this.create(api);
    const { random } = this.options;
    this.#now += intOf(random, 1, 3) * SECOND;
    const late = random() < 0.03 ? intOf(random, 100, 5_000) * SECOND : 0;
    // The event to extend may be lost in doubt: then the beat begins a new one.
    const last = this.#current && this.entries.get(this.#current.n);
    const extends_ = last !== undefined && late === 0 && random() > 0.08;
    const n = extends_ ? last.n : this.options.nextN();
    const beat: Entry = { n, timestamp: this.#now - late, duration: 0 };
    const event = extends_ ? { ...last, duration: this.#now - last.timestamp } : beat;
    this.#current = late === 0 ? event : undefined;
    const answer = await this.request(api, putting([event]), ["POST", "/heartbeat?pulsetime=60", toWire(beat)]);
    if (typeof answer === "string") this.#current = undefined;
    else this.learn([answer.body]);
    return answer !== "dead";
  }
}

/** How large the inserts of a bulk load are. */
export interface BulkSizes {
  /** Most events of a usual insert. */
  readonly usual: number;
  /** Most events of a large one. */
  readonly large: number;
  /** Share of large ones. */
  readonly share: number;
}

/** Inserts of all sizes, in order and late, edits and deletions of single events. */
export class BulkLoad extends BucketLoad {
  #now = START;
  readonly #sizes: BulkSizes;

  constructor(bucketId: string, options: LoadOptions, sizes: BulkSizes = { usual: 12, large: 1_200, share: 0.03 }) {
    super(bucketId, options);
    this.#sizes = sizes;
  }

  async step(api: Api): Promise<boolean> {
    if (this.entries === null) return this.create(api);
    const { random } = this.options;
    const kind = random();
    if (kind < 0.1 && this.entries.size > 0) return this.#remove(api, this.entries);
    const edited = kind < 0.3 ? this.#some(this.entries) : [];
    const { usual, large, share } = this.#sizes;
    const size =
      random() < share ? intOf(random, large >> 2, large) : intOf(random, edited.length === 0 ? 1 : 0, usual);
    const fresh = Array.from({ length: size }, (): Entry => {
      this.#now += SECOND;
      const late = random() < 0.4 ? intOf(random, 0, 20_000) * SECOND : 0;
      return { n: this.options.nextN(), timestamp: this.#now - late, duration: intOf(random, 0, 90) * SECOND };
    });
    const drafts = [...edited, ...fresh];
    const answer = await this.request(api, putting(drafts), ["POST", "/events", drafts.map(toWire)]);
    if (typeof answer !== "string") this.learn(listOf(answer.body));
    return answer !== "dead";
  }

  async #remove(api: Api, entries: Entries): Promise<boolean> {
    const [entry] = this.#some(entries);
    if (entry?.id === undefined) return true;
    const removing: Change = (content) => new Map([...(content ?? [])].filter(([n]) => n !== entry.n));
    return (await this.request(api, removing, ["DELETE", `/events/${entry.id}`])) !== "dead";
  }

  /** A few events, moved in time. */
  #some(entries: Entries): Entry[] {
    const { random } = this.options;
    const all = [...entries.values()];
    const picked = Array.from({ length: intOf(random, 1, 3) }, () => all[intOf(random, 0, all.length - 1)]);
    return [...new Set(picked)].flatMap((entry) => {
      if (entry?.id === undefined) return [];
      const moved = random() < 0.5 ? entry.timestamp + intOf(random, -500, 500) * SECOND : entry.timestamp;
      return [{ ...entry, timestamp: moved, duration: intOf(random, 0, 400) * SECOND }];
    });
  }
}

/** A bucket that is made, filled, deleted and made again. */
export class ShortLivedLoad extends BucketLoad {
  async step(api: Api): Promise<boolean> {
    if (this.entries === null) return this.create(api);
    const { random } = this.options;
    if (this.entries.size > 0 && random() < 0.5) {
      return (await this.request(api, () => null, ["DELETE", "?force=1"])) !== "dead";
    }
    const drafts = Array.from({ length: intOf(random, 1, 300) }, (_, index): Entry => {
      return { n: this.options.nextN(), timestamp: START + index * SECOND, duration: SECOND };
    });
    const answer = await this.request(api, putting(drafts), ["POST", "/events", drafts.map(toWire)]);
    if (typeof answer !== "string") this.learn(listOf(answer.body));
    return answer !== "dead";
  }
}
