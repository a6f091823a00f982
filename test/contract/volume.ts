import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import type { JsonObject } from "../../src/domain/json.js";
import type { EventRange, Storage } from "../../src/storage.js";
import { bucketOf, draftOf, idsOf, intOf, randomOf, read, type Scenario, type Stage, withBucket } from "./case.js";
import { same, sameBuckets, sameEvent, sameEvents } from "./check.js";
import { Reference } from "./reference.js";
import { DATA, randomData, TEXTS } from "./values.js";

const BUCKET = "window";

/** Thousands of events in every order: drives an adapter with sealed segments through its splits and merges. */
export const volume: readonly Scenario[] = [
  { name: "five thousand events put at once are all there", play: playAtOnce },
  { name: "events put newest first, slice by slice, are read in order", play: playBackwards },
  { name: "events put in random order are read in order", play: playShuffled },
  { name: "thousands of heartbeats between inserts leave every event right", play: playBeats },
  { name: "thousands of events of one instant stay apart by id", play: playOneInstant },
  { name: "every second event may be edited, then every third deleted", play: playThinned },
  { name: "thousands of events with data of every kind come back as they were given", play: playData },
  {
    name: "thousands of events over all of time, of every length and id, come back as they were given",
    play: playTimes,
  },
  { name: "random inserts, heartbeats, edits and deletions agree with a plain model", play: playChurn },
  {
    name: "several buckets in turn, with reopenings between, agree with a plain model",
    needs: "reopen",
    play: playBuckets,
  },
];

async function expectAll(storage: Storage, reference: Reference, what: string): Promise<void> {
  sameBuckets("visible", await storage.listBuckets(), reference.listBuckets(), what);
  for (const { id } of reference.listBuckets()) {
    const expected = reference.sorted(id);
    sameEvents("readOrder", await read(storage, id, { order: "oldest" }), expected, what);
    sameEvents("readOrder", await read(storage, id), [...expected].reverse(), `${what}, newest first`);
    same("countEvents", await storage.countEvents(id), expected.length, `${what}: count`);
    const step = Math.max(1, Math.floor(expected.length / 60));
    for (let index = 0; index < expected.length; index += step) {
      const event = expected[index] as StoredEvent;
      sameEvent("getEvent", await storage.getEvent(id, event.id), event, `${what}: getEvent`);
      const range: EventRange = {
        start: event.timestamp,
        end: event.timestamp + Math.max(0, event.duration),
        limit: 20,
      };
      sameEvents("readEvents", await read(storage, id, range), reference.readEvents(id, range), `${what}: around it`);
      const from = { start: event.timestamp };
      const count = await storage.countEvents(id, from);
      same("countEvents", count, reference.countEvents(id, from), `${what}: count from it on`);
    }
  }
}

/** A stage with one bucket and a reference that is kept beside it. */
async function open(stage: Stage): Promise<Reference> {
  await withBucket(stage, BUCKET);
  const reference = new Reference();
  reference.createBucket(bucketOf(BUCKET));
  return reference;
}

async function put(stage: Stage, reference: Reference, drafts: readonly EventDraft[], id = BUCKET): Promise<void> {
  const stored = await stage.storage.putEvents(id, drafts);
  sameEvents("putResult", stored, reference.putEvents(id, drafts, idsOf(stored)), "answer of putEvents");
}

async function finish(stage: Stage, reference: Reference, what: string): Promise<void> {
  await stage.alsoReopened((storage) => expectAll(storage, reference, what));
  reference.reopen();
}

async function playAtOnce(stage: Stage): Promise<void> {
  const reference = await open(stage);
  await put(
    stage,
    reference,
    Array.from({ length: 5_000 }, (_, index) => draftOf(index * 1_000, 900, index % 300)),
  );
  await finish(stage, reference, "5,000 at once");
  await put(
    stage,
    reference,
    Array.from({ length: 5_000 }, (_, index) => draftOf(index * 777, 5, index % 9)),
  );
  await finish(stage, reference, "5,000 more between them");
}

async function playBackwards(stage: Stage): Promise<void> {
  const reference = await open(stage);
  for (let slice = 11; slice >= 0; slice--) {
    const drafts = Array.from({ length: 450 }, (_, index) =>
      draftOf((slice * 450 + 449 - index) * 100, 60, index % 40),
    );
    await put(stage, reference, drafts);
  }
  await finish(stage, reference, "newest first");
}

async function playShuffled(stage: Stage): Promise<void> {
  const reference = await open(stage);
  const random = randomOf(11);
  for (let slice = 0; slice < 60; slice++) {
    const length = slice % 3 === 0 ? 1 : intOf(random, 2, 150);
    await put(
      stage,
      reference,
      Array.from({ length }, () => draftOf(intOf(random, 0, 1e9), intOf(random, 0, 1e6))),
    );
  }
  await finish(stage, reference, "random order");
}

async function playBeats(stage: Stage): Promise<void> {
  const reference = await open(stage);
  for (let block = 0; block < 8; block++) {
    const beats = Array.from({ length: 500 }, (_, index) => draftOf(block * 10_000 + index * 10, 8, index >> 1));
    const answers = await Promise.all(beats.map((beat) => stage.storage.heartbeat(BUCKET, beat, 5)));
    for (const [index, beat] of beats.entries()) {
      const answer = answers[index] as StoredEvent;
      sameEvent("heartbeatResult", answer, reference.heartbeat(BUCKET, beat, 5, answer.id), `beat ${index}`);
    }
    await put(
      stage,
      reference,
      Array.from({ length: 50 }, (_, index) => draftOf(block * 3_000 + index * 7, 3, "put")),
    );
  }
  await finish(stage, reference, "after 4,000 heartbeats");
}

async function playOneInstant(stage: Stage): Promise<void> {
  const reference = await open(stage);
  const at = 1_700_000_000_000_000;
  await put(stage, reference, [{ ...draftOf(at, 1, "high"), id: 100_000 }]);
  for (let slice = 0; slice < 6; slice++) {
    const drafts = Array.from({ length: 600 }, (_, index) => draftOf(at, index % 3, slice));
    await put(stage, reference, drafts);
  }
  // Written last, but first in order: ids below all others.
  for (let id = 30; id > 0; id--) await put(stage, reference, [{ ...draftOf(at, 1, "low"), id }]);
  await stage.alsoReopened(async (storage) => {
    for (const limit of [...Array.from({ length: 210 }, (_, index) => index), 1_000, 3_601, 3_630]) {
      const expected = reference.readEvents(BUCKET, { limit });
      sameEvents("readOrder", await read(storage, BUCKET, { limit }), expected, `newest ${limit} of one instant`);
    }
  });
  await put(stage, reference, [draftOf(at - 1), draftOf(at + 1), draftOf(at, 1, "last")]);
  await finish(stage, reference, "one instant");
}

async function playThinned(stage: Stage): Promise<void> {
  const reference = await open(stage);
  await put(
    stage,
    reference,
    Array.from({ length: 4_000 }, (_, index) => draftOf(index * 100, 50, index % 20)),
  );
  const events = [...reference.sorted(BUCKET)];
  for (let slice = 0; slice < 4_000; slice += 400) {
    const part = events.slice(slice, slice + 400);
    const edits = part
      .filter((_, index) => index % 2 === 0)
      .map((event) => ({ ...event, duration: 9, data: { edited: 1 } }));
    await put(stage, reference, edits);
  }
  await finish(stage, reference, "every second edited");
  for (let slice = 0; slice < 4_000; slice += 500) {
    const ids = idsOf(events.slice(slice, slice + 500)).filter((id) => id % 3 === 0);
    const deleted = await stage.storage.deleteEvents(BUCKET, ids);
    same("deleteEvents", deleted, reference.deleteEvents(BUCKET, ids), "deleted events");
  }
  await finish(stage, reference, "every third deleted");
}

/** Texts and types that change from event to event within one key, in one go and bit by bit. */
async function playData(stage: Stage): Promise<void> {
  const reference = await open(stage);
  const random = randomOf(41);
  const odd = [...DATA.slice(0, -2), ...TEXTS.map((text) => ({ [text]: [text], title: text }))];
  const dataAt = (index: number): JsonObject =>
    (index % 3 === 0 ? odd[(index / 3) % odd.length] : undefined) ?? randomData(random);
  for (const size of [1_500, 400, 300, 1]) {
    const drafts = Array.from({ length: size }, (_, index) => ({
      timestamp: index * 10,
      duration: 5,
      data: dataAt(index),
    }));
    await put(stage, reference, drafts);
  }
  await finish(stage, reference, "data of every kind");
  const edits = reference.sorted(BUCKET).filter((_, index) => index % 10 === 0);
  await put(
    stage,
    reference,
    edits.map((event) => ({ ...event, data: randomData(random) })),
  );
  await finish(stage, reference, "data of every kind, edited");
  const rest = reference.sorted(BUCKET).slice(900);
  await stage.storage.deleteEvents(BUCKET, idsOf(rest));
  reference.deleteEvents(BUCKET, idsOf(rest));
  // The partner is an event of long ago: its data must be found equal to those of the beat.
  const newest = reference.sorted(BUCKET).at(-1) as StoredEvent;
  const beat = { timestamp: newest.timestamp + 6, duration: 1, data: newest.data };
  const answer = await stage.storage.heartbeat(BUCKET, beat, 5);
  sameEvent("heartbeatResult", answer, reference.heartbeat(BUCKET, beat, 5, answer.id), "a beat on an old event");
  await finish(stage, reference, "data of every kind, most of them deleted");
}

/** Gaps and lengths from a microsecond to centuries; ids that ascend, descend and leap. */
async function playTimes(stage: Stage): Promise<void> {
  const reference = await open(stage);
  const random = randomOf(43);
  const first = -8_520_336_000_000_000;
  const last = 8_835_955_199_999_999;
  const instants = [first, first + 1, -1, 0, 1, 2 ** 31, 2 ** 32 * 1_000, 2 ** 52, last - 1, last];
  const drafts = Array.from({ length: 1_500 }, (_, index): EventDraft => {
    const near = instants[index % instants.length] as number;
    const spread = 2 ** intOf(random, 0, 53);
    const timestamp = Math.min(last, Math.max(first, near + Math.round((random() - 0.5) * spread)));
    const length = Math.round((random() - 0.3) * 2 ** intOf(random, 0, 50));
    const duration = Math.min(last - timestamp, Math.max(first - timestamp, length));
    const id = index % 5 === 0 ? 9_000_000_000_000 - index * 2 ** 20 : 10_000 + index * 3;
    return { timestamp, duration, data: { index: index % 7 }, ...(index % 2 === 0 ? { id } : {}) };
  });
  await put(stage, reference, drafts.slice(0, 900));
  await put(stage, reference, drafts.slice(900));
  await finish(stage, reference, "all of time");
}

async function playChurn(stage: Stage): Promise<void> {
  const reference = await open(stage);
  const random = randomOf(23);
  let now = 0;
  for (let step = 1; step <= 900; step++) {
    now += intOf(random, 1, 400);
    await churn(stage, reference, random, now, BUCKET);
    if (step % 300 === 0) await finish(stage, reference, `after ${step} steps`);
  }
}

/** One random step: mostly a heartbeat, else a batch, an edit or a deletion somewhere in the past. */
async function churn(stage: Stage, reference: Reference, random: () => number, now: number, id: string): Promise<void> {
  const kind = random();
  if (kind < 0.55) {
    const late = random() < 0.08 ? intOf(random, 0, now) : 0;
    const beat = draftOf(now - late, intOf(random, 0, 300), intOf(random, 1, 3));
    const answer = await stage.storage.heartbeat(id, beat, 250);
    sameEvent("heartbeatResult", answer, reference.heartbeat(id, beat, 250, answer.id), "answer of a heartbeat");
  } else if (kind < 0.75) {
    const batch = () => draftOf(intOf(random, -500, now), intOf(random, -9, 500), intOf(random, 1, 50));
    await put(stage, reference, Array.from({ length: intOf(random, 1, 90) }, batch), id);
  } else if (kind < 0.9) {
    const moved = pick(reference, random, id, 12).map((event) => {
      const moves = random() < 0.5;
      return { ...event, timestamp: moves ? intOf(random, 0, now) : event.timestamp, duration: intOf(random, 0, 900) };
    });
    await put(stage, reference, moved, id);
  } else {
    const ids = idsOf(pick(reference, random, id, random() < 0.1 ? 400 : 9));
    const deleted = await stage.storage.deleteEvents(id, ids);
    same("deleteEvents", deleted, reference.deleteEvents(id, ids), "deleted events");
  }
}

/** Some events that lie together or far apart; none twice. */
function pick(reference: Reference, random: () => number, bucketId: string, most: number): StoredEvent[] {
  const events = reference.sorted(bucketId);
  const first = intOf(random, 0, Math.max(0, events.length - 1));
  const stride = random() < 0.5 ? 1 : intOf(random, 2, 50);
  return events
    .slice(first)
    .filter((_, index) => index % stride === 0)
    .slice(0, intOf(random, 1, most));
}

async function playBuckets(stage: Stage): Promise<void> {
  const reference = await open(stage);
  const names = [BUCKET, "afk", "web"];
  for (const name of names.slice(1)) {
    await stage.storage.createBucket(bucketOf(name));
    reference.createBucket(bucketOf(name));
  }
  const random = randomOf(31);
  for (let step = 1; step <= 600; step++) {
    await churn(stage, reference, random, step * 100, names[step % 3] as string);
    if (step % 40 === 0) {
      await stage.reopen();
      reference.reopen();
    }
    if (step % 300 === 0) await finish(stage, reference, `after ${step} steps`);
  }
}
