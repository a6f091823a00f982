import type { ActivityServer, PrivacyRule } from "../../src/index.js";

/** Long work on what is stored. */
export interface Operation {
  readonly name: string;
  /** Work that comes first, where nothing fails. */
  before?(server: ActivityServer): Promise<unknown>;
  /** Does what is left of it to be done; nothing where all was done. */
  run(server: ActivityServer): Promise<unknown>;
  /** Whether it takes back what was done before. */
  readonly takesBack: boolean;
}

const START = Date.UTC(2024, 2, 1);
export const BUCKETS: readonly string[] = ["a", "b", "c"];
const EVENTS = 400;
const RULES: readonly PrivacyRule[] = [
  { when: { key: "app", equals: "bank" }, then: "drop" },
  { when: { key: "app", equals: "mail" }, then: { redact: { keys: ["title"] } } },
];

/** Buckets whose events overlap; each event has a number of its own. */
export async function fill(server: ActivityServer): Promise<void> {
  for (const [at, id] of BUCKETS.entries()) {
    const events = Array.from({ length: EVENTS }, (_, index) => ({
      timestamp: new Date(START + index * 60_000 + at * 7_000),
      duration: "10s" as const,
      data: { number: at * EVENTS + index, app: ["bank", "mail", "code"][index % 3] as string, title: `page ${index}` },
    }));
    await server.buckets.create(id, { type: "t", client: "c", hostname: id }, events);
  }
}

/** Numbers of all events of `fill`. */
export const NUMBERS: readonly number[] = Array.from({ length: BUCKETS.length * EVENTS }, (_, index) => index);

async function merge(server: ActivityServer): Promise<void> {
  if (!(await server.buckets.list()).some(({ id }) => id === "b")) return;
  await server.identity.merge("a", { from: ["b", "c"], overlaps: "cut-older" });
}

async function deleteMany(server: ActivityServer): Promise<void> {
  await server.events.deleteMatchingIn({ buckets: BUCKETS, filter: ["app=bank"] });
}

async function deleteFew(server: ActivityServer): Promise<void> {
  await server.events.deleteMatching("a", { filter: ["title~^page 1.$"] });
}

async function deleteBucket(server: ActivityServer): Promise<void> {
  await server.buckets.delete("b");
}

/** Takes back whatever can be. */
export async function takeBack(server: ActivityServer): Promise<void> {
  for (const { id } of await server.identity.undoable()) await server.identity.undo(id);
  // A bucket comes before events of it, which would make one of its id.
  const entries = (await server.trash.list()).sort((a, b) => a.kind.localeCompare(b.kind));
  for (const { id } of entries) await server.trash.restore(id);
}

export const OPERATIONS: readonly Operation[] = [
  { name: "a merging", run: merge, takesBack: false },
  { name: "the undo of a merging", before: merge, run: takeBack, takesBack: true },
  { name: "a deletion by filter in several buckets", run: deleteMany, takesBack: false },
  {
    name: "the restoration of all there is",
    async before(server) {
      for (const each of [deleteMany, deleteFew, deleteBucket]) await each(server);
    },
    run: takeBack,
    takesBack: true,
  },
  { name: "privacy rules over the past", run: (server) => server.privacy.apply({ rules: RULES }), takesBack: false },
  {
    name: "the undo of privacy rules",
    before: (server) => server.privacy.apply({ rules: RULES }),
    run: takeBack,
    takesBack: true,
  },
];
