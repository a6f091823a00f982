import type { EventList } from "../domain/event-list.js";
import type { JsonObject } from "../domain/json.js";
import { type EventItem, kindOf, type Value } from "./values.js";

/** Puts single events into a list of events; `undefined` when something else is among them. */
export function gathered(items: readonly Value[]): EventList | undefined {
  if (!items.every((item) => kindOf(item) === "event")) return undefined;
  const events = items as readonly EventItem[];
  return {
    length: events.length,
    starts: Float64Array.from(events, ({ list, index }) => list.starts[index] as number),
    durations: Float64Array.from(events, ({ list, index }) => list.durations[index] as number),
    datas: events.map(({ list, index }) => list.datas[index] as JsonObject),
    ids: Float64Array.from(events, ({ list, index }) => list.ids?.[index] ?? 0),
  };
}
