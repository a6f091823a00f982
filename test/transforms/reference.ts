// The transforms once more, over plain objects: slow, and as near to the wording of
// docs/reference/compatibility.md#functions as can be.

import { type JsonObject, type JsonValue, sameJson } from "../../src/domain/json.js";
import type { ListedEvent } from "./lists.js";

interface Cut {
  ts: number;
  end: number;
  readonly id: number | null;
  readonly data: JsonObject;
}

function cutOf({ timestamp, duration, data, id }: ListedEvent): Cut {
  return { ts: timestamp, end: timestamp + duration, data, id };
}

function eventOf({ ts, end, data, id }: Cut): ListedEvent {
  return { id, timestamp: ts, duration: end - ts, data };
}

export function sortedByTimestamp(events: readonly ListedEvent[]): ListedEvent[] {
  return [...events].sort((a, b) => a.timestamp - b.timestamp);
}

export function sortedByDuration(events: readonly ListedEvent[]): ListedEvent[] {
  return [...events].sort((a, b) => b.duration - a.duration);
}

export function flooded(events: readonly ListedEvent[], pulse: number): ListedEvent[] {
  const list = [...events].sort((a, b) => a.timestamp - b.timestamp || a.duration - b.duration).map(cutOf);
  let at = 0;
  while (at + 1 < list.length) {
    const current = list[at] as Cut;
    const next = list[at + 1] as Cut;
    const gap = next.ts - current.end;
    const same = sameJson(current.data, next.data);
    if (same && gap <= pulse) {
      list[at] = { ...current, ts: Math.min(current.ts, next.ts), end: Math.max(current.end, next.end), id: null };
      list.splice(at + 1, 1);
      continue;
    }
    if (!same && -100_000 < gap && gap <= pulse) {
      current.end += Math.floor(gap / 2);
      next.ts = current.end;
    }
    at++;
  }
  let kept: Cut[] = [];
  for (const next of list.filter(({ ts, end }) => end > ts)) {
    // The events after the last one with a part before the new one lose all of their time.
    const equal = kept.findLastIndex(({ ts, data }, index) => {
      const laterAreCovered = kept.slice(index + 1).every((later) => later.ts >= next.ts);
      return laterAreCovered && (ts < next.ts || sameJson(data, next.data));
    });
    const last = kept[equal];
    if (last === undefined) kept = [next];
    else if (sameJson(last.data, next.data) && last.end >= next.ts) {
      kept = [...kept.slice(0, equal), { ...last, end: Math.max(last.end, next.end), id: null }];
    } else kept = [...kept.slice(0, equal), { ...last, end: Math.min(last.end, next.ts) }, next];
  }
  return kept.map(eventOf);
}

export function intersected(events: readonly ListedEvent[], filters: readonly ListedEvent[]): ListedEvent[] {
  const list = sortedByTimestamp(events).map(cutOf);
  const within = sortedByTimestamp(filters).map(cutOf);
  const pieces: Cut[] = [];
  let [i, j] = [0, 0];
  while (i < list.length && j < within.length) {
    const event = list[i] as Cut;
    const filter = within[j] as Cut;
    const last = pieces.at(-1);
    const isPoint = event.ts === event.end;
    const isFilterPoint = filter.ts === filter.end;
    const isUsedUp = last?.id === event.id && last.ts === event.ts && last.end === event.ts;
    if (isPoint && filter.ts <= event.ts && event.ts <= filter.end) {
      pieces.push({ ...event });
      i++;
    } else if (isFilterPoint && event.ts <= filter.ts && filter.ts <= event.end) {
      if (!(isUsedUp && filter.ts === event.ts)) pieces.push({ ...event, ts: filter.ts, end: filter.ts });
      if (filter.ts === event.end) i++;
      else {
        event.ts = filter.ts;
        j++;
      }
    } else if (event.end <= filter.ts) i++;
    else if (event.ts >= filter.end) j++;
    else {
      const ts = Math.max(event.ts, filter.ts);
      const end = Math.min(event.end, filter.end);
      pieces.push({ ...event, ts, end });
      event.ts = end;
      if (end === event.end) i++;
    }
  }
  return pieces.map(eventOf);
}

export function unitedPeriods(a: readonly ListedEvent[], b: readonly ListedEvent[]): ListedEvent[] {
  const periods: Cut[] = [];
  for (const { ts, end } of sortedByTimestamp([...a, ...b]).map(cutOf)) {
    const current = periods.at(-1);
    if (current !== undefined && ts <= current.end) current.end = Math.max(current.end, end);
    else periods.push({ ts, end, id: null, data: {} });
  }
  return periods.map(eventOf);
}

export function unitedNoOverlap(first: readonly ListedEvent[], second: readonly ListedEvent[]): ListedEvent[] {
  const a = first.map(cutOf).reverse();
  const b = second.map(cutOf).reverse();
  const union: Cut[] = [];
  while (a.length > 0 && b.length > 0) {
    const x = a.at(-1) as Cut;
    const y = b.at(-1) as Cut;
    if (Math.max(x.ts, y.ts) < Math.min(x.end, y.end)) {
      b.pop();
      if (x.ts <= y.ts) {
        union.push(x);
        a.pop();
        if (y.ts < x.end && x.end < y.end) b.push({ ...y, ts: x.end });
      } else {
        union.push({ ...y, end: x.ts });
        if (x.ts < y.end) b.push({ ...y, ts: x.ts });
      }
    } else if (x.ts <= y.ts) union.push(a.pop() as Cut);
    else union.push(b.pop() as Cut);
  }
  return [...union, ...a.reverse(), ...b.reverse()].map(eventOf);
}

export function merged(events: readonly ListedEvent[], keys: readonly string[]): ListedEvent[] {
  if (keys.length === 0) return [...events];
  const groups: { values: JsonObject; event: ListedEvent }[] = [];
  for (const event of events) {
    const values = Object.fromEntries(
      keys.filter((key) => Object.hasOwn(event.data, key)).map((key) => [key, event.data[key] as JsonValue]),
    );
    if (Object.keys(values).length === 0) continue;
    const group = groups.find((candidate) => sameJson(candidate.values, values));
    if (group === undefined) groups.push({ values, event: { ...event, id: null } });
    else group.event = { ...group.event, duration: group.event.duration + event.duration };
  }
  return groups.map(({ event }) => event);
}

export function chunked(events: readonly ListedEvent[], key: string): ListedEvent[] {
  const chunks: ListedEvent[] = [];
  for (const event of events.filter(({ data }) => Object.hasOwn(data, key))) {
    const last = chunks.at(-1);
    if (last !== undefined && sameJson(last.data[key] as JsonValue, event.data[key] as JsonValue)) {
      chunks[chunks.length - 1] = { ...last, duration: last.duration + event.duration };
    } else chunks.push(event);
  }
  return chunks;
}

/** What `mergeSubwatcherFields` gives, slice by slice. */
export function enriched(
  base: readonly ListedEvent[],
  sub: readonly ListedEvent[],
  { keys, subWins }: { keys: readonly string[]; subWins: boolean },
): ListedEvent[] {
  const counting = sortedByTimestamp(sub)
    .map(cutOf)
    .filter(({ ts, end }) => end >= ts);
  return base.flatMap((event) => {
    const whole = cutOf(event);
    const inside = (time: number): boolean => whole.ts < time && time < whole.end;
    const times = new Set(counting.flatMap(({ ts, end }) => [ts, end]).filter(inside));
    const points = [whole.ts, ...[...times].sort((a, b) => a - b), whole.end];
    if (whole.end <= whole.ts) return [event];
    const pieces: Cut[] = [];
    for (let at = 0; at + 1 < points.length; at++) {
      const [ts, end] = [points[at] as number, points[at + 1] as number];
      const covering = counting.filter((other) =>
        other.ts === other.end
          ? inside(other.ts) && (other.ts === ts || other.ts === end)
          : other.ts <= ts && end <= other.end,
      );
      const best = covering.reduce<Cut | undefined>(
        (found, other) =>
          found === undefined || other.ts > found.ts || (other.ts === found.ts && other.end > found.end)
            ? other
            : found,
        undefined,
      );
      const copied = keys.filter(
        (key) => best && Object.hasOwn(best.data, key) && (subWins || !Object.hasOwn(event.data, key)),
      );
      const data = { ...event.data, ...Object.fromEntries(copied.map((key) => [key, best?.data[key] as JsonValue])) };
      const last = pieces.at(-1);
      if (last !== undefined && sameJson(last.data, data)) last.end = end;
      else pieces.push({ ts, end, id: event.id, data });
    }
    return pieces.map(eventOf);
  });
}
