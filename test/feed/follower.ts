import { isDeepStrictEqual } from "node:util";

/** A message of the feed, in any of its forms. */
export interface FollowedMessage {
  readonly type: string;
  readonly action?: string;
  readonly bucket?: string;
  readonly from?: string;
  readonly ids?: readonly number[];
  readonly event?: { readonly id: number };
}

/** How a follower reads what it has to read again. */
export interface Readings {
  /** The IDs of all buckets. */
  list(): Promise<readonly string[]>;
  /** All events of a bucket; `undefined` if there is no such bucket. */
  events(bucketId: string): Promise<readonly { readonly id: number }[] | undefined>;
}

/** All events as somebody has them who follows the feed. */
export class Follower {
  readonly buckets: Map<string, Map<number, object>> = new Map();
  /** How often it had to read everything. */
  resets = 0;
  readonly #read: Readings;

  constructor(read: Readings) {
    this.#read = read;
  }

  async take(message: FollowedMessage): Promise<void> {
    const { type, action, bucket = "", from = "", event, ids = [] } = message;
    if (type === "reset") await this.#reset();
    else if (event !== undefined) this.#in(bucket).set(event.id, event);
    else if (type === "events" && action === "deleted") for (const id of ids) this.#in(bucket).delete(id);
    else if (type === "events") await this.#reread(bucket);
    else if (action === "created") this.buckets.set(bucket, new Map());
    else if (action === "deleted") this.buckets.delete(bucket);
    else if (action === "renamed") {
      this.buckets.set(bucket, this.#in(from));
      this.buckets.delete(from);
    } else if (action === "merged") this.buckets.delete(from);
  }

  /** Whether it has the same events as another one, or as the server. */
  equals(other: Pick<Follower, "buckets">): boolean {
    return isDeepStrictEqual(sorted(this.buckets), sorted(other.buckets));
  }

  async #reset(): Promise<void> {
    this.resets++;
    this.buckets.clear();
    for (const id of await this.#read.list()) await this.#reread(id);
  }

  async #reread(bucketId: string): Promise<void> {
    const events = await this.#read.events(bucketId);
    if (events === undefined) this.buckets.delete(bucketId);
    else this.buckets.set(bucketId, new Map(events.map((event) => [event.id, event])));
  }

  #in(bucketId: string): Map<number, object> {
    const known = this.buckets.get(bucketId) ?? new Map<number, object>();
    this.buckets.set(bucketId, known);
    return known;
  }
}

function sorted(buckets: Follower["buckets"]): unknown {
  const entries = Array.from(buckets, ([id, events]) => [id, [...events].sort(([a], [b]) => a - b)] as const);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}
