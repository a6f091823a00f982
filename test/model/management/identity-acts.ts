import { APPS, HOSTS, timeOf } from "./chooser.js";
import { isRenamed, merge, relabel, undo } from "./identity.js";
import { POLICIES } from "./overlaps.js";
import type { Act } from "./planned.js";
import { HIDDEN, Refusal } from "./state.js";

interface Undoable {
  readonly undo: string | null;
}

const NO_UNDO: Undoable = { undo: null };

function redirectOf(until: number | null | undefined): boolean | Date {
  return until === undefined ? false : until === null ? true : timeOf(until);
}

type IdentityKind = "rename" | "renameHost" | "merge" | "undo" | "deleteRedirect" | "privacy";

/** Operations that can be undone, and what undoes them. */
export const IDENTITY_ACTS: Readonly<Record<IdentityKind, Act>> = {
  rename(server, chooser) {
    const [from, to, until] = [chooser.bucket()?.id ?? chooser.id(), chooser.id(), chooser.until()];
    return {
      what: `rename ${from} to ${to}`,
      ask: () => server.identity.rename(from, { to, redirect: redirectOf(until) }),
      expect({ undo: undoId }: Undoable = NO_UNDO) {
        if (from === to) throw new Refusal("INVALID_INPUT");
        if (isRenamed(chooser.model, from, to)) throw new Refusal("CONFLICT");
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
      ask: () => server.identity.renameHost(old, { to: hostname, redirect: redirectOf(until), renameBuckets }),
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
        const done = await server.identity.merge(into, { from, overlaps: policy, redirect: redirectOf(until) });
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
        const { buckets: applied } = await server.privacy.apply({
          rules: [{ when: { key: "app", equals: app }, then }],
        });
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
};
