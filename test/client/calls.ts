// One play of calls that touches every method and every kind of refusal, to be carried out over any way to a server.
import { type ActivityClient, type ClientDeleted, isActivityClientError } from "../../src/client/index.js";

/** What a call came to: its value, or what is to be known of its error. */
export type Outcome = readonly [call: string, value: unknown];

const BUCKET = { type: "currentwindow", client: "test", hostname: "desk" } as const;
const AT = new Date("2024-03-01T10:00:00Z");
const PROGRAM = "RETURN = [NAME, query_bucket('window')];";

/** Whether a deletion can be taken back; the id of its entry is random. */
async function keptOf(deletion: Promise<ClientDeleted | undefined>): Promise<boolean | undefined> {
  const deleted = await deletion;
  return deleted && typeof deleted.entry === "string";
}

async function insertedInto(client: ActivityClient, count: number): Promise<{ readonly ids: readonly number[] }> {
  const events = Array.from({ length: count }, (_, index) => ({ timestamp: `2024-04-0${index + 1}` }));
  return { ids: (await client.events.insert("window", events)).map(({ id }) => id ?? 0) };
}

/** The calls in their order; each meets what those before it have left. */
const CALLS: Readonly<Record<string, (client: ActivityClient) => unknown>> = {
  info: (client) => client.info(),
  "no buckets": (client) => client.buckets.list(),
  "create a bucket": (client) => client.buckets.create("window", BUCKET),
  "create it again": (client) => client.buckets.create("window", { ...BUCKET, type: "other" }),
  "create another": (client) => client.buckets.create("a/b ?#%ü", { ...BUCKET, data: { a: [1] } }),
  "create one with events": (client) =>
    client.buckets.create("full", { ...BUCKET, created: AT, events: [{ timestamp: AT, duration: 5 }] }),
  "get a bucket": (client) => client.buckets.get("a/b ?#%ü"),
  "get one that is not there": (client) => client.buckets.get("nothing"),
  "update a bucket": (client) => client.buckets.update("window", { name: "Windows" }),
  "update one that is not there": (client) => client.buckets.update("nothing", { name: "x" }),
  "a heartbeat": (client) => client.heartbeat("window", { timestamp: AT, data: { app: "a" } }, 60),
  "another heartbeat": (client) =>
    client.heartbeat("window", { timestamp: "2024-03-01T11:00:30.25+01:00", data: { app: "a" } }, 60),
  "a heartbeat to nowhere": (client) => client.heartbeat("nothing", { timestamp: AT }, 60),
  "a heartbeat without sense": (client) => client.heartbeat("window", { timestamp: "yesterday" }, 60),
  "a pulsetime without sense": (client) => client.heartbeat("window", { timestamp: AT }, Number.NaN),
  "insert an event": (client) => client.events.insert("window", { timestamp: "2024-03-02", duration: 1.5 }),
  "insert events": (client) =>
    client.events.insert("window", [{ timestamp: "2024-03-03" }, { timestamp: "2024-03-04", data: { __proto__: 1 } }]),
  "insert no events": (client) => client.events.insert("window", []),
  "insert a bad event": (client) => client.events.insert("window", [{ timestamp: AT, id: 0.5 }]),
  "list events": (client) => client.events.list("window"),
  "list events of a range": (client) => client.events.list("window", { start: AT, end: "2024-03-02", limit: 5 }),
  "list the newest event": (client) => client.events.list("window", { limit: 1 }),
  "list half an event": (client) => client.events.list("window", { limit: 0.5 }),
  "get an event": (client) => client.events.get("window", 2),
  "get one that has gone": (client) => client.events.get("window", 99),
  "count events": (client) => client.events.count("window"),
  "count those of a range": (client) => client.events.count("window", { start: "2024-03-02T00:00:00+00:00" }),
  "events to draw": (client) => client.events.timeline("window"),
  "bins to draw": (client) => client.events.timeline("window", { start: AT, end: "2024-03-03T00:00:00Z", bins: 1 }),
  "no bins to draw": (client) => client.events.timeline("window", { bins: 0 }),
  "delete an event": (client) => keptOf(client.events.delete("window", 3)),
  "delete it again": (client) => keptOf(client.events.delete("window", 3)),
  "delete several events": async (client) => {
    const { ids } = await insertedInto(client, 3);
    const [first = 0, second = 0, third = 0] = ids;
    const { count } = await client.events.deleteMany("window", [first, third, first, 99_999]);
    const kept = await keptOf(client.events.deleteMany("window", [second], { permanent: true }));
    return [count, kept, await keptOf(client.events.deleteMany("window", []))];
  },
  "delete several events nowhere": (client) => client.events.deleteMany("nothing", [1]),
  query: (client) =>
    client.query({ timeperiods: ["2024-03-01/2024-03-02", { start: AT, end: AT }], query: PROGRAM, name: "n" }),
  "query in lines": (client) => client.query({ timeperiods: ["2024-03-01/2024-03-02"], query: ["RETURN =", "1;"] }),
  "query with a mistake": (client) => client.query({ timeperiods: ["2024-03-01/2024-03-02"], query: "RETURN = x;" }),
  "put a setting": (client) => client.settings.put("start of/day", "04:00"),
  "put nothing": (client) => client.settings.put("none", null),
  "put false": (client) => client.settings.put("off", false),
  "list settings": (client) => client.settings.list(),
  "get a setting": (client) => client.settings.get("start of/day"),
  "get one that is not set": (client) => client.settings.get("toString"),
  "get one with too long a key": (client) => client.settings.get("k".repeat(128)),
  "delete a setting": (client) => client.settings.delete("off"),
  "export all": (client) => client.export(),
  "export one": (client) => client.buckets.export("window"),
  "export nothing": (client) => client.buckets.export("nothing"),
  "export all as text": (client) => textOf(client.exportText()),
  "export one as text": (client) => textOf(client.buckets.exportText("full")),
  "export nothing as text": (client) => textOf(client.buckets.exportText("nothing")),
  "export one as a table": (client) => textOf(client.buckets.exportCsv("full", { limit: 1 })),
  "export nothing as a table": (client) => textOf(client.buckets.exportCsv("nothing")),
  "import what is there": async (client) => client.import(await client.export()),
  "import a text": async (client) => client.import(await textOf(client.buckets.exportText("full"))),
  "import a file": (client) => client.import(new Blob(['{"buckets":{"new":{"type":"","client":"","hostname":""}}}'])),
  "import what is no document": (client) => client.import('{"buckets":[]}'),
  "what retention did": (client) => client.retention.log(),
  "try rules of retention": (client) => client.retention.preview([{ buckets: "full", keepDays: 1 }]),
  "try those that are set": (client) => client.retention.preview(),
  "try a rule that cannot be": (client) => client.retention.preview([{ buckets: "full" }]),
  // In process the server tells everything of its storage.
  health: async (client) => (await client.health()).status,
  "delete a bucket": (client) => keptOf(client.buckets.delete("full")),
  "delete it twice": (client) => client.buckets.delete("full"),
  "all buckets": (client) => client.buckets.list(),
  "names that no path can hold": (client) => outcomesOf(["", ".", ".."].map((name) => client.buckets.delete(name))),
  "half a sign": (client) => client.buckets.get("\ud800"),
  "a time that is none": (client) => client.events.list("window", { start: new Date(Number.NaN) }),
  "a period that is none": (client) =>
    client.query({ timeperiods: [{ start: AT, end: new Date(Number.NaN) }], query: "RETURN = 1;" }),
  "what JSON cannot hold": (client) => client.events.insert("window", { timestamp: AT, data: { big: 1n } }),
  "too little time": (client) => client.info({ timeoutMillis: 0 }),
};

/** Carries all calls out, one after the other. */
export async function play(client: ActivityClient): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [name, call] of Object.entries(CALLS)) {
    const [value] = await outcomesOf([(async () => call(client))()]);
    outcomes.push([name, value]);
  }
  return outcomes;
}

/** Gives the text that arrives in pieces. */
export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

async function outcomesOf(calls: readonly Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : shownError(outcome.reason)));
}

/** An error without what differs between ways: the place of the server. */
function shownError(error: unknown): Readonly<Record<string, unknown>> {
  if (!isActivityClientError(error)) throw error;
  const { code, method, url = "", status, serverMessage, message } = error;
  const path = url.replace(/^https?:\/\/[^/]+/, "");
  return { error: code, method, path, status, serverMessage, message: message.replace(url, path) };
}
