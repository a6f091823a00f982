// What has to be there before the example of an operation can be sent, and how the example is sent then.
import type { Operation } from "../../src/api/operation.js";
import { OPERATION_LIST, type OperationId } from "../../src/api/operations.js";
import { PARAMETERS, PATH_PARAMETERS, type ParameterName } from "../../src/api/parameters.js";
import { connect } from "../../src/client/index.js";
import { createTestServer, type TestServer } from "../../src/testing/index.js";
import { ACTIVITY } from "../../src/util/in-process.js";
import { checkedFetch } from "./answer-check.js";

/** What the control token of the servers is. */
export const TOKEN = "a token of thirty-two characters";

export const ORIGIN = "http://localhost";

/** The example of an operation, with what it cannot know filled in: it is random. */
export interface Scene {
  readonly server: TestServer;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

type Given = Partial<Pick<Scene, "params" | "body" | "headers">>;
type Prepare = (server: TestServer) => Promise<Given> | Promise<void>;

async function signIn(server: TestServer): Promise<Given> {
  const { token } = await server.sessions.createLink();
  const headers = { origin: ORIGIN, "content-type": "application/json", "user-agent": "Mozilla/5.0" };
  await server.fetch("/api/0/session", { method: "POST", headers, body: JSON.stringify({ token }) });
  const [session] = await server.sessions.list();
  return { params: { sessionId: session?.id ?? "" } };
}

async function ask(server: TestServer): Promise<Given & { readonly secret: string }> {
  await server.keys.revoke("phone");
  const { code, secret } = await connect(server).pairing.request({ name: "phone", scopes: ["append:phone_*"] });
  return { params: { code }, secret };
}

/** Events that are too old, or too short, for the rules of the examples. */
async function age(server: TestServer): Promise<void> {
  await server.events.insert("window_desk", [
    { timestamp: "2020-01-01", duration: "5s" },
    { timestamp: "2020-01-02", duration: "5s" },
    { timestamp: "2024-01-01", duration: "1s" },
  ]);
  await server.settings.put("retention_rules", [{ buckets: "window_*", keepDays: 730, dropShorterThan: 2 }]);
}

/** A bucket that had another id. */
async function rename(server: TestServer): Promise<Given> {
  const { undo } = await server.identity.rename("window_desk", { to: "window_laptop" });
  return { params: { undoId: undo ?? "" } };
}

async function trashed(server: TestServer): Promise<Given> {
  await server.events.delete("window_desk", 1);
  const [entry] = await server.trash.list();
  return { params: { entryId: entry?.id ?? "" } };
}

/** Ends a response that would not end by itself. */
async function closeAfterStart(server: TestServer): Promise<void> {
  while (server[ACTIVITY].running === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  // It opens after the other one.
  for await (const _message of server.feed()) break;
  await server.close();
}

/** What has to happen before an example can, besides what `sceneOf` does. */
const PREPARATIONS: Partial<Readonly<Record<OperationId, Prepare>>> = {
  async signIn(server) {
    return { body: { token: (await server.sessions.createLink()).token }, headers: { origin: ORIGIN } };
  },
  /** A bucket with an event of the other one, and one that overlaps another of these. */
  async mergeBuckets(server) {
    const bucket = { type: "currentwindow", client: "my-watcher", hostname: "desk" };
    await server.buckets.create("window_old", bucket, [
      { timestamp: "2024-03-01T10:00:00Z", duration: "7500ms", data: { app: "editor", title: "notes.md" } },
      { timestamp: "2024-03-01T10:00:30Z", duration: "60s", data: { app: "editor", title: "notes.md" } },
    ]);
  },
  listRedirects: rename,
  deleteRedirect: rename,
  listUndo: rename,
  async moveEvent(server) {
    await server.buckets.create("window_laptop", { type: "currentwindow", client: "my-watcher", hostname: "laptop" });
  },
  listTrash: trashed,
  restoreTrash: trashed,
  deleteTrash: trashed,
  emptyTrash: trashed,
  undo: rename,
  previewRetention: age,
  runRetention: age,
  async listRetentionRuns(server) {
    await age(server);
    await server.retention.run();
  },
  async report({ clock }) {
    // The day's events have passed.
    clock.advance("2h");
  },
  async readFeed(server) {
    void closeAfterStart(server);
  },
  listSessions: signIn,
  endSession: signIn,
  async collectPairing(server) {
    const { secret } = await ask(server);
    return { body: { secret } };
  },
  listPairing: ask,
  approvePairing: ask,
  refusePairing: ask,
  async listExtensions(server) {
    await server.extensions.allow(PATH_PARAMETERS.extensionOrigin.example);
  },
};

/** A server in which the example of an operation can be carried out; most find a bucket with events, a setting, a key. */
export async function sceneOf(id: OperationId, mediaType: string): Promise<Scene> {
  const server = createTestServer({
    ...{ testing: false, hostname: "desk", controlToken: TOKEN, clock: "2024-03-01T09:00:00Z" },
  });
  const before = (["createBucket", "insertEvents"] as const).slice(0, id === "createBucket" ? 0 : undefined);
  for (const each of before) {
    if (each !== id) await play(OPERATION_LIST[each], filledIn(server, OPERATION_LIST[each], "application/json", {}));
  }
  if (before.length > 0 && id !== "insertEvents") {
    await server.settings.put("startOfDay", "04:00");
    await server.keys.add({ name: "phone", scopes: ["read:*"] });
  }
  const operation = OPERATION_LIST[id];
  return filledIn(server, operation, mediaType, (await PREPARATIONS[id]?.(server)) ?? {});
}

function filledIn(
  server: TestServer,
  { parameters, body, needs }: Operation,
  mediaType: string,
  { params, body: given = body?.[mediaType]?.example, headers }: Given,
): Scene {
  const examples = (place: "path" | "query"): Record<string, string> => {
    const names = parameters.filter((name) => PARAMETERS[name].in === place);
    return Object.fromEntries(names.map((name) => [name, params?.[name] ?? (PARAMETERS[name].example as string)]));
  };
  const isGuarded = needs === "operator" || needs === "owner";
  return {
    server,
    params: examples("path"),
    query: examples("query"),
    body: body && given,
    headers: { ...(isGuarded ? { authorization: `Bearer ${TOKEN}` } : {}), ...headers },
  };
}

/** Sends the request of a scene. @param ask where it comes in @param base what the server is reached by there */
export function play(
  { method, path }: Operation,
  { server, params, query, body, headers }: Scene,
  ask: (request: Request) => Promise<Response> = server.fetch,
  base: string = ORIGIN,
  mediaType = "application/json",
): Promise<Response> {
  const place = path.replace(/:(\w+)/g, (_, name: ParameterName) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const sent = new Headers(headers);
  if (body !== undefined && mediaType === "application/json") sent.set("content-type", mediaType);
  const init = { method, headers: sent, ...(body === undefined ? {} : { body: bodyOf(body, mediaType) }) };
  return checkedFetch(`${base}${place}?${search}`, init, ask);
}

function bodyOf(example: unknown, mediaType: string): string | FormData {
  if (mediaType === "application/json") return JSON.stringify(example);
  const form = new FormData();
  for (const [name, text] of Object.entries(example as Record<string, string>))
    form.append(name, new Blob([text]), name);
  return form;
}
