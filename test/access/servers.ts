// Servers with keys of every kind, and storages that tell whether anything was written.
import { memory } from "../../adapters/memory.js";
import { type ActivityServer, createActivityServer, type KeyScope, type Storage } from "../../src/index.js";
import { signIn } from "./scene.js";

/** The bucket that requests name; keys of the columns `read`, `append` and `write` are for it. */
export const OWN = "own_desk";
/** A bucket like it, for what deletes. */
export const SPARE = "own_spare";
/** The bucket that keys of the column `other bucket` are for. */
export const OTHER = "other_desk";

export const RECORD = { type: "t", client: "c", hostname: "h" } as const;

/** How a server lets in. */
export type Setting = "no keys at all" | "keys, optional" | "keys, required" | "api key";

export interface Guarded {
  readonly setting: Setting;
  readonly server: ActivityServer;
  /** Headers by the kind of key. */
  readonly keys: Readonly<Record<string, string>>;
  /** How many writes have reached the storage, those for keys and their use left out. */
  readonly writes: () => number;
  /** Moves the clock of the server, in milliseconds. */
  readonly advance: (millis: number) => void;
  /** The time of the server, in Unix milliseconds. */
  readonly now: () => number;
}

const WRITES: readonly (keyof Storage)[] = [
  ...(["createBucket", "updateBucket", "deleteBucket"] as const),
  ...(["putEvents", "mergeEvents", "heartbeat", "deleteEvents"] as const),
];

/** A storage that counts what is written to it. */
export function watched(storage: Storage): { readonly storage: Storage; readonly writes: () => number } {
  let writes = 0;
  const spied = Object.fromEntries(
    WRITES.map((name) => [
      name,
      (...given: never[]) => {
        writes++;
        return (storage[name] as (...all: never[]) => unknown)(...given);
      },
    ]),
  );
  const { settings } = storage;
  const watchedStorage = {
    ...storage,
    ...spied,
    settings: {
      ...settings,
      put(key: string, value: never) {
        writes++;
        return settings.put(key, value);
      },
      delete(key: string) {
        writes++;
        return settings.delete(key);
      },
    },
    records(kind: string) {
      const records = storage.records(kind);
      return {
        ...records,
        compareAndSet(...given: Parameters<typeof records.compareAndSet>) {
          if (kind !== "key-uses") writes++;
          return records.compareAndSet(...given);
        },
      };
    },
  };
  return { storage: watchedStorage as Storage, writes: () => writes };
}

const SCOPES: Readonly<Record<string, readonly KeyScope[]>> = {
  read: ["read:own_*"],
  append: ["append:own_*"],
  write: ["write:own_*"],
  "read:other": ["read:other_*"],
  "append:other": ["append:other_*"],
  "write:other": ["write:other_*"],
  admin: ["admin"],
  phone: ["read:*"],
};

/** Makes a server with buckets and, but for one setting, with keys. */
export async function guarded(setting: Setting): Promise<Guarded> {
  let now = Date.UTC(2024, 2, 1, 9);
  const { storage, writes } = watched(memory());
  const server = createActivityServer({
    storage,
    clock: () => now,
    testing: true,
    ...(setting === "keys, required" ? { auth: "required", controlToken: "the control token" } : {}),
    ...(setting === "api key" ? { apiKey: "the api key" } : {}),
  });
  for (const id of [OWN, SPARE, OTHER]) {
    await server.buckets.create(id, RECORD);
    await server.events.insert(id, { timestamp: "2024-03-01T08:00:00Z", duration: "60s", data: { secret: id } });
  }
  const keys: Record<string, string> = {};
  if (setting !== "no keys at all") {
    for (const [name, scopes] of Object.entries(SCOPES)) {
      keys[name] = `Bearer ${(await server.keys.add({ name: name.replace(":", "."), scopes })).key}`;
    }
    const hour = new Date(now + 3_600_000);
    keys["expired"] = `Bearer ${(await server.keys.add({ name: "old", scopes: ["admin"], expires: hour })).key}`;
    keys["revoked"] = `Bearer ${(await server.keys.add({ name: "gone", scopes: ["admin"] })).key}`;
    await server.keys.revoke("gone");
    now += 3_600_000;
    // Its end is written down once.
    const headers = { authorization: keys["expired"] };
    await server.fetch("http://localhost:5600/api/0/buckets", { headers });
  }
  const advance = (millis: number): void => {
    now += millis;
  };
  return { setting, server, keys, writes, advance, now: () => now };
}

/** Where a page of the server is, whatever door its requests take. */
const OWN_PAGE = { Host: "localhost", Origin: "http://localhost" } as const;

/** Signs a page in. @returns what it knows from now on, as headers: `proved()` makes proofs of the secret */
export async function signedIn({ server }: Pick<Guarded, "server">): Promise<Record<string, string>> {
  const { cookie, secret } = await signIn(server, OWN_PAGE.Origin, { host: OWN_PAGE.Host });
  return { ...OWN_PAGE, Cookie: cookie, "X-Activity-Session": secret };
}

/** Headers of sessions that open nothing, by what is wrong with them. Moves the clock by a month. */
export async function foreignSessions(
  guarded: Guarded,
): Promise<Record<string, Readonly<Record<string, string | readonly string[]>>>> {
  const expired = await signedIn(guarded);
  guarded.advance(31 * 24 * 3_600_000);
  const { "X-Activity-Session": _, ...cookieOnly } = await signedIn(guarded);
  const { Origin: ___, ...typed } = await signedIn(guarded);
  const { Cookie: __, ...secretOnly } = await signedIn(guarded);
  const [one, two] = [await signedIn(guarded), await signedIn(guarded)];
  const before = new Set((await guarded.server.sessions.list()).map(({ id }) => id));
  const ended = await signedIn(guarded);
  const added = (await guarded.server.sessions.list()).find(({ id }) => !before.has(id));
  await guarded.server.sessions.end(added?.id ?? "");
  return {
    "cookie only": cookieOnly,
    "secret only": secretOnly,
    // Several values become several lines.
    "doubled secret": {
      ...one,
      "X-Activity-Session": [one["X-Activity-Session"] ?? "", one["X-Activity-Session"] ?? ""],
    },
    "cookie of one, secret of another": { ...one, "X-Activity-Session": two["X-Activity-Session"] ?? "" },
    // Trusted in testing mode, and yet no page of the server.
    "other origin": { ...one, Origin: "http://localhost:27180" },
    "typed by somebody": { ...typed, "Sec-Fetch-Site": "none" },
    ended,
    expired,
  };
}

/** Answers to wrong keys wait for a tenth of a second, one after another; thousands of them need not. */
export async function withoutPace(body: () => Promise<void>): Promise<void> {
  const { setTimeout } = globalThis;
  const hasty = (then: () => void, millis?: number) => setTimeout(then, millis === 100 ? 0 : millis);
  Object.assign(globalThis, { setTimeout: Object.assign(hasty, setTimeout) });
  try {
    await body();
  } finally {
    Object.assign(globalThis, { setTimeout });
  }
}
