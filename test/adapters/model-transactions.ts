import type { EventDraft } from "../../src/domain/event.js";
import type { JsonValue } from "../../src/domain/json.js";
import { bucketOf, idsOf, intOf } from "../contract/case.js";
import { same } from "../contract/check.js";
import { mirror, type PlainChange, streamed, transact } from "../contract/transacting.js";
import { DATA, VALUES } from "../contract/values.js";
import { attempt, BUCKET_IDS, draftIn, pick, type Run, type Step } from "./model-run.js";

/** The buckets of a transaction by the ids that they have by now; each with the id under which the reference has it. */
type Names = Map<string, string | undefined>;

/** Changes up to three buckets and a record at once. */
export const transacting: Step = async (run) => {
  if (run.storage().transact === undefined) return;
  const { random, reference } = run;
  const held = [...new Set(Array.from({ length: intOf(random, 1, 3) }, () => pick(run, BUCKET_IDS)))];
  const names: Names = new Map(held.filter((id) => reference.hasBucket(id)).map((id) => [id, id]));
  const records = new Map(reference.records);
  const changes = Array.from({ length: intOf(random, 1, 4) }, () => changeIn(run, held, names, records)).flat();
  const isFitting = random() < 0.9;
  if (!isFitting) {
    const none = { kind: "record", recordKind: "kind", key: "none", expected: run.now, value: 1 } as const;
    changes.splice(intOf(random, 0, changes.length), 0, none);
  }
  const what = `${changes.map(({ kind }) => kind).join(", ")} in ${JSON.stringify(held)}`;
  const asStream = random() < 0.5;
  const outcome = await attempt(run, what, (storage) =>
    transact(storage, held, () => (asStream ? streamed(changes) : changes)),
  );
  if (outcome === undefined) return;
  same("transactRecords", outcome.answer, isFitting, what);
  if (isFitting) await mirror(run.storage(), reference, changes);
};

/** A change that can be made, or none. */
function changeIn(run: Run, held: readonly string[], names: Names, records: Map<string, JsonValue>): PlainChange[] {
  const { random } = run;
  if (random() < 0.15) return recordIn(run, records);
  const bucketId = pick(run, held);
  if (!names.has(bucketId)) {
    names.set(bucketId, undefined);
    const bucket = bucketOf(bucketId, { created: run.now });
    return [{ kind: "create", bucket, drafts: draftsIn(run, []) }];
  }
  const original = names.get(bucketId);
  const free = held.filter((id) => !names.has(id));
  if (free.length > 0 && random() < 0.5) {
    const newId = pick(run, free);
    names.delete(bucketId);
    names.set(newId, original);
    return [{ kind: "rename", bucketId, newId }];
  }
  const known = original === undefined ? [] : idsOf(run.reference.sorted(original));
  const which = random();
  if (which < 0.1) {
    names.delete(bucketId);
    return [{ kind: "delete", bucketId }];
  }
  if (which < 0.3) return [{ kind: "update", bucketId, patch: { data: pick(run, DATA), name: `at ${run.now}` } }];
  if (which < 0.6) {
    const first = intOf(random, 0, known.length);
    return [{ kind: "deleteEvents", bucketId, eventIds: known.slice(first, first + intOf(random, 0, 300)) }];
  }
  return [{ kind: "putEvents", bucketId, drafts: draftsIn(run, known) }];
}

/** @param records as the changes so far leave them */
function recordIn(run: Run, records: Map<string, JsonValue>): PlainChange[] {
  const key = `key ${intOf(run.random, 1, 6)}`;
  const value = run.random() < 0.3 ? undefined : pick(run, VALUES);
  const expected = records.get(key);
  if (value === undefined) records.delete(key);
  else records.set(key, value);
  return [{ kind: "record", recordKind: "kind", key, expected, value }];
}

/** Few drafts or many, some of them with ids of events. */
function draftsIn(run: Run, known: readonly number[]): EventDraft[] {
  const { random } = run;
  const idShare = known.length === 0 || random() < 0.5 ? 0 : 0.3;
  const most = random() < 0.2 ? 1_800 : 12;
  return Array.from({ length: intOf(random, 0, most) }, () => {
    const draft = draftIn(run);
    return random() < idShare ? { ...draft, id: pick(run, known) } : draft;
  });
}
