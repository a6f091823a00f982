import type { StoredEvent } from "../../src/domain/event.js";
import { BUCKET, finish, open, put } from "./beside.js";
import { bucketOf, draftOf, idsOf, intOf, randomOf, type Scenario, type Stage } from "./case.js";
import { same, sameEvent } from "./check.js";
import type { Reference } from "./reference.js";

/** Thousands of events in every order: drives an adapter with segments through its flushes and compactions. */
export const volume: readonly Scenario[] = [
  { name: "five thousand events put at once are all there", play: playAtOnce },
  { name: "events put newest first, slice by slice, are read in order", play: playBackwards },
  { name: "events put in random order are read in order", play: playShuffled },
  { name: "thousands of heartbeats between inserts leave every event right", play: playBeats },
  { name: "every second event may be edited, then every third deleted", play: playThinned },
  { name: "random inserts, heartbeats, edits and deletions agree with a plain model", play: playChurn },
  {
    name: "several buckets in turn, with reopenings between, agree with a plain model",
    needs: "reopen",
    play: playBuckets,
  },
];

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
    if (step % 40 === 0) await stage.reopen();
    if (step % 300 === 0) await finish(stage, reference, `after ${step} steps`);
  }
}
