import { EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import { jsonKey } from "../domain/json-key.js";
import { pick } from "./batches.js";
import { forEachData, ownValue } from "./data.js";
import type { Steps } from "./steps.js";

/**
 * Merges all events with the same values of some keys (docs/reference/compatibility.md#merging-by-keys). A merged event
 * has the start and all data of its first event, no ID, and the sum of all durations. Events that lack the same keys
 * form a group as well; events without any of the keys are dropped.
 *
 * @param keys if empty, the events do not change
 * @returns in order of first appearance
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
  yield* forEachData(events, {
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

/** A key for the combination of values; `undefined` if all keys are missing. */
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

/** No `jsonKey` starts with this. */
const MISSING = "-";
