import { HEAD, type Mistake, OPENED, READ, YIELD } from "./mistake.js";

const OVERLAPS = "overlaps(event, start, end)";
const READERS = `${OPENED}
  let readers = 0;
  const waiting = [];
  const over = () => {
    if (--readers === 0) for (const go of waiting.splice(0)) go();
  };`;
const PULLS = `for (let at = 0; at < found.length; at += CHUNK) ${YIELD}`;

export const READS: readonly Mistake[] = [
  {
    mistake: "events are ordered by timestamp alone",
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
    mistake: "the end of a range does not belong to it",
    caught: "an event is in a range exactly when it overlaps or touches it",
    promise: "bothEnds",
    told: "range -2 to 0: 0 events (expected 7), at 0: expected { id: 2",
    edits: [[OVERLAPS, "event.timestamp < end && endOf(event) >= start"]],
  },
  {
    mistake: "only events that begin within the range are found",
    caught: "a long event is found however far back it began",
    promise: "readEvents",
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
    edits: [["select(shelfOf(current(), bucketId), range).length", "select(shelfOf(current(), bucketId)).length"]],
  },
  {
    mistake: "a read ends with an empty chunk",
    caught: "no chunk is empty, and an empty answer has no chunk",
    promise: "readEvents",
    told: "first pull of an empty bucket: expected true, got false",
    edits: [[PULLS, `${PULLS}\n      yield [];`]],
  },
  {
    mistake: "a read goes on over what is there now, not over what was there at its first pull",
    caught: "a read shows the bucket as it was at its first pull",
    promise: "snapshot",
    told: "8336 events (expected 5001), at 1000: expected { id: 1001",
    edits: [[`${READ}\n      ${PULLS}`, readsLive()]],
  },
  {
    mistake: "an unknown bucket reads as an empty one",
    caught: "an unknown bucket rejects the first pull, not the call",
    promise: "readUnknown",
    told: "first pull: expected a rejection with NO_SUCH_BUCKET, got { value: undefined, done: true }",
    edits: [[READ, "const found = select(current().shelves.get(bucketId) ?? { events: [] }, range);"]],
  },
  {
    mistake: "an unknown bucket makes the call of `readEvents` throw",
    caught: "an unknown bucket rejects the first pull, not the call",
    promise: "readUnknown",
    told: "readEvents threw before the first pull: ActivityError (NO_SUCH_BUCKET): no bucket named 'window'",
    edits: [
      ["async *readEvents(bucketId, range) {", "readEvents(bucketId, range) {"],
      [PULLS, `return (async function* () {\n        ${PULLS}\n      })();`],
    ],
  },
  {
    mistake: "what a read holds is freed at its end only, not when its consumer stops early",
    caught: "a reader that stops early leaves a storage that works and closes",
    promise: "readStops",
    told: "putEvents neither resolved nor rejected for 1 s",
    edits: [
      [OPENED, READERS],
      [PULLS, `readers++;\n      ${PULLS}\n      over();`],
      [
        "current();\n    const [changed",
        "if (readers > 0) await new Promise((go) => waiting.push(go));\n    const [changed",
      ],
    ],
  },
  {
    mistake: "a cache of reads outlives the writes",
    caught: "a resolved write is seen by the next read, count and lookup",
    promise: "visible",
    told: "expected { id: 1, timestamp: 0, duration: 5",
    edits: [
      [HEAD, `const cache = new Map();\n${HEAD}`],
      [
        READ,
        `const key = JSON.stringify([bucketId, range]);
      const found = cache.get(key) ?? select(shelfOf(current(), bucketId), range);
      cache.set(key, found);`,
      ],
    ],
  },
];

function readsLive(): string {
  return `for (let at = 0; ; at += CHUNK) {
        ${READ}
        if (at >= found.length) return;
        ${YIELD}
      }`;
}
