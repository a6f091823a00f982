// What renames, merges and undos do to a model; docs/guides/buckets.md
import type { Model } from "./model.js";
import { fatesOf, type Policy } from "./overlaps.js";
import {
  type Bucket,
  copyOf,
  type Entry,
  type Event,
  KEPT_LONG,
  type MergeUndo,
  type Redirect,
  type RedirectStep,
  Refusal,
  type Trace,
  type Undo,
} from "./state.js";

/** A bucket that gets another id or hostname. */
export interface Label {
  readonly from: string;
  readonly to: string;
  readonly hostname: string | undefined;
}

/** @param until `undefined`: no redirects are made @returns whether there was something to do */
export function relabel(
  model: Model,
  labels: readonly Label[],
  { until, undoId }: { readonly until: number | null | undefined; readonly undoId: string },
): boolean {
  const { buckets } = model;
  const done = labels.map(({ from, to, hostname }) => {
    const bucket = model.bucket(from);
    if (to !== from && buckets.has(to)) throw new Refusal("CONFLICT");
    return { bucket, from, to, oldHostname: bucket.hostname, hostname: hostname ?? bucket.hostname };
  });
  const moves = labels.filter(({ from, to }) => from !== to);
  const redirects = redirect(model, moves, until);
  if (done.every(({ from, to, oldHostname, hostname }) => from === to && oldHostname === hostname)) return false;
  for (const { bucket, from, to, hostname } of done) {
    buckets.delete(from);
    bucket.id = to;
    bucket.hostname = hostname;
    bucket.isNoted = true;
    buckets.set(to, bucket);
  }
  model.undos.unshift({ id: undoId, kind: "label", time: model.now, redirects, labels: done });
  return true;
}

/** Whether a rename was done already. */
export function isRenamed(model: Model, from: string, to: string): boolean {
  const there = model.buckets.get(to);
  if (there === undefined || model.buckets.has(from)) return false;
  const isKnown = model.undos.some(({ kind, time, ...undo }) => {
    if (!("labels" in undo) || model.now >= time + KEPT_LONG) return false;
    return undo.labels.some((label) => label.from === from && label.to === to && label.bucket.uid === there.uid);
  });
  return isKnown || model.resolve(from) === to;
}

/** Redirects follow buckets, and none begins at the id of one. */
function redirect(
  model: Model,
  moves: readonly { readonly from: string; readonly to: string }[],
  until: number | null | undefined,
): RedirectStep[] {
  const after = new Map(model.redirects);
  for (const { from, to } of moves) {
    const there = after.get(to);
    if (there !== undefined && model.isInForce(there) && there.to !== from) throw new Refusal("CONFLICT");
    after.delete(to);
    for (const [key, each] of after) if (each.to === from) after.set(key, { ...each, to });
    if (until !== undefined) after.set(from, { to, created: model.now, until });
  }
  const keys = new Set([...model.redirects.keys(), ...after.keys()]);
  const steps = [...keys].flatMap((key): RedirectStep[] => {
    const [old, now] = [model.redirects.get(key), after.get(key)];
    return old === now ? [] : [[key, old, now]];
  });
  for (const [key, , now] of steps) set(model.redirects, key, now);
  return steps;
}

function set<V>(map: Map<string, V>, key: string, value: V | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

/** What a merge is asked for. */
export interface Merge {
  readonly into: string;
  readonly from: readonly string[];
  readonly policy: Policy;
  readonly until: number | null | undefined;
  readonly undoId: string;
  readonly entryId: string;
}

export function merge(model: Model, { into: intoId, from, policy, until, undoId, entryId }: Merge): void {
  if (from.includes(intoId) || new Set(from).size < from.length) throw new Refusal("INVALID_INPUT");
  for (const id of [intoId, ...from]) if (model.resolve(id) !== id) throw new Refusal("CONFLICT");
  const [into, ...sources] = [intoId, ...from].map((id) => model.bucket(id)) as [Bucket, ...Bucket[]];
  const redirects = redirect(
    model,
    from.map((id) => ({ from: id, to: intoId })),
    until,
  );
  const traces: Trace[][] = [into, ...sources].map(() => []);
  const written: Event[] = [];
  const touched: Event[] = [];
  for (const { source, event, written: times } of fatesOf(
    policy,
    [into, ...sources].map(({ events }) => events),
  )) {
    const isWhole = times?.length === event.length;
    if (source === 0 && isWhole) continue;
    const original = source === 0 ? copyOf(event) : event;
    if (source === 0) touched.push(event);
    const merged = source === 0 ? event : { ...event, id: undefined };
    traces[source]?.push({ event: merged, original, written: times });
    if (times !== undefined && source > 0) written.push(Object.assign(merged, times));
  }
  const items = [
    ...(touched.length === 0 ? [] : [model.itemOf(into, touched)]),
    ...sources.map((bucket) => model.itemOf(bucket, bucket.events, bucket)),
  ];
  const entry: Entry = { id: entryId, deleted: model.now, items };
  into.isNoted = true;
  const own = traces[0] as Trace[];
  model.remove(
    into,
    own.filter((each) => each.written === undefined).map(({ event }) => event),
  );
  const cut = own.filter((each) => each.written !== undefined);
  for (const { event, written: times } of cut) Object.assign(event, times);
  if (cut.length > 0) into.target = undefined;
  model.put(into, written);
  for (const id of from) model.buckets.delete(id);
  model.trash.unshift(entry);
  const kept = sources.map((bucket, index) => {
    return { bucket, id: from[index] as string, traces: traces[index + 1] as Trace[] };
  });
  const common = { id: undoId, kind: "merge", time: model.now, redirects } as const;
  model.undos.unshift({ ...common, entry, into, intoId, own, sources: kept, moved: new Set() });
}

/** @returns how many events stay as they are, though the undo is about them */
export function undo(model: Model, undo: Undo): number {
  if (!model.undos.includes(undo) || model.now >= undo.time + KEPT_LONG) throw new Refusal("NO_SUCH_UNDO");
  if (undo.kind !== "label" && !model.trash.includes(undo.entry)) throw new Refusal("CONFLICT");
  const kept =
    undo.kind === "label" ? labelBack(model, undo) : undo.kind === "merge" ? unmerge(model, undo) : unhide(model, undo);
  model.undos = model.undos.filter((each) => each !== undo);
  if (undo.kind !== "label") model.trash = model.trash.filter((each) => each !== undo.entry);
  return kept;
}

function same(a: Redirect | undefined, b: Redirect | undefined): boolean {
  return (
    a === b || (a !== undefined && b !== undefined && a.to === b.to && a.created === b.created && a.until === b.until)
  );
}

/** Takes redirects back, but for those that were changed since. @param back ids that buckets get back */
function redirectsBack(
  model: Model,
  { redirects }: Undo,
  back: readonly { readonly from: string; readonly to: string }[],
): void {
  for (const { from, to } of back) {
    const there = model.redirects.get(from);
    const isOurs = redirects.some(([key, , after]) => key === from && same(after, there));
    if (there === undefined || isOurs) continue;
    if (model.isInForce(there) && there.to !== to) throw new Refusal("CONFLICT");
  }
  for (const { from } of back) {
    const isOurs = redirects.some(([key, , after]) => key === from && same(after, model.redirects.get(from)));
    if (!isOurs) model.redirects.delete(from);
  }
  for (const [key, before, after] of redirects)
    if (same(model.redirects.get(key), after)) set(model.redirects, key, before);
}

function labelBack(model: Model, undo: Extract<Undo, { kind: "label" }>): number {
  const moves = undo.labels.filter(({ from, to }) => from !== to);
  for (const { bucket, to } of undo.labels)
    if (model.buckets.get(to)?.uid !== bucket.uid) throw new Refusal("CONFLICT");
  for (const { from } of moves) if (model.buckets.has(from)) throw new Refusal("CONFLICT");
  redirectsBack(model, undo, moves);
  for (const { from, to, oldHostname, hostname } of undo.labels) {
    const bucket = model.bucket(to);
    model.buckets.delete(to);
    bucket.id = from;
    if (bucket.hostname === hostname) bucket.hostname = oldHostname;
    model.buckets.set(from, bucket);
  }
  return 0;
}

function unmerge(model: Model, undo: MergeUndo): number {
  const into = model.buckets.get(undo.intoId);
  if (into?.uid !== undo.into.uid) throw new Refusal("CONFLICT");
  const merges = model.mergesInto(into);
  if (merges.indexOf(undo) > 0) throw new Refusal("CONFLICT");
  for (const { id } of undo.sources) if (model.buckets.has(id)) throw new Refusal("CONFLICT");
  redirectsBack(
    model,
    undo,
    undo.sources.map(({ id }) => ({ from: id, to: undo.intoId })),
  );
  const find = ({ event }: Trace) => into.events.find(({ id }) => id === event.id);
  let kept = 0;
  for (const { bucket, id, traces } of undo.sources) {
    bucket.id = id;
    model.buckets.set(id, bucket);
    const changed: Event[] = [];
    const moved: Event[] = [];
    for (const trace of traces) {
      const { original, event, written } = trace;
      const there = written === undefined ? undefined : find(trace);
      if (there === undefined) {
        if (written !== undefined && undo.moved.has(event.id as number)) moved.push(original);
        continue;
      }
      model.remove(into, [there]);
      const now = eventNow(there, trace) ?? there;
      if (now !== original) changed.push({ ...now, id: original.id });
    }
    kept += moved.length;
    model.remove(bucket, moved);
    model.noteMoved(bucket, moved);
    model.put(bucket, changed);
  }
  const uncut: Event[] = [];
  for (const trace of undo.own) {
    const there = find(trace);
    const isMoved = there === undefined && undo.moved.has(trace.event.id as number);
    const now = there === undefined ? trace.original : eventNow(there, trace);
    if (isMoved || now === undefined) kept++;
    else uncut.push(copyOf(now));
  }
  model.put(into, uncut);
  return kept;
}

/** @returns `undefined` for an event that somebody has changed */
function eventNow(there: Event, { original, written }: Trace): Event | undefined {
  const end = there.at + there.length;
  if (written === undefined || there.at !== written.at || there.app !== original.app) return undefined;
  if (end < written.at + written.length) return undefined;
  return end <= original.at + original.length ? original : { ...original, length: end - original.at };
}

function unhide(model: Model, { bucket, bucketId, isDrop, entry }: Extract<Undo, { kind: "privacy" }>): number {
  if (model.buckets.get(bucketId)?.uid !== bucket.uid) throw new Refusal("CONFLICT");
  const now = model.bucket(bucketId);
  const back: Event[] = [];
  let kept = 0;
  for (const original of entry.items[0]?.events ?? []) {
    const there = now.events.find(({ id }) => id === original.id);
    if (there === undefined && isDrop) back.push(copyOf(original));
    else if (there !== undefined && !isDrop && there.app === "hidden") back.push({ ...there, app: original.app });
    else kept++;
  }
  model.put(now, back);
  return kept;
}
