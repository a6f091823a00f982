// long: 900 s
// Every operation, with every kind of key, in several spellings of its path, by each door, against docs/keys.md.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ERRORS } from "../../src/api/errors.js";
import type { Operation } from "../../src/api/operation.js";
import { OPERATION_LIST } from "../../src/api/operations.js";
import { IS_LONG } from "../faults/sizes.js";
import { EXPRESS_HOSTS } from "../hosts/express.js";
import { HONO_HOSTS } from "../hosts/hono.js";
import type { Host, Site } from "../hosts/site.js";
import { WEB_HOSTS } from "../hosts/web-standard.js";
import type { Headers } from "../http/client.js";
import { sender } from "../http/client.js";
import { codesIn, tableOf } from "../readme/markdown.js";
import { type Guarded, guarded, OTHER, OWN, RECORD, type Setting, SPARE } from "./servers.js";

const test = suite("what each operation needs");

const COLUMNS = [
  "no keys at all",
  "no key",
  "no key, required",
  "read",
  "append",
  "write",
  "other bucket",
  "admin",
  "bad key",
] as const;
type Column = (typeof COLUMNS)[number];

const EXPECTED: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  tableOf("docs/keys.md", "Route").map(([route, , ...cells]) => [
    codesIn(route)[0] ?? "",
    Object.fromEntries(COLUMNS.map((column, index) => [column, cells[index] ?? ""])),
  ]),
);

/** Which requests a column of the table is about: a setting, and a header or the name of a key. */
interface Caller {
  readonly column: Column;
  readonly setting: Setting;
  readonly name: string;
  readonly authorization: (keys: Guarded["keys"]) => string | readonly string[] | undefined;
}

const BOTH: readonly Setting[] = ["keys, optional", "keys, required"];

function withKey(column: Column, name: string, settings: readonly Setting[] = BOTH): Caller[] {
  return settings.map((setting) => ({ column, setting, name, authorization: (keys) => keys[name] }));
}

function withText(column: Column, setting: Setting, text: string): Caller {
  return { column, setting, name: JSON.stringify(text), authorization: () => text };
}

function without(column: Column, setting: Setting): Caller {
  return { column, setting, name: "no header", authorization: () => undefined };
}

function doubled(setting: Setting, names: readonly string[]): Caller {
  const authorization: Caller["authorization"] = (keys) => names.map((name) => keys[name] ?? name);
  return { column: "bad key", setting, name: `twice: ${names}`, authorization };
}

const UNKNOWN = `Bearer as_${"A".repeat(43)}`;

const CALLERS: readonly Caller[] = [
  without("no keys at all", "no keys at all"),
  // A header that somebody else wants means nothing to who has no keys.
  ...["Basic abc", "Bearer", UNKNOWN].map((text) => withText("no keys at all", "no keys at all", text)),
  without("no key", "keys, optional"),
  without("no key, required", "keys, required"),
  without("no key, required", "api key"),
  ...["read", "append", "write"].flatMap((name) => withKey(name as Column, name, [...BOTH, "api key"])),
  ...["read:other", "append:other", "write:other"].flatMap((name) => withKey("other bucket", name)),
  ...withKey("admin", "admin"),
  withText("admin", "keys, required", "Bearer the control token"),
  withText("admin", "api key", "Bearer the api key"),
  ...["expired", "revoked"].flatMap((name) => withKey("bad key", name)),
  ...BOTH.flatMap((setting) => [
    ...["", "Bearer", "Bearer as_", "bearer x", "Basic YTpi", UNKNOWN].map((text) =>
      withText("bad key", setting, text),
    ),
    { column: "bad key" as const, setting, name: "no scheme", authorization: schemeless },
    doubled(setting, ["admin", "admin"]),
    doubled(setting, ["read", "admin"]),
    doubled(setting, ["admin", "Basic YTpi"]),
  ]),
  withText("bad key", "api key", "Bearer the api kez"),
];

function schemeless(keys: Guarded["keys"]): string | undefined {
  return keys["admin"]?.replace("Bearer ", "");
}

/** A way to write a request that means the same. */
interface Spelling {
  readonly name: string;
  readonly method?: (method: string) => string;
  readonly path: (path: string) => string;
}

const SPELLINGS: readonly Spelling[] = [
  { name: "as it is", path: (path) => path },
  { name: "a slash behind", path: (path) => path.replace(/(?=\?|$)/, "/") },
  { name: "doubled slashes", path: (path) => `/${path.replace("/0/", "//0///")}` },
  { name: "escaped letters", path: (path) => path.replace("/api/0/", "/%61p%69/%30/").replaceAll("own_", "%6Fw%6e_") },
  { name: "dots", path: (path) => path.replace("/api/0/", "/api/x/../0/./%2e/") },
  { name: "a question behind", path: (path) => `${path}${path.includes("?") ? "&" : "?"}key=as_x&token=y` },
  { name: "HEAD", method: (method) => (method === "GET" ? "HEAD" : method), path: (path) => path },
];

/** A server in its own socket, or in somebody else's program. */
const DOORS: readonly Host[] = [
  {
    name: "a socket of its own",
    async start(mounts) {
      const { port, close } = await (mounts[0] as { server: Guarded["server"] }).server.listen({ port: 0 });
      const client = sender(port);
      const open = () => Promise.reject(new Error("not needed"));
      const end = (): Promise<void> => {
        client.close();
        return close();
      };
      return { send: client.send, origin: "", urls: [], open, close: end };
    },
  },
  EXPRESS_HOSTS[0] as Host,
  HONO_HOSTS[0] as Host,
  WEB_HOSTS[0] as Host,
];

let made = 0;

/** A request that an operation carries out, and the status that says so. */
function requestOf(id: string, { method, path }: Operation): { path: string; body?: unknown; status: number } {
  const bucketId = id === "deleteBucket" ? SPARE : OWN;
  const values: Readonly<Record<string, string>> = { bucketId, eventId: "1", key: "theme", keyName: "phone" };
  const query: Readonly<Record<string, string>> = { heartbeat: "?pulsetime=5", deleteBucket: "?force=1" };
  const bodies: Readonly<Record<string, unknown>> = {
    createBucket: RECORD,
    updateBucket: { name: "n" },
    setBucketAccess: { access: "open" },
    insertEvents: [{ timestamp: "2024-03-01T10:00:00Z", data: {} }],
    heartbeat: { timestamp: "2024-03-01T10:00:00Z", data: {} },
    query: { timeperiods: ["2024-03-01/2024-03-02"], query: ["RETURN = query_bucket_names();"] },
    importBuckets: { buckets: { [OWN]: { ...RECORD, events: [] } } },
    putSetting: { is: "dark" },
    refuseSetting: {},
    createKey: { name: `made-${made++}`, scopes: ["read:x"] },
  };
  const sent = path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? "") + (query[id] ?? "");
  const status = id === "createBucket" ? 304 : id === "refuseSetting" ? 400 : 200;
  return { path: sent, status, ...(method === "GET" || method === "DELETE" ? {} : { body: bodies[id] ?? {} }) };
}

/** What a restricted key may see of the buckets. */
const VISIBLE: Readonly<Record<string, readonly string[]>> = {
  read: [OWN, SPARE],
  append: [],
  write: [OWN, SPARE],
  "read:other": [OTHER],
  "append:other": [],
  "write:other": [OTHER],
};

/** One cell of the table, by one caller in one spelling. */
interface Trial {
  readonly id: string;
  readonly operation: Operation;
  readonly caller: Caller;
  readonly spelling: Spelling;
}

function trials(): readonly Trial[] {
  const all = Object.entries(OPERATION_LIST).flatMap(([id, operation]) =>
    CALLERS.flatMap((caller) => SPELLINGS.map((spelling) => ({ id, operation, caller, spelling }))),
  );
  const [plain] = SPELLINGS;
  // Each caller of each operation as it is; of the other spellings some, another choice for each operation.
  return IS_LONG ? all : all.filter(({ spelling }, index) => spelling === plain || index % 8 === 0);
}

function cellOf({ operation, caller }: Trial): string {
  const route = `${operation.method} ${operation.path.replace(/:(\w+)/g, "{$1}")}`;
  const cell = EXPECTED.get(route)?.[caller.column];
  if (cell === undefined) throw new Error(`docs/keys.md does not say what ${route} needs`);
  return cell;
}

async function play(trial: Trial, { server, keys, writes }: Guarded, site: Site): Promise<void> {
  const { id, operation, caller, spelling } = trial;
  const cell = cellOf(trial);
  if (id === "deleteBucket") await server.buckets.create(SPARE, RECORD);
  const { path, body, status } = requestOf(id, operation);
  const authorization = caller.authorization(keys);
  // Several values become several lines.
  const headers = (authorization === undefined ? {} : { Authorization: authorization }) as Headers;
  const method = spelling.method?.(operation.method) ?? operation.method;
  const before = writes();
  const answer = await site.send(method, spelling.path(path), body, headers);
  const text = answer.body.toString();
  const place = `${id} ${method} ${spelling.path(path)} by ${caller.name} (${caller.setting}): ${answer.status} ${text}`;
  if (/^\d+$/.test(cell)) {
    assert.is(answer.status, Number(cell), place);
    assert.is(writes(), before, `${place}: written`);
    if (cell === "401" && method !== "HEAD") {
      assert.equal(JSON.parse(text), ERRORS.UNAUTHORIZED.example, place);
    }
    return;
  }
  assert.is(answer.status, status, place);
  if (cell !== "own" || method === "HEAD") return;
  const value = JSON.parse(text) as { readonly buckets?: object };
  const seen = Array.isArray(value) ? value[0] : Object.keys(id === "exportBuckets" ? (value.buckets ?? {}) : value);
  assert.equal([...(seen as string[])].sort(), [...(VISIBLE[caller.name] ?? [])].sort(), place);
}

test("the table has a row for each operation, and nothing else", () => {
  const routes = Object.values(OPERATION_LIST).map(
    ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`,
  );
  assert.equal([...EXPECTED.keys()].sort(), routes.sort());
});

/** Answers to wrong keys wait for a tenth of a second, one after another; thousands of them need not. */
async function withoutPace(body: () => Promise<void>): Promise<void> {
  const { setTimeout } = globalThis;
  const hasty = (then: () => void, millis?: number) => setTimeout(then, millis === 100 ? 0 : millis);
  Object.assign(globalThis, { setTimeout: Object.assign(hasty, setTimeout) });
  try {
    await body();
  } finally {
    Object.assign(globalThis, { setTimeout });
  }
}

for (const door of DOORS) {
  test(`by ${door.name} each request gets what the table says`, () =>
    withoutPace(async () => {
      const servers = new Map<Setting, { readonly guarded: Guarded; readonly site: Site }>();
      for (const { setting } of CALLERS) {
        if (servers.has(setting)) continue;
        const made = await guarded(setting);
        servers.set(setting, { guarded: made, site: await door.start([{ prefix: "", server: made.server }]) });
      }
      const failures: string[] = [];
      let count = 0;
      try {
        for (const trial of trials()) {
          const at = servers.get(trial.caller.setting);
          if (at === undefined) continue;
          count++;
          await play(trial, at.guarded, at.site).catch((error: Error) =>
            failures.push(error.message.split("\n")[0] ?? ""),
          );
        }
      } finally {
        for (const { guarded: made, site } of servers.values()) {
          await site.close();
          await made.server.close();
        }
      }
      assert.equal(failures.slice(0, 20), [], `${failures.length} of ${count} cells`);
      assert.ok(count > 2000, String(count));
    }));
}

test.run();
