// long: 900 s
// Every operation, with every kind of key, in several spellings of its path, against docs/guides/keys.md.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { exampleOf } from "../../src/api/errors.js";
import type { Operation } from "../../src/api/operation.js";
import { OPERATION_LIST } from "../../src/api/operations.js";
import { connect } from "../../src/client/index.js";
import { IS_LONG } from "../faults/sizes.js";
import { type Headers, type Send, sender } from "../harness.js";
import { codesIn, tableOf } from "../readme/markdown.js";
import { proved } from "./proofs.js";
import {
  foreignSessions,
  type Guarded,
  guarded,
  OTHER,
  OWN,
  RECORD,
  type Setting,
  SPARE,
  signedIn,
  withoutPace,
} from "./servers.js";

const test = suite("what each operation needs");

const COLUMNS = [
  ...(["no keys at all", "no key", "no key, required", "read", "append", "write"] as const),
  ...(["other bucket", "admin", "session", "foreign session", "bad key"] as const),
];
type Column = (typeof COLUMNS)[number];

const CELLS = new Map(tableOf("docs/reference/access.md", "Needs").map(([needs, ...cells]) => [needs, cells]));

const EXPECTED: ReadonlyMap<string, Readonly<Record<string, string | undefined>>> = new Map(
  tableOf("docs/reference/access.md", "Route").map(([route, needs]) => [
    codesIn(route)[0] ?? "",
    Object.fromEntries(COLUMNS.map((column, index) => [column, CELLS.get(needs)?.[index]])),
  ]),
);

/** Which requests a column of the table is about: a setting, and a header or the name of a key. */
interface Caller {
  readonly column: Column;
  readonly setting: Setting;
  readonly name: string;
  readonly authorization: (keys: Guarded["keys"]) => string | readonly string[] | undefined;
  /** The name of a session that the request brings. */
  readonly session?: string;
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

function withSession(column: Column, setting: Setting, session: string): Caller {
  return { column, setting, name: `session: ${session}`, authorization: () => undefined, session };
}

const FOREIGN_SESSIONS = [
  ...["cookie only", "secret only", "doubled secret", "cookie of one, secret of another"],
  ...["other origin", "typed by somebody", "ended", "expired"],
];
const ALL: readonly Setting[] = ["no keys at all", "keys, optional", "keys, required", "api key"];

const PROXY_HEADERS = [
  ...["Basic YTpi", "basic YTpi", 'Digest username="a", realm="b, c"', "Negotiate YTpi=", "NTLM YTpi="],
];

const UNKNOWN = `Bearer as_${"A".repeat(43)}`;

const CALLERS: readonly Caller[] = [
  without("no keys at all", "no keys at all"),
  // A header that somebody else wants means nothing to who has no keys.
  ...["Basic abc", "Bearer", UNKNOWN].map((text) => withText("no keys at all", "no keys at all", text)),
  without("no key", "keys, optional"),
  // Of a proxy in front, which asks for a password of its own and passes that on.
  ...PROXY_HEADERS.flatMap((text) => [
    withText("no key", "keys, optional", text),
    withText("no key, required", "keys, required", text),
    withText("no key, required", "api key", text),
  ]),
  ...ALL.map((setting) => ({
    ...withSession("session", setting, "own"),
    ...{ name: "session: own, behind a proxy", authorization: () => "Basic YTpi" },
  })),
  without("no key, required", "keys, required"),
  without("no key, required", "api key"),
  ...["read", "append", "write"].flatMap((name) => withKey(name as Column, name, [...BOTH, "api key"])),
  ...["read:other", "append:other", "write:other"].flatMap((name) => withKey("other bucket", name)),
  ...withKey("admin", "admin"),
  withText("admin", "keys, required", "Bearer the control token"),
  withText("admin", "api key", "Bearer the api key"),
  ...ALL.map((setting) => withSession("session", setting, "own")),
  ...FOREIGN_SESSIONS.flatMap((session) => [
    withSession("foreign session", "keys, required", session),
    // It is no credentials at all.
    withSession("no key", "keys, optional", session),
  ]),
  withSession("no keys at all", "no keys at all", "cookie only"),
  withSession("foreign session", "api key", "ended"),
  ...["expired", "revoked"].flatMap((name) => withKey("bad key", name)),
  ...BOTH.flatMap((setting) => [
    ...["", "Bearer", "Bearer as_", "bearer x", "Token YTpi", UNKNOWN].map((text) =>
      withText("bad key", setting, text),
    ),
    { column: "bad key" as const, setting, name: "no scheme", authorization: schemeless },
    doubled(setting, ["admin", "admin"]),
    doubled(setting, ["read", "admin"]),
    doubled(setting, ["admin", "Basic YTpi"]),
    doubled(setting, ["Basic YTpi", "admin"]),
    ...['Digest username="a", Bearer x', "Basic YTpi, Bearer x", "Basic YTpi, Basic YTpi"].map((text) =>
      withText("bad key", setting, text),
    ),
  ]),
  withText("bad key", "api key", "Bearer the api kez"),
];

function peersOf({ column, setting }: Caller): string {
  return `${column} (${setting})`;
}

const OPERATION_IDS = Object.keys(OPERATION_LIST);

/** Whether a caller tries an operation: in the short tests those that the table says the same of take turns. */
function isWanted(id: string, caller: Caller): boolean {
  const peers = CALLERS.filter((each) => peersOf(each) === peersOf(caller));
  return IS_LONG || peers[OPERATION_IDS.indexOf(id) % peers.length] === caller;
}

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

/** Requests in all. */
const LEAST = IS_LONG ? 2000 : 1000;

let made = 0;

/** What has to be there for a request, and what it has to name. */
interface Preparation {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Headers;
}

async function asked({ server }: Guarded): Promise<{ readonly code: string; readonly secret: string }> {
  for (const { code } of await server.pairing.list()) await server.pairing.refuse(code);
  return connect(server).pairing.request({ name: "tablet", scopes: ["read:x"] });
}

async function withSpare({ server }: Guarded): Promise<Preparation> {
  await server.buckets.create(SPARE, RECORD);
  return {};
}

/** A redirect whose bucket is gone: lists stay as they are. */
async function withRedirect({ server }: Guarded): Promise<Preparation> {
  const [from, to] = ["own_renamed", "own_new"];
  if (!(await server.identity.redirects()).some((redirect) => redirect.from === from)) {
    await server.buckets.create(from, RECORD);
    await server.identity.rename(from, { to });
    await server.buckets.delete(to);
  }
  return { params: { redirectedId: from } };
}

async function withEvent({ server }: Guarded): Promise<Preparation> {
  const { id } = await server.events.insert(OWN, { timestamp: "2024-03-01T08:00:00Z", duration: "1s" });
  return { params: { eventId: String(id) } };
}

/** An event of a bucket that was deleted. */
async function withTrash({ server }: Guarded): Promise<Preparation> {
  const { id } = await server.events.insert(OWN, { timestamp: "2024-03-01T08:00:00Z", duration: "1s" });
  const before = new Set((await server.trash.list()).map((entry) => entry.id));
  await server.events.delete(OWN, id ?? 0);
  const made = (await server.trash.list()).find((entry) => !before.has(entry.id));
  return { params: { entryId: made?.id ?? "" } };
}

const PREPARED: Readonly<Record<string, (guarded: Guarded) => Promise<Preparation>>> = {
  deleteBucket: withSpare,
  // An answer shows which buckets there are.
  listBuckets: withSpare,
  exportBuckets: withSpare,
  query: withSpare,
  splitEvent: withEvent,
  moveEvent: withEvent,
  restoreTrash: withTrash,
  deleteTrash: withTrash,
  mergeBuckets: withSpare,
  deleteRedirect: withRedirect,
  async undo({ server }) {
    const { undo } = await server.identity.setHostname(OWN, { hostname: `host-${made++}` });
    return { params: { undoId: undo ?? "" } };
  },
  async signIn({ server }) {
    const headers = { Host: "localhost:5600", Origin: "http://localhost:5600" };
    return { body: { token: (await server.sessions.createLink()).token }, headers };
  },
  async endSession(guarded) {
    const before = new Set((await guarded.server.sessions.list()).map(({ id }) => id));
    await signedIn(guarded);
    const made = (await guarded.server.sessions.list()).find(({ id }) => !before.has(id));
    return { params: { sessionId: made?.id ?? "" } };
  },
  async requestPairing({ server }) {
    for (const { code } of await server.pairing.list()) await server.pairing.refuse(code);
    return { body: { name: "tablet", scopes: ["read:x"] } };
  },
  collectPairing: async (guarded) => ({ body: { secret: (await asked(guarded)).secret } }),
  approvePairing: async (guarded) => ({ params: { code: (await asked(guarded)).code } }),
  refusePairing: async (guarded) => ({ params: { code: (await asked(guarded)).code } }),
};

/** A request that an operation carries out, and the status that says so. */
function requestOf(
  id: string,
  { method, path, body: { "application/json": given } = {} }: Operation,
  prepared: Preparation,
): { path: string; body?: unknown; status: number } {
  const bucketId = id === "deleteBucket" ? SPARE : OWN;
  const values: Readonly<Record<string, string>> = {
    ...{ bucketId, eventId: "1", key: "theme", keyName: "phone", extensionOrigin: "moz-extension:%2F%2Fa" },
    hostname: RECORD.hostname,
    ...prepared.params,
  };
  const query: Readonly<Record<string, string>> = { heartbeat: "?pulsetime=5", deleteBucket: "?force=1" };
  const bodies: Readonly<Record<string, unknown>> = {
    createBucket: RECORD,
    updateBucket: { name: "n" },
    setBucketAccess: { access: "open" },
    insertEvents: [{ timestamp: "2024-03-01T10:00:00Z", data: {} }],
    heartbeat: { timestamp: "2024-03-01T10:00:00Z", data: {} },
    query: { timeperiods: ["2024-03-01/2024-03-02"], query: ["RETURN = query_bucket_names();"] },
    // The data name their bucket.
    report: { date: "2024-03-01", groups: ["t:secret"] },
    classify: { data: [{ app: "editor" }] },
    importBuckets: { buckets: { [OWN]: { ...RECORD, events: [] } } },
    putSetting: { is: "dark" },
    refuseSetting: {},
    approvePairing: {},
    deleteEvents: { filter: ["app=nothing"] },
    deleteEventsOfAll: { buckets: [OWN], filter: ["app=nothing"] },
    splitEvent: { at: "2024-03-01T08:00:00.5Z" },
    moveEvent: { bucket: OTHER },
    renameBucket: { to: "own_else", preview: true },
    mergeBuckets: { from: [SPARE], preview: true },
    setBucketHost: { hostname: "else", preview: true },
    renameHost: { to: "else", preview: true },
    createKey: { name: `made-${made++}`, scopes: ["read:x"] },
  };
  const sent = path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? "") + (query[id] ?? "");
  const status = id === "createBucket" ? 304 : id === "refuseSetting" ? 400 : 200;
  const body = prepared.body ?? bodies[id] ?? given?.example ?? {};
  return { path: sent, status, ...(method === "GET" || method === "DELETE" ? {} : { body }) };
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

/** Where there are no keys a session makes the first one: such a server is there for one request. */
function endsSetting({ id, caller }: Trial): boolean {
  return caller.setting === "no keys at all" && caller.session === "own" && id === "createKey";
}

/** Has none to revoke: the path is there, and the key is not. */
function findsNoKey({ id, caller }: Trial): boolean {
  return caller.setting === "no keys at all" && caller.session === "own" && id === "revokeKey";
}

function trials(): readonly Trial[] {
  const all = Object.entries(OPERATION_LIST).flatMap(([id, operation]) =>
    CALLERS.filter((caller) => isWanted(id, caller)).flatMap((caller) =>
      SPELLINGS.map((spelling) => ({ id, operation, caller, spelling })),
    ),
  );
  // Each caller of each operation as it is; of the other spellings some, another choice for each operation.
  return all.filter(({ spelling }, index) => IS_LONG || spelling === SPELLINGS[0] || index % 24 === 0);
}

function cellOf({ operation, caller }: Trial): string {
  const route = `${operation.method} ${operation.path.replace(/:(\w+)/g, "{$1}")}`;
  const cell = EXPECTED.get(route)?.[caller.column];
  if (cell === undefined) throw new Error(`docs/reference/access.md does not say what ${route} needs`);
  return cell;
}

type Sessions = Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;

async function play(trial: Trial, made: Guarded, sessions: Sessions, send: Send): Promise<void> {
  const { id, operation, caller, spelling } = trial;
  const { keys, writes } = made;
  // Who is signed in at another origin does not sign in at this one.
  const cell = id === "signIn" && /other origin|typed/.test(caller.name) ? "403" : cellOf(trial);
  const prepared = (await PREPARED[id]?.(made)) ?? {};
  const { path, body, status } = requestOf(id, operation, prepared);
  const authorization = caller.authorization(keys);
  // It ends the session that it comes with.
  const own = id === "signOut" && caller.session === "own" ? await signedIn(made) : sessions[caller.session ?? ""];
  const headers = {
    ...(caller.session?.startsWith("typed") ? {} : prepared.headers),
    ...own,
    // Several values become several lines.
    ...(authorization === undefined ? {} : { Authorization: authorization }),
  } as Headers;
  // The response to an allowed GET would not end.
  const isEndless = id === "readFeed" && !/^\d+$/.test(cell);
  const method = isEndless ? "HEAD" : (spelling.method?.(operation.method) ?? operation.method);
  const before = writes();
  const shown = proved(headers, method, spelling.path(path), made.now(), "");
  const answer = await send(method, spelling.path(path), body, shown);
  const text = answer.body.toString();
  const place = `${id} ${method} ${spelling.path(path)} by ${caller.name} (${caller.setting}): ${answer.status} ${text}`;
  if (/^\d+$/.test(cell)) {
    assert.is(answer.status, Number(cell), place);
    assert.is(writes(), before, `${place}: written`);
    if (cell === "401" && method !== "HEAD") {
      assert.equal(JSON.parse(text), exampleOf("UNAUTHORIZED"), place);
    }
    return;
  }
  if (findsNoKey(trial)) {
    assert.is(answer.status, 404, place);
    assert.match(text, "no key is named", place);
    return;
  }
  assert.is(answer.status, status, place);
  if (cell !== "own" || method === "HEAD") return;
  const visible = VISIBLE[caller.name] ?? [];
  const named = [OWN, SPARE, OTHER].filter((bucket) => text.includes(JSON.stringify(bucket)));
  if (!LISTS_BUCKETS.includes(id))
    assert.equal(
      named.filter((bucket) => !visible.includes(bucket)),
      [],
      place,
    );
  else assert.equal(named.sort(), [...visible].sort(), place);
}

/** Name every visible bucket in their responses. */
const LISTS_BUCKETS: readonly string[] = ["listBuckets", "exportBuckets", "query"];

test("the table has a row for each operation, and nothing else", () => {
  const routes = Object.values(OPERATION_LIST).map(
    ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`,
  );
  assert.equal([...EXPECTED.keys()].sort(), routes.sort());
});

/** A server, with the sessions that requests bring. */
interface Place {
  readonly guarded: Guarded;
  readonly sessions: Sessions;
  readonly send: Send;
  close(): Promise<void>;
}

async function placeOf(setting: Setting): Promise<Place> {
  const made = await guarded(setting);
  const sessions = { ...(await foreignSessions(made)), own: await signedIn(made) };
  const { port } = await made.server.listen({ port: 0 });
  const { send, close } = sender(port);
  const end = (): Promise<void> => {
    close();
    return made.server.close();
  };
  return { guarded: made, sessions, send, close: end };
}

function nameOf({ id, caller }: Pick<Trial, "id" | "caller">): string {
  return `${id} by ${caller.name} (${peersOf(caller)})`;
}

/** Operations with callers, and how often they were tried. */
const tried = new Map<string, number>();

test("each request gets what the table says", () =>
  withoutPace(async () => {
    const places = new Map<Setting, Place>();
    const failures: string[] = [];
    let count = 0;
    const tell = ({ message }: Error): void => void failures.push(message.split("\n")[0] ?? "");
    try {
      for (const setting of ALL) places.set(setting, await placeOf(setting));
      for (const trial of trials()) {
        const { setting } = trial.caller;
        const place = endsSetting(trial) ? await placeOf(setting) : places.get(setting);
        if (place === undefined) continue;
        const cell = nameOf(trial);
        tried.set(cell, (tried.get(cell) ?? 0) + 1);
        count++;
        await play(trial, place.guarded, place.sessions, place.send).catch(tell);
        if (endsSetting(trial)) await place.close();
      }
    } finally {
      for (const place of places.values()) await place.close();
    }
    assert.equal(failures.slice(0, 20), [], `${failures.length} of ${count} requests`);
    assert.ok(count > LEAST, String(count));
  }));

test("every caller was tried, and every operation with every kind of caller", () => {
  const named = CALLERS.map((caller) => `${caller.name} (${peersOf(caller)})`);
  assert.is(new Set(named).size, CALLERS.length, "two callers have one name");
  const cells = OPERATION_IDS.flatMap((id) =>
    CALLERS.filter((caller) => isWanted(id, caller)).map((caller) => ({ id, caller })),
  );
  assert.is(new Set(cells.map(({ caller }) => caller)).size, CALLERS.length);
  const holes = cells.map(nameOf).filter((cell) => !tried.has(cell));
  const requests = [...tried.values()].reduce((sum, count) => sum + count, 0);
  const size = `${OPERATION_IDS.length} operations, ${CALLERS.length} callers: ${cells.length} cells`;
  console.log(`\n${size}; ${requests} requests; ${holes.length} holes`);
  assert.equal(holes.slice(0, 20), [], `${holes.length} holes`);
});

test.run();
