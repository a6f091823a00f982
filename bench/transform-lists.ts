import { type EventList, sliceOf } from "../src/domain/event-list.js";
import type { JsonObject } from "../src/domain/json.js";
import { fromEvents, pick, reversed, runSteps } from "../src/transforms/list.js";
import { type SampleEvent, sample, seededRandom } from "./data.js";

const PER_DAY = 5_000;
const TITLES = 5_500;
const EVENTS_PER_PERIOD = 7.5;

/** What the watchers of some days reported, in time order, to be cut into lists of any size. */
export interface Whole {
  readonly window: EventList;
  readonly idle: EventList;
}

/** Holds no event objects any more: the garbage collector would visit them during the measurements. */
export function wholeOf(count: number): Whole {
  const idlePerDay = Math.round(PER_DAY / EVENTS_PER_PERIOD);
  const days = Math.ceil(count / PER_DAY);
  const { window, idle } = sample({ days, windowPerDay: PER_DAY, idlePerDay, titles: TITLES });
  const known = new Map<string, JsonObject>();
  const listOf = (events: readonly SampleEvent[]): EventList =>
    fromEvents(
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
  readonly window: EventList;
  /** Fewer, longer periods over the same time. */
  readonly idle: EventList;

  constructor({ window, idle }: Whole) {
    this.window = window;
    this.idle = idle;
  }

  /** The window events as `query_bucket` gives them. */
  get newestFirst(): EventList {
    return runSteps(reversed(this.window));
  }

  /** The window events in no order at all. */
  get shuffled(): EventList {
    const random = seededRandom(1);
    const indexes = Uint32Array.from(this.window.starts, (_, index) => index);
    for (let at = indexes.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [indexes[at], indexes[other]] = [indexes[other] as number, indexes[at] as number];
    }
    return runSteps(pick(this.window, indexes));
  }

  /** The window events, each with data of its own. */
  get unshared(): EventList {
    return { ...this.window, datas: this.window.datas.map((data) => ({ ...data })) };
  }

  /** The window events with urls. */
  get web(): EventList {
    return { ...this.window, datas: this.window.datas.map(withUrl) };
  }
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
  const part = (list: EventList, from: number): EventList =>
    sliceOf(
      list,
      Math.round((list.length * from) / window.length),
      Math.round((list.length * (from + count)) / window.length),
    );
  return Array.from({ length: Math.max(1, Math.floor(window.length / count)) }, (_, at) => {
    return new Lists({ window: part(window, at * count), idle: part(idle, at * count) });
  });
}
