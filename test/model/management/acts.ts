import type { DomainOf } from "../../../src/api/codec.js";
import type { RetentionRule } from "../../../src/index.js";
import { APPS, HOSTS, inputOf, timeOf } from "./chooser.js";
import { IDENTITY_ACTS } from "./identity-acts.js";
import type { Act } from "./planned.js";
import { type Event, HIDDEN } from "./state.js";
import type { StepKind } from "./steps.js";

interface Deleted {
  readonly entry: string | null;
}

const BUCKET = { type: "t", client: "c" };

const RULES: readonly RetentionRule[] = [
  { buckets: "*", summarizeAfterDays: 1 },
  { buckets: "a*", dropShorterThan: 20 },
  { buckets: "c*", keepDays: 20 },
];

export const ACTS: Readonly<Record<Exclude<StepKind, "wait" | "restart" | "kill">, Act>> = {
  ...IDENTITY_ACTS,

  create(server, chooser) {
    const [id, hostname, events] = [chooser.id(), chooser.one(HOSTS) as string, chooser.drafts()];
    return {
      what: `create ${id}`,
      ask: () => server.buckets.create(id, { ...BUCKET, hostname }, events.map(inputOf)),
      expect: () => chooser.model.create(id, hostname, events),
    };
  },

  heartbeat(server, chooser) {
    const [id, beat, pulsetime] = [
      chooser.id(),
      { ...chooser.draft(), length: 0 },
      chooser.one([5, 50, 200]) as number,
    ];
    return {
      what: `heartbeat to ${id}`,
      ask: () => server.heartbeat(id, inputOf(beat), { seconds: pulsetime }),
      expect: () => chooser.model.heartbeat(id, beat, pulsetime),
    };
  },

  insert(server, chooser) {
    const [id, events] = [chooser.id(), [chooser.draft(), ...chooser.drafts()]];
    return {
      what: `insert into ${id}`,
      ask: () => server.events.insert(id, events.map(inputOf)),
      expect: () => chooser.model.insert(id, events),
    };
  },

  insertMany(server, chooser) {
    const [id, events] = [chooser.id(), chooser.manyDrafts()];
    return {
      what: `insert ${events.length} into ${id}`,
      ask: () => server.events.insert(id, events.map(inputOf)),
      expect: () => chooser.model.insert(id, events),
    };
  },

  edit(server, chooser) {
    const found = chooser.event();
    if (found === undefined) return undefined;
    const [bucket, event] = found;
    const changed: Event = { ...event };
    const how = chooser.below(5);
    if (how === 0) changed.at += 10 * (1 + chooser.below(20));
    else if (how === 1) changed.length = Math.max(0, changed.length - 10 * (1 + chooser.below(3)));
    else if (how === 2) changed.length += 10 * (1 + chooser.below(10));
    else if (how === 3) changed.app = chooser.one(APPS) as string;
    else changed.at -= 10 * (1 + chooser.below(20));
    return {
      what: `edit ${event.id} in ${bucket.id}`,
      ask: () => server.events.insert(bucket.id, inputOf(changed)),
      expect: () => chooser.model.put(bucket, [changed]),
    };
  },

  move(server, chooser) {
    const [found, target] = [chooser.event(), chooser.bucket()];
    if (found === undefined || target === undefined) return undefined;
    const [bucket, event] = found;
    return {
      what: `move ${event.id} from ${bucket.id} to ${target.id}`,
      ask: () => server.events.move(bucket.id, event.id as number, target.id),
      expect: () => chooser.model.move(bucket, event, target),
    };
  },

  split(server, chooser) {
    const found = chooser.event();
    if (found === undefined) return undefined;
    const [bucket, event] = found;
    const at = event.at + 10 * chooser.below(5);
    return {
      what: `split ${event.id} in ${bucket.id}`,
      ask: () => server.events.split(bucket.id, event.id as number, timeOf(at)),
      expect: () => chooser.model.split(bucket, event, at),
    };
  },

  deleteEvent(server, chooser) {
    const found = chooser.event();
    if (found === undefined) return undefined;
    const [[bucket, event], permanent] = [found, chooser.isOnce(4)];
    return {
      what: `delete ${event.id} in ${bucket.id}`,
      ask: () => server.events.delete(bucket.id, event.id as number, { permanent }),
      expect: ({ entry }: Deleted) => chooser.model.deleteEvents([[bucket, [event]]], entry),
    };
  },

  deleteMatching(server, chooser) {
    const { model } = chooser;
    const [{ start, end }, app, bucket, permanent] = [
      chooser.range(),
      chooser.one([...APPS, HIDDEN]) as string,
      chooser.isOnce(2) ? chooser.bucket() : undefined,
      chooser.isOnce(4),
    ];
    const selection = { start: timeOf(start), end: timeOf(end), filter: [`app=${app}`] };
    const chosen = bucket === undefined ? [...model.buckets.values()] : [bucket];
    const found = chosen.map((each) => [each, model.find(each, { start, end, app })] as const);
    return {
      what: `delete ${app} in ${bucket?.id ?? "all buckets"}`,
      ask: () =>
        bucket === undefined
          ? server.events.deleteMatchingIn({ ...selection, permanent })
          : server.events.deleteMatching(bucket.id, { ...selection, permanent }),
      expect({ entry, buckets }: DomainOf<"EventsDeletion">) {
        // Buckets are in the order of their creation, in which their events are restored.
        const order = buckets.map(({ bucketId }) => bucketId);
        const inOrder = found.toSorted(([a], [b]) => order.indexOf(a.id) - order.indexOf(b.id));
        model.deleteEvents(inOrder, entry ?? null);
      },
    };
  },

  deleteBucket(server, chooser) {
    const [id, permanent] = [chooser.id(), chooser.isOnce(4)];
    return {
      what: `delete ${id}`,
      ask: () => server.buckets.delete(id, { permanent }),
      expect: (answer?: Deleted) => chooser.model.deleteBucket(id, answer?.entry ?? null),
    };
  },

  restore(server, chooser) {
    const entry = chooser.one(chooser.model.trash);
    if (entry === undefined) return undefined;
    const [bucketId, merge] = [chooser.isOnce(4) ? chooser.id() : undefined, chooser.isOnce(2)];
    return {
      what: `restore ${entry.items.map((item) => item.bucketId)} to ${bucketId ?? "where it was"}`,
      ask: () => server.trash.restore(entry.id, { bucket: bucketId, merge }),
      expect: () => chooser.model.restore(entry, bucketId, merge),
    };
  },

  erase(server, chooser) {
    const { model } = chooser;
    const entry = chooser.one(model.trash);
    if (entry === undefined) return undefined;
    return {
      what: "delete from the trash",
      ask: () => server.trash.delete(entry.id),
      expect: () => {
        model.entry(entry.id);
        model.trash = model.trash.filter((each) => each !== entry);
      },
    };
  },

  retain(server, chooser) {
    const rules = RULES.filter(() => chooser.isOnce(2));
    return {
      what: "carry retention rules out",
      async ask() {
        await server.settings.put("retention_rules", rules as never);
        await server.retention.run();
      },
      expect: () => chooser.model.retain(rules),
    };
  },

  export(server, chooser) {
    const bucket = chooser.bucket();
    if (bucket === undefined) return undefined;
    let text = "";
    return {
      what: `export ${bucket.id}`,
      async ask() {
        for await (const piece of server.export(bucket.id)) text += piece;
      },
      expect() {
        const { id, hostname, created, events } = bucket;
        chooser.model.exports.push({ text, id, hostname, created, events: events.map((event) => ({ ...event })) });
      },
    };
  },

  import(server, chooser) {
    const exported = chooser.one(chooser.model.exports);
    if (exported === undefined) return undefined;
    return {
      what: `import ${exported.id}`,
      ask: async () => void (await server.import(exported.text)),
      expect: () => chooser.model.import(exported),
    };
  },
};
