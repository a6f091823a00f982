import { EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import { jsonKey } from "../domain/json-key.js";
import { pick } from "./batches.js";
import { eachData, ownValue } from "./data.js";
import type { Steps } from "./steps.js";

/**
 * Makes one event of all events with the same values of some keys (docs/compatibility.md#merging-by-keys): start and
 * whole data of the first of them, no id, the durations added up. An event without some of the keys belongs to those
 * that lack the same ones; an event without any of them is dropped.
 *
 * @param keys none: the events stay as they are
 * @returns in the order in which the groups appear
 */
export function* mergeEventsByKeys(events: EventBatch, keys: readonly string[]): Steps<EventBatch> {
  if (keys.length === 0) return events;
  const { durations } = events;
  const firsts: number[] = [];
  const sums: number[] = [];
  const groups = new Map<string, number>();
  function groupOf(data: JsonObject): number {
    const values = valuesKey(data, keys);
    if (values === undefined) return DROPPED;
    let group = groups.get(values);
    if (group === undefined) {
      group = groups.size;
      groups.set(values, group);
    }
    return group;
  }
  yield* eachData(events, {
    cost: keys.length,
    decide: groupOf,
    use(at, group) {
      if (group === DROPPED) return;
      const duration = durations[at] as number;
      if (group === sums.length) {
        firsts.push(at);
        sums.push(duration);
      } else sums[group] = (sums[group] as number) + duration;
    },
  });
  const { timestamps, datas } = yield* pick(events, new Uint32Array(firsts));
  return EventBatch.of({ timestamps, durations: new Float64Array(sums), ids: null, datas });
}

const DROPPED = -1;

/** Tells combinations of values apart; `undefined` when all keys are missing. */
function valuesKey(data: JsonObject, keys: readonly string[]): string | undefined {
  let text = "";
  let found = false;
  for (const key of keys) {
    const value = ownValue(data, key);
    if (value !== undefined) found = true;
    text += value === undefined ? MISSING : jsonKey(value);
  }
  return found ? text : undefined;
}

/** Begins no `jsonKey`. */
const MISSING = "-";
