import { isDeepStrictEqual } from "node:util";
import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import { bucketOf, idsOf } from "../contract/case.js";
import { Reference } from "../contract/reference.js";
import { documentOf, type ReadRange } from "./doors.js";
import type { DoorName, Ground, Opened } from "./grounds.js";
import { BUCKETS, draftsOf, type Range, type Step, selected, timeOf } from "./steps.js";

/** A server did not return what the model has. */
export class Difference extends Error {}

const SECOND = 1_000_000;
/** A step that takes longer counts as hanging. */
const LONGEST_MILLIS = 120_000;
/** Most events of a bucket that a comparison asks for by their ids. */
const LOOKED_UP = 12;

/**
 * Plays steps on a server and on a plain model.
 *
 * @throws Difference if they differ; what the server throws
 */
export async function play(steps: readonly Step[], ground: Ground, door: DoorName): Promise<void> {
  const canKill = steps.some((step) => step.do === "restart" && step.kill);
  const open = (): Promise<Opened> =>
    canKill && ground.openElsewhere !== undefined ? ground.openElsewhere() : ground.open(door);
  const run = new Run(await open(), open, door === "process" && !canKill);
  try {
    for (const [index, step] of steps.entries()) {
      try {
        await inTime(run.take(step));
      } catch (cause) {
        throw new Difference(`step ${index} (${JSON.stringify(step)}): ${(cause as Error).message}`, { cause });
      }
    }
  } finally {
    await run.end();
  }
}

/** @throws Error if some work does not end */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${LONGEST_MILLIS} ms`)), LONGEST_MILLIS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

class Run {
  #opened: Opened;
  readonly #open: () => Promise<Opened>;
  readonly #model: Reference = new Reference();
  /** Whether calls made at once arrive in their order: requests over several sockets do not. */
  readonly #keepsOrder: boolean;

  constructor(opened: Opened, open: () => Promise<Opened>, keepsOrder: boolean) {
    this.#opened = opened;
    this.#open = open;
    this.#keepsOrder = keepsOrder;
  }

  end(): Promise<void> {
    return this.#opened.close();
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case "wait":
        for (let turn = 0; turn < step.turns; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
        return;
      case "restart":
        if (step.kill && this.#opened.kill !== undefined) await this.#opened.kill();
        else await this.#opened.close();
        this.#opened = await this.#open();
        return;
      case "compare":
        return this.#compareAll();
      case "drop":
        if (!this.#model.hasBucket(step.bucket)) return;
        await this.#opened.door.drop(step.bucket);
        this.#model.deleteBucket(step.bucket);
        return;
      default:
        await this.#create(step.bucket);
        return this.#change(step);
    }
  }

  async #change(step: Exclude<Step, { do: "wait" | "restart" | "compare" | "drop" }>): Promise<void> {
    const { bucket } = step;
    const { door } = this.#opened;
    const model = this.#model;
    switch (step.do) {
      case "insert":
        return this.#put(bucket, draftsOf(step.list));
      case "replace":
        return this.#put(bucket, selected(model.sorted(bucket), step.events).map(moved(step.move)));
      case "delete": {
        // Read before as well: what was read and kept must not be returned again.
        await this.#compareRead(bucket, {});
        for (const { id } of selected(model.sorted(bucket), step.events)) {
          equal(await door.delete(bucket, id), true, `deletion of event ${id}`);
          model.deleteEvents(bucket, [id]);
        }
        await this.#compareRead(bucket, {});
        return;
      }
      case "deleteRange": {
        // Events lie on whole milliseconds, so none of them only touches the range.
        const [start, end] = [timeOf(step.at) + 1, timeOf(step.at + step.length) + 1];
        const ids = idsOf(model.read(bucket, { start, end }));
        equal(await door.deleteRange(bucket, start, end), ids.length, "deleted events");
        model.deleteEvents(bucket, ids);
        return;
      }
      case "beat":
        return this.#beat(step);
      case "import": {
        const known = selected(model.sorted(bucket), step.known).map(withoutId);
        const drafts = [...draftsOf(step.list), ...known];
        const fresh = model.newOf(bucket, drafts);
        equal(await door.import(documentOf(bucket, drafts)), fresh.length, "imported events");
        return this.#adopt(bucket, fresh);
      }
      case "merge": {
        await this.#create(step.from);
        const fresh = model.newOf(bucket, model.sorted(step.from));
        await door.merge(bucket, step.from);
        model.deleteBucket(step.from);
        return this.#adopt(bucket, fresh);
      }
      case "read":
        return this.#compareRead(bucket, step.range);
    }
  }

  async #create(bucketId: string): Promise<void> {
    if (this.#model.hasBucket(bucketId)) return;
    await this.#opened.door.create(bucketId);
    this.#model.createBucket(bucketOf(bucketId));
  }

  async #put(bucketId: string, drafts: readonly EventDraft[]): Promise<void> {
    const stored = await this.#opened.door.insert(bucketId, drafts);
    const expected = this.#model.putEvents(bucketId, drafts, idsOf(stored));
    equal(stored, expected, "answer to an insertion");
  }

  async #beat({ bucket, list, pulse, atOnce }: Extract<Step, { do: "beat" }>): Promise<void> {
    const beats = draftsOf(list);
    const beat = async (draft: EventDraft): Promise<StoredEvent> =>
      this.#opened.door.heartbeat(bucket, draft, pulse * SECOND);
    if (!atOnce || !this.#keepsOrder) {
      for (const draft of beats) this.#compareBeat(bucket, draft, pulse, await beat(draft));
      return;
    }
    const answers = await Promise.all(beats.map(beat));
    for (const [index, draft] of beats.entries()) {
      this.#compareBeat(bucket, draft, pulse, answers[index] as StoredEvent);
    }
  }

  #compareBeat(bucketId: string, draft: EventDraft, pulse: number, answer: StoredEvent): void {
    equal(answer, this.#model.heartbeat(bucketId, draft, pulse * SECOND, answer.id), "answer to a heartbeat");
  }

  /** Takes over the ids that the server gave to events of an import or a merge. */
  async #adopt(bucketId: string, fresh: readonly EventDraft[]): Promise<void> {
    if (fresh.length === 0) return;
    const known = new Set(idsOf(this.#model.sorted(bucketId)));
    const added = (await this.#opened.door.read(bucketId, {})).filter(({ id }) => !known.has(id));
    added.sort((a, b) => a.id - b.id);
    const key = (event: EventDraft): string => JSON.stringify([event.timestamp, event.duration, sorted(event.data)]);
    equal(added.map(key).sort(), fresh.map(key).sort(), "events that were new");
    this.#model.putEvents(bucketId, added.map(withoutId), idsOf(added));
  }

  async #compareRead(bucketId: string, { after, start, end, limit, offset = 0 }: Range): Promise<void> {
    const all = this.#model.sorted(bucketId);
    const event = after === undefined ? undefined : all[Math.floor(after * all.length)];
    const from = event && event.timestamp + event.duration;
    const bounds = {
      ...(from === undefined ? {} : { start: from }),
      ...(start === undefined ? {} : { start: timeOf(start) }),
      ...(end === undefined ? {} : { end: timeOf(end) }),
    };
    const range: ReadRange = {
      ...bounds,
      ...(limit === undefined ? {} : { limit }),
      ...(offset > 0 ? { offset } : {}),
    };
    const found = this.#model.read(bucketId, bounds);
    const page = found.slice(offset, limit === undefined ? undefined : offset + limit).map(cutTo(bounds));
    equal(await this.#opened.door.read(bucketId, range), page, `events in ${JSON.stringify(range)}`);
    equal(await this.#opened.door.count(bucketId, bounds), found.length, `count in ${JSON.stringify(bounds)}`);
  }

  async #compareAll(): Promise<void> {
    const exported = await this.#opened.door.export();
    equal([...exported.keys()].sort(), this.#model.bucketIds().sort(), "buckets in the export");
    for (const bucketId of BUCKETS.filter((id) => this.#model.hasBucket(id))) {
      const all = this.#model.read(bucketId);
      equal(await this.#opened.door.read(bucketId, {}), all, `all events of ${bucketId}`);
      for (const event of all.filter((_, index) => index % Math.ceil(all.length / LOOKED_UP) === 0)) {
        equal(await this.#opened.door.get(bucketId, event.id), event, `event ${event.id} of ${bucketId}`);
      }
      equal(exported.get(bucketId), all.map(withoutId), `export of ${bucketId}`);
      equal(await this.#opened.door.count(bucketId, {}), all.length, `number of events of ${bucketId}`);
      const [newest, oldest] = [all[0]?.timestamp ?? 0, all.at(-1)?.timestamp ?? 0];
      for (let part = 0; part < 8; part++) {
        const start = oldest + ((newest - oldest) * part) / 8;
        const seconds = (micros: number): number => Math.floor((micros - timeOf(0)) / SECOND);
        await this.#compareRead(bucketId, { start: seconds(start), end: seconds(start + (newest - oldest) / 8) });
      }
    }
    equal((await this.#opened.storage?.verify())?.problems ?? [], [], "problems");
  }
}

/** Moves an event by some seconds, within the time of the play. */
function moved(seconds: number): (event: StoredEvent, index: number) => EventDraft {
  return ({ id, timestamp, duration, data }, index) => ({
    ...{ id, duration, data: index % 2 === 0 ? data : { edited: seconds } },
    timestamp: Math.max(timeOf(0), timestamp + seconds * SECOND),
  });
}

function withoutId({ timestamp, duration, data }: EventDraft): EventDraft {
  return { timestamp, duration, data };
}

function cutTo({ start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY }: ReadRange) {
  return (event: StoredEvent): StoredEvent => {
    const from = Math.max(event.timestamp, start);
    return { ...event, timestamp: from, duration: Math.min(event.timestamp + event.duration, end) - from };
  };
}

function sorted(data: object): object {
  return Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function equal(found: unknown, expected: unknown, what: string): void {
  if (Array.isArray(found) && Array.isArray(expected) && found.length === expected.length) {
    // Comparing one event after another is several times faster than comparing the lists.
    if (expected.every((item, index) => isSame(found[index], item))) return;
  } else if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what}: ${describe(found, expected)}`);
}

function isSame(a: unknown, b: unknown): boolean {
  if (!isEvent(a) || !isEvent(b)) return isDeepStrictEqual(a, b);
  const isAlike = a.id === b.id && a.timestamp === b.timestamp && a.duration === b.duration;
  return isAlike && (a.data === b.data || isDeepStrictEqual(a.data, b.data));
}

function isEvent(value: unknown): value is StoredEvent {
  return typeof value === "object" && value !== null && "timestamp" in value;
}

/** Where two values differ first, in a line. */
function describe(found: unknown, expected: unknown): string {
  if (!Array.isArray(found) || !Array.isArray(expected)) {
    return `${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`;
  }
  const index = expected.findIndex((item, at) => !isDeepStrictEqual(item, found[at]));
  const at = index < 0 ? expected.length : index;
  const place = `${found.length} instead of ${expected.length}; at ${at} `;
  return `${place}${JSON.stringify(found[at])} instead of ${JSON.stringify(expected[at])}`;
}
