import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import type { JsonObject } from "../../src/domain/json.js";
import { BUCKET, finish, open, put } from "./beside.js";
import { draftOf, idsOf, intOf, randomOf, read, type Scenario, type Stage } from "./case.js";
import { sameEvent, sameEvents } from "./check.js";
import { DATA, randomData, TEXTS } from "./values.js";

/** Every kind of event in such numbers that an adapter packs them. */
export const kinds: readonly Scenario[] = [
  { name: "thousands of events of one instant stay apart by id", play: playOneInstant },
  { name: "thousands of events with data of every kind come back as they were given", play: playData },
  { name: "thousands of events of every time, length and id come back as they were given", play: playTimes },
];

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
      const expected = reference.read(BUCKET, { limit });
      sameEvents("readOrder", await read(storage, BUCKET, { limit }), expected, `newest ${limit} of one instant`);
    }
  });
  await put(stage, reference, [draftOf(at - 1), draftOf(at + 1), draftOf(at, 1, "last")]);
  await finish(stage, reference, "one instant");
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
  // The merge target is an event of long ago: its data must be found equal to those of the beat.
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
