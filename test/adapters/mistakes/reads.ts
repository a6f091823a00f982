import { BATCHES, COUNT, type Mistake, OPENED, READ, ROWS, YIELDS } from "./mistake.js";

const OVERLAPS = "overlaps(event, start, end)";

export const READS: readonly Mistake[] = [
  {
    mistake: "events are ordered only by timestamp",
    caught: "events come newest first, or oldest first when asked; ties by id",
    promise: "readOrder",
    told: "expected [ 4, 900, 6, 3, 1, 800, 5, 2, 7 ], got [ 4, 1, 3, 6, 900, 2, 5, 800, 7 ]",
    edits: [["found.reverse()", "found.sort((a, b) => b.timestamp - a.timestamp)"]],
  },
  {
    mistake: "the limit is applied before the order",
    caught: "a limit takes the first events of the order asked for",
    promise: "readLimit",
    told: "limit 1, newest: 1 events (expected 1), at 0: expected { id: 2500",
    edits: [
      [
        '(order === "newest" ? found.reverse() : found).slice(0, limit)',
        'order === "newest" ? found.slice(0, limit).reverse() : found.slice(0, limit)',
      ],
    ],
  },
  {
    mistake: "a limit of 0 counts as none",
    caught: "a limit of 0 reads nothing, and rejects for an unknown bucket",
    promise: "readLimit",
    told: "events read with limit 0: expected 0, got 1",
    edits: [["slice(0, limit)", "slice(0, limit || Infinity)"]],
  },
  {
    mistake: "rows come in the order of time within each batch",
    caught: "no batch is empty, and an empty answer has no batch",
    promise: "read",
    told: "all batches, newest first: 4321 events (expected 4321), at 0: expected { id: 4321",
    edits: [
      ["EventBatch.from(events.slice(at, at + ROWS))", "EventBatch.from(events.slice(at, at + ROWS).sort(byTime))"],
    ],
  },
  {
    mistake: "the end of a range does not belong to it",
    caught: "an event is in a range exactly when it overlaps or touches it",
    promise: "bothEnds",
    told: "range -2 to 0: 0 events (expected 7), at 0: expected { id: 2",
    edits: [[OVERLAPS, "event.timestamp < end && endOf(event) >= start"]],
  },
  {
    mistake: "only events that begin within the range are found",
    caught: "a long event is found however far back it began",
    promise: "read",
    told: "0 events (expected 1), at 0: expected { id: 1, timestamp: 0, duration: 946728000000000",
    edits: [[OVERLAPS, "event.timestamp >= start && event.timestamp <= end"]],
  },
  {
    mistake: "a negative duration counts as none",
    caught: "a range may be open at either end",
    promise: "bothEnds",
    told: '{"start":4}: expected [ 3 ], got [ 3, 4 ]',
    edits: [[OVERLAPS, "event.timestamp <= end && Math.max(event.timestamp, endOf(event)) >= start"]],
  },
  {
    mistake: "events are cut to the range",
    caught: "an event that reaches beyond a range is read whole",
    promise: "noValidation",
    told: "got { id: 1, timestamp: 25, duration: 75",
    edits: [
      [
        `events.filter((event) => ${OVERLAPS})`,
        `events.filter((event) => ${OVERLAPS}).map((event) => {
    const timestamp = Math.max(event.timestamp, start);
    return { ...event, timestamp, duration: endOf(event) - timestamp };
  })`,
      ],
    ],
  },
  {
    mistake: "the count forgets the range",
    caught: "a range may be open at either end",
    promise: "countEvents",
    told: '{"start":-4}: expected 3, got 4',
    edits: [
      [
        `${COUNT} select(stateOf(await current(), bucketId), range)`,
        `${COUNT} select(stateOf(await current(), bucketId))`,
      ],
    ],
  },
  {
    mistake: "a read ends with an empty batch",
    caught: "no batch is empty, and an empty answer has no batch",
    promise: "batches",
    told: "a batch holds no event",
    edits: [[YIELDS, `${YIELDS}\n  yield EventBatch.from([]);`]],
  },
  {
    mistake: "batches come without the ids of their events",
    caught: "stored events are answered in the order of their drafts",
    promise: "batches",
    told: "lengths of columns: expected [ 4, 4, 4 ], got [ 4, 4, undefined ]",
    edits: [
      [
        "yield EventBatch.from(events.slice(at, at + ROWS));",
        "yield EventBatch.of({ ...EventBatch.from(events.slice(at, at + ROWS)), ids: null, datas: events.map((each) => each.data) });",
      ],
    ],
  },
  {
    mistake: "a read continues over the current events, not those at its start",
    caught: "a read shows the bucket as it was when the read resolved",
    promise: "snapshot",
    told: "8335 events (expected 5001), at 1000: expected { id: 1001",
    edits: [
      [
        BATCHES,
        `const live = async function* () {
        for (let at = 0; ; at += 1000) {
          const now = select(stateOf(await current(), bucketId), range);
          if (at >= now.length) return;
          yield EventBatch.from(now.slice(at, at + 1000));
        }
      };
      return { version: undefined, batches: live() };`,
      ],
      ["import { deviceIdIn", "import { EventBatch, deviceIdIn"],
    ],
  },
  {
    mistake: "a batch shows the columns of the bucket, which later writes change",
    caught: "a batch is the same after every kind of write",
    promise: "batchStays",
    told: "a batch after many writes: ",
    edits: [
      [ROWS, `${ROWS}\nconst columns = new Float64Array(ROWS);`],
      [
        "yield EventBatch.from(events.slice(at, at + ROWS));",
        `{
    const batch = EventBatch.from(events.slice(at, at + ROWS));
    columns.set(batch.ids);
    const { timestamps, durations, datas } = batch;
    yield EventBatch.of({ timestamps, durations, datas, ids: columns.subarray(0, batch.length) });
  }`,
      ],
    ],
  },
  {
    mistake: "an unknown bucket reads as an empty one",
    caught: "an unknown bucket rejects the read",
    promise: "noSuchBucket",
    told: "read: expected a rejection with NO_SUCH_BUCKET, got { version: undefined, batches: ",
    edits: [[READ, "const found = select((await current()).buckets.get(bucketId) ?? { events: [] }, range);"]],
  },
  {
    mistake: "an unknown bucket rejects the first batch, not the read",
    caught: "an unknown bucket rejects the read",
    promise: "noSuchBucket",
    told: "read: expected a rejection with NO_SUCH_BUCKET, got { version: undefined, batches: ",
    edits: [
      [READ, "const state = await current();"],
      [
        BATCHES,
        `const lazily = async function* () {
        yield* batchesOf(select(stateOf(state, bucketId), range));
      };
      return { version: undefined, batches: lazily() };`,
      ],
    ],
  },
  {
    mistake: "what a read holds is freed at its end only, not when its consumer stops early",
    caught: "a reader that stops early leaves a storage that works and closes",
    promise: "readStops",
    told: "putEvents neither resolved nor rejected for 1 s",
    edits: [
      [
        OPENED,
        `${OPENED}
  let readers = 0;
  const waiting = [];
  async function* counted(batches) {
    readers++;
    yield* batches;
    if (--readers === 0) for (const go of waiting.splice(0)) go();
  }`,
      ],
      [BATCHES, "return { version: undefined, batches: counted(batchesOf(found)) };"],
      [
        "const [changed, answer] = change(newest);",
        "if (readers > 0) await new Promise((go) => waiting.push(go));\n    const [changed, answer] = change(newest);",
      ],
    ],
  },
  {
    mistake: "a cache of reads outlives the writes",
    caught: "a resolved write is seen by the next read, count and lookup",
    promise: "visible",
    told: "expected { id: 1, timestamp: 0, duration: 5",
    edits: [
      [OPENED, `${OPENED}\n  const cache = new Map();`],
      [
        READ,
        `const key = JSON.stringify([bucketId, range]);
      const found = cache.get(key) ?? select(stateOf(await current(), bucketId), range);
      cache.set(key, found);`,
      ],
    ],
  },
  {
    mistake: "the version of a bucket is the number of its events",
    caught: "version: another one after every change of events",
    promise: "version",
    told: "a heartbeat that merges led to '4', which was used before",
    edits: [
      [
        COUNT,
        `versions: (ids) => ids.map((id) => kept.buckets.get(id) && String(kept.buckets.get(id).events.length)),
    ${COUNT}`,
      ],
    ],
  },
  {
    mistake: "versions are counted from 0 at each opening",
    caught: "version: none is used again after a reopening",
    promise: "version",
    told: "'2' stands for [ 0 ] and for [ 101, 100, 2, 1, 0 ]",
    edits: [
      [OPENED, `${OPENED}\n  let changes = 0;`],
      [COUNT, `versions: (ids) => ids.map(() => String(changes)),\n    ${COUNT}`],
      ["newest = changed;", "newest = changed;\n    changes++;"],
    ],
  },
  {
    mistake: "a read reports the version at its end, not the one that it shows",
    caught: "version: a read during a write never tells a version that it does not show",
    promise: "readVersion",
    told: "events of a read with version",
    edits: [
      [OPENED, `${OPENED}\n  let changes = 0;`],
      [COUNT, `versions: (ids) => ids.map(() => String(changes)),\n    ${COUNT}`],
      ["newest = changed;", "newest = changed;\n    changes++;"],
      [BATCHES, "return { version: String(changes), batches: batchesOf(found) };"],
    ],
  },
];
