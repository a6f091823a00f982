import { EventBatch } from "../src/domain/batch.js";
import type { JsonObject } from "../src/domain/json.js";
import { pick, reversed } from "../src/transforms/batches.js";
import { runSteps } from "../src/transforms/steps.js";
import { type SampleEvent, sample, seededRandom } from "./data.js";

const PER_DAY = 5_000;
const TITLES = 5_500;
const EVENTS_PER_PERIOD = 7.5;

/** What the watchers of some days reported, in time order, to be cut into lists of any size. */
export interface Whole {
  readonly window: EventBatch;
  readonly idle: EventBatch;
}

/** Holds no event objects any more: the garbage collector would visit them during the measurements. */
export function wholeOf(count: number): Whole {
  const idlePerDay = Math.round(PER_DAY / EVENTS_PER_PERIOD);
  const days = Math.ceil(count / PER_DAY);
  const { window, idle } = sample({ days, windowPerDay: PER_DAY, idlePerDay, titles: TITLES });
  const known = new Map<string, JsonObject>();
  const listOf = (events: readonly SampleEvent[]): EventBatch =>
    EventBatch.from(
      events.map(({ timestamp, duration, data }, at) => {
        const text = JSON.stringify(data);
        if (!known.has(text)) known.set(text, data);
        return { id: at + 1, timestamp, duration, data: known.get(text) as JsonObject };
      }),
    );
  return { window: listOf(window), idle: listOf(idle) };
}

/** The lists that a transform works on. Each is made when it is asked for. */
export class Lists {
  /** Window events, ascending. */
  readonly window: EventBatch;
  /** Fewer, longer periods over the same time. */
  readonly idle: EventBatch;

  constructor({ window, idle }: Whole) {
    this.window = window;
    this.idle = idle;
  }

  /** The window events as `query_bucket` gives them. */
  get newestFirst(): EventBatch {
    return runSteps(reversed(this.window));
  }

  /** The window events in no order at all. */
  get shuffled(): EventBatch {
    const random = seededRandom(1);
    const indexes = Uint32Array.from(this.window.timestamps, (_, index) => index);
    for (let at = indexes.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [indexes[at], indexes[other]] = [indexes[other] as number, indexes[at] as number];
    }
    return runSteps(pick(this.window, indexes));
  }

  /** The window events, each with data of its own. */
  get unshared(): EventBatch {
    return withDatas(this.window, (data) => ({ ...data }));
  }

  /** The window events with urls. */
  get web(): EventBatch {
    return withDatas(this.window, withUrl);
  }
}

function withDatas(
  { timestamps, durations, ids, datas }: EventBatch,
  change: (data: JsonObject) => JsonObject,
): EventBatch {
  return EventBatch.of({ timestamps, durations, ids, datas: datas.map(change) });
}

const urls = new Map<JsonObject, JsonObject>();

function withUrl(data: JsonObject): JsonObject {
  const number = urls.size;
  const changed = urls.get(data) ?? {
    url: `https://www.host${number % 300}.example/page/${number}?q=${number}`,
    ...data,
  };
  urls.set(data, changed);
  return changed;
}

/**
 * As many lists of one size as make up the whole. Whatever the size, a measurement goes through the same events: short
 * lists that are used again and again would lie in the caches of the processor, and long ones seem slow beside them.
 */
export function listsOf({ window, idle }: Whole, count: number): Lists[] {
  const part = (list: EventBatch, from: number): EventBatch =>
    list.slice(
      Math.round((list.length * from) / window.length),
      Math.round((list.length * (from + count)) / window.length),
    );
  return Array.from({ length: Math.max(1, Math.floor(window.length / count)) }, (_, at) => {
    return new Lists({ window: part(window, at * count), idle: part(idle, at * count) });
  });
}
