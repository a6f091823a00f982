import type { ActivityServer, RetentionRule } from "../../../src/index.js";
import { APPS, type Chooser, HOSTS, inputOf, timeOf } from "./chooser.js";
import { merge, relabel, undo } from "./identity.js";
import { POLICIES } from "./overlaps.js";
import { type Event, HIDDEN, Refusal } from "./state.js";
import type { StepKind } from "./steps.js";

/** A call of the server, and what the model makes of it. */
export interface Planned {
  readonly what: string;
  ask(): Promise<unknown>;
  /**
   * Does the same to the model.
   *
   * @param answer `undefined` where the server refused
   * @returns what the answer must be, if that says anything
   * @throws Refusal
   */
  expect(answer: never): unknown;
}

type Act = (server: ActivityServer, chooser: Chooser) => Planned | undefined;

interface Undoable {
  readonly undo: string | null;
}
interface Deleted {
  readonly entryId: string | null;
}

const BUCKET = { type: "t", client: "c" };
const NO_UNDO: Undoable = { undo: null };

function redirectOf(until: number | null | undefined): boolean | Date {
  return until === undefined ? false : until === null ? true : timeOf(until);
}

const RULES: readonly RetentionRule[] = [
  { buckets: "*", summarizeAfterDays: 1 },
  { buckets: "a*", dropShorterThan: 20 },
  { buckets: "c*", keepDays: 20 },
];

export const ACTS: Readonly<Record<Exclude<StepKind, "wait" | "restart" | "kill">, Act>> = {
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
      expect: ({ entryId }: Deleted) => chooser.model.deleteEvents([[bucket, [event]]], entryId),
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
          ? server.events.deleteMatchingIn({}, selection, { permanent })
          : server.events.deleteMatching(bucket.id, selection, { permanent }),
      expect: ({ entryId }: Deleted) => model.deleteEvents(found, entryId),
    };
  },

  deleteBucket(server, chooser) {
    const [id, permanent] = [chooser.id(), chooser.isOnce(4)];
    return {
      what: `delete ${id}`,
      ask: () => server.buckets.delete(id, { permanent }),
      expect: (answer?: Deleted) => chooser.model.deleteBucket(id, answer?.entryId ?? null),
    };
  },

  restore(server, chooser) {
    const entry = chooser.one(chooser.model.trash);
    if (entry === undefined) return undefined;
    const [bucketId, merge] = [chooser.isOnce(4) ? chooser.id() : undefined, chooser.isOnce(2)];
    return {
      what: `restore ${entry.items.map((item) => item.bucketId)} to ${bucketId ?? "where it was"}`,
      ask: () => server.trash.restore(entry.id, { bucketId, merge }),
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
        model.trash = model.trash.filter((each) => each !== entry);
      },
    };
  },

  rename(server, chooser) {
    const [from, to, until] = [chooser.bucket()?.id ?? chooser.id(), chooser.id(), chooser.until()];
    return {
      what: `rename ${from} to ${to}`,
      ask: () => server.identity.rename(from, to, { redirect: redirectOf(until) }),
      expect({ undo: undoId }: Undoable = NO_UNDO) {
        if (from === to) throw new Refusal("INVALID_INPUT");
        relabel(chooser.model, [{ from, to, hostname: undefined }], { until, undoId: undoId ?? "" });
      },
    };
  },

  renameHost(server, chooser) {
    const { model } = chooser;
    const [old, hostname, until] = [chooser.one(HOSTS) as string, chooser.one(HOSTS) as string, chooser.until()];
    const renameBuckets = chooser.isOnce(2);
    return {
      what: `rename the host ${old} to ${hostname}`,
      ask: () => server.identity.renameHost(old, hostname, { redirect: redirectOf(until), renameBuckets }),
      expect({ undo: undoId }: Undoable = NO_UNDO) {
        if (old === hostname) throw new Refusal("INVALID_INPUT");
        const found = [...model.buckets.values()].filter((bucket) => bucket.hostname === old);
        if (found.length === 0) throw new Refusal("CONFLICT");
        const labels = found.map(({ id: from }) => {
          const isNamed = renameBuckets && from.endsWith(`_${old}`);
          return { from, to: isNamed ? `${from.slice(0, -old.length)}${hostname}` : from, hostname };
        });
        relabel(model, labels, { until, undoId: undoId ?? "" });
      },
    };
  },

  merge(server, chooser) {
    const buckets = [...chooser.model.buckets.keys()];
    if (buckets.length < 2) return undefined;
    const into = chooser.one(buckets) as string;
    const from = [chooser.one(buckets) as string];
    if (chooser.isOnce(3)) from.push(chooser.one(buckets) as string);
    const [policy, until] = [chooser.one(POLICIES) as (typeof POLICIES)[number], chooser.until()];
    let entryId = "";
    return {
      what: `merge ${from} into ${into} (${policy})`,
      async ask() {
        const done = await server.identity.merge(into, from, { overlaps: policy, redirect: redirectOf(until) });
        const known = new Set(chooser.model.trash.map(({ id }) => id));
        entryId = (await server.trash.list()).find(({ id }) => !known.has(id))?.id ?? "";
        return done;
      },
      expect({ undo: undoId }: Undoable = NO_UNDO) {
        merge(chooser.model, { into, from, policy, until, undoId: undoId ?? "", entryId });
      },
    };
  },

  undo(server, chooser) {
    const found = chooser.one(chooser.model.undos);
    if (found === undefined) return undefined;
    return {
      what: `undo a ${found.kind}`,
      ask: async () => (await server.identity.undo(found.id)).kept,
      expect: () => undo(chooser.model, found),
    };
  },

  deleteRedirect(server, chooser) {
    const id = chooser.one([...chooser.model.redirects.keys(), chooser.id()]) as string;
    return {
      what: `delete the redirect of ${id}`,
      ask: () => server.identity.deleteRedirect(id),
      expect() {
        if (!chooser.model.redirects.delete(id)) throw new Refusal("NO_SUCH_REDIRECT");
      },
    };
  },

  privacy(server, chooser) {
    const { model } = chooser;
    const [app, isDrop] = [chooser.one(APPS) as string, chooser.isOnce(2)];
    const then = isDrop ? "drop" : ({ redact: { keys: ["app"], with: HIDDEN } } as const);
    const known = new Set(model.trash.map(({ id }) => id));
    let entries = new Map<string, string>();
    return {
      what: `${isDrop ? "drop" : "hide"} ${app}`,
      async ask() {
        const applied = await server.privacy.apply({ rules: [{ when: { key: "app", equals: app }, then }] });
        const made = (await server.trash.list()).filter(({ id }) => !known.has(id));
        entries = new Map(made.map(({ id, buckets }) => [buckets[0]?.bucketId as string, id]));
        return applied.map(({ bucketId, undo: undoId }) => [bucketId, undoId] as const);
      },
      expect(applied: readonly (readonly [string, string])[]) {
        const about = [...model.buckets.values()].filter(({ events }) => events.some((event) => event.app === app));
        const undos = new Map(applied);
        const ids = about.map(({ id }) => [id, [undos.get(id) as string, entries.get(id) as string]] as const);
        model.applyPrivacy(app, isDrop, new Map(ids));
        return applied.filter(([id]) => entries.has(id));
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
