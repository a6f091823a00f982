// The examples of the document: each is valid, each request is really sent, and each answer is what comes back.
import { Ajv2020 } from "ajv/dist/2020.js";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Operation } from "../../src/api/operation.js";
import { OPERATION_LIST } from "../../src/api/operations.js";
import { PARAMETERS, type ParameterName } from "../../src/api/parameters.js";
import { connect } from "../../src/client/index.js";
import { createTestServer, type TestServer } from "../../src/testing/index.js";
import { VERSION } from "../../src/util/version.js";
import { checkedFetch } from "./answer-check.js";
import { type ApiMedia, apiDocument } from "./document.js";

const test = suite("examples of the OpenAPI document");

const DOCUMENT = apiDocument();

test("every example, and every example of a schema and of a parameter, is valid", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...DOCUMENT, $id: "api" });
  let count = 0;

  function assertValid(schema: unknown, value: unknown, place: string): void {
    count++;
    const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object;
    assert.ok(ajv.validate(rooted, value), `${place}: ${ajv.errorsText()} in ${JSON.stringify(value)}`);
  }

  function walk(value: unknown, place: string): void {
    if (typeof value !== "object" || value === null) return;
    const { schema, example, examples } = value as Partial<ApiMedia>;
    if (schema !== undefined && example !== undefined) assertValid(schema, example, place);
    if (schema !== undefined && examples !== undefined) {
      for (const [name, { value: body }] of Object.entries(examples)) assertValid(schema, body, `${place} ${name}`);
    }
    if (schema === undefined && Array.isArray(examples)) {
      for (const given of examples) assertValid(value, given, place);
    }
    for (const [key, member] of Object.entries(value)) if (key !== "example") walk(member, `${place}/${key}`);
  }

  walk(DOCUMENT, "#");
  assert.ok(count > 60, String(count));
});

/** A bucket with two events and a setting, all as the examples tell it. */
async function prepare(server: TestServer): Promise<void> {
  await play(server, OPERATION_LIST.createBucket);
  await play(server, OPERATION_LIST.insertEvents);
  await server.settings.put("startOfDay", "04:00");
  await server.keys.add({ name: "phone", scopes: ["read:*"] });
}

/** What the examples of a scene cannot know, since it is random. */
interface Given {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

const ORIGIN = "http://localhost";

async function signIn(server: TestServer): Promise<Given> {
  const { token } = await server.sessions.createLink();
  const headers = { origin: ORIGIN, "content-type": "application/json", "user-agent": "Mozilla/5.0" };
  await server.fetch("/api/0/session", { method: "POST", headers, body: JSON.stringify({ token }) });
  const [session] = await server.sessions.list();
  return { params: { sessionId: session?.id ?? "" } };
}

async function ask(server: TestServer): Promise<Given> {
  await server.keys.revoke("phone");
  const { code, secret } = await connect(server).pairing.request({ name: "phone", scopes: ["append:phone_*"] });
  return { params: { code }, body: { secret } };
}

/** Events that are too old, or too short, for the rules of the examples. */
async function age(server: TestServer): Promise<Given> {
  await server.events.insert("window_desk", [
    { timestamp: "2020-01-01", duration: "5s" },
    { timestamp: "2020-01-02", duration: "5s" },
    { timestamp: "2024-01-01", duration: "1s" },
  ]);
  await server.settings.put("retention_rules", [{ buckets: "window_*", keepDays: 730, dropShorterThan: 2 }]);
  return {};
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

/** A bucket with an event of the other one, and one that overlaps another of these. */
async function another(server: TestServer): Promise<Given> {
  const bucket = { type: "currentwindow", client: "my-watcher", hostname: "desk" };
  await server.buckets.create("window_old", bucket, [
    { timestamp: "2024-03-01T10:00:00Z", duration: "7500ms", data: { app: "editor", title: "notes.md" } },
    { timestamp: "2024-03-01T10:00:30Z", duration: "60s", data: { app: "editor", title: "notes.md" } },
  ]);
  return {};
}

/** What has to happen before an example can. */
const SCENES: Readonly<Record<string, (server: TestServer) => Promise<Given>>> = {
  async signIn(server) {
    return { body: { token: (await server.sessions.createLink()).token }, headers: { origin: ORIGIN } };
  },
  mergeBuckets: another,
  listRedirects: rename,
  deleteRedirect: rename,
  listUndo: rename,
  async moveEvent(server) {
    await server.buckets.create("window_laptop", { type: "currentwindow", client: "my-watcher", hostname: "laptop" });
    return {};
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
    return {};
  },
  listSessions: signIn,
  endSession: signIn,
  collectPairing: ask,
  listPairing: ask,
  approvePairing: async (server) => ({ params: (await ask(server)).params ?? {} }),
  refusePairing: ask,
  async listExtensions(server) {
    await server.extensions.allow(PARAMETERS.extensionOrigin.example);
    return {};
  },
};

/** Members whose values are random, and the form that they have. */
const RANDOM: Readonly<Record<string, RegExp>> = {
  key: /^as_[\w-]{43}$/,
  token: /^[\w-]{43}$/,
  secret: /^[\w-]{43}$/,
  path: /^\/#\/sign-in\/[\w-]{43}$/,
  code: /^[A-Z]{4}-\d{4}$/,
  id: /^[\w-]{12,13}$/,
  entry: /^[\w-]{13}$/,
  undo: /^[\w-]{12}$/,
};
const RANDOM_OF: Readonly<Record<string, readonly string[]>> = {
  createKey: ["key"],
  createSignInLink: ["token", "path"],
  signIn: ["id", "secret"],
  listSessions: ["id"],
  requestPairing: ["code", "secret"],
  listPairing: ["code"],
  renameBucket: ["undo"],
  mergeBuckets: ["undo"],
  setBucketHost: ["undo"],
  renameHost: ["undo"],
  listUndo: ["id"],
  undo: ["id"],
  listTrash: ["id"],
  deleteEvents: ["entry"],
};

/** What happens on an empty server. */
const ON_EMPTY: ReadonlySet<string> = new Set(["createBucket"]);
/** What needs the bucket without its events. */
const ON_EMPTY_BUCKET: ReadonlySet<string> = new Set(["insertEvents"]);

for (const [id, operation] of Object.entries(OPERATION_LIST)) {
  for (const mediaType of operation.body === undefined ? [undefined] : Object.keys(operation.body)) {
    test(`the example of ${id} is answered as documented${mediaType === undefined ? "" : `, as ${mediaType}`}`, async () => {
      const options = { testing: false, hostname: "desk", controlToken: "token" };
      const server = createTestServer({ ...options, clock: "2024-03-01T09:00:00Z" });
      try {
        if (ON_EMPTY_BUCKET.has(id)) await play(server, OPERATION_LIST.createBucket);
        else if (!ON_EMPTY.has(id)) await prepare(server);
        const given = await SCENES[id]?.(server);
        await assertAnswered(id, operation, await play(server, operation, mediaType, given));
      } finally {
        await server.close();
      }
    });
  }
}

async function assertAnswered(id: string, { answers }: Operation, answer: Response): Promise<void> {
  const documented = answers[200];
  if (documented === undefined) {
    assert.is(answer.status, 400, id);
    return;
  }
  if (documented.mediaType !== undefined) {
    assert.is(answer.status, 200, id);
    assert.is(answer.headers.get("content-type")?.split(";")[0], documented.mediaType);
    if (documented.mediaType === "text/csv") assert.is(await answer.text(), documented.content?.example);
    return;
  }
  const value = (await answer.json()) as Record<string, unknown>;
  assert.is(answer.status, 200, `${id}: ${JSON.stringify(value)}`);
  for (const name of Object.keys(documented.headers ?? {})) assert.ok(answer.headers.get(name), name);
  if (id === "importBuckets" && value["buckets_created"] === 0) return;
  const example = documented.content?.example;
  if (documented.content?.schema === "OpenApiDocument") {
    const { openapi, info } = example as { openapi: string; info: { title: string } };
    assert.is(value["openapi"], openapi);
    assert.is((value["info"] as { title: string }).title, info.title);
    return;
  }
  for (const name of RANDOM_OF[id] ?? []) {
    const [made, told] = [value, example].map((whole) => (Array.isArray(whole) ? whole[0] : whole));
    assert.match(String(made[name]), RANDOM[name] as RegExp);
    made[name] = told[name];
  }
  // The version is that of the package.
  const expected = id === "getInfo" ? { ...(example as object), version: `v${VERSION} (node)` } : example;
  assert.equal(value, expected, id);
}

/** Sends the request of an example. */
function play(
  server: TestServer,
  operation: Operation,
  mediaType = "application/json",
  given: Given = {},
): Promise<Response> {
  const inQuery = operation.parameters.filter((name) => PARAMETERS[name].in === "query");
  const query = new URLSearchParams(inQuery.map((name) => [name, String(PARAMETERS[name].example)]));
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(given.params?.[name] ?? String(PARAMETERS[name as ParameterName].example)),
  );
  const documented = operation.body?.[mediaType]?.example;
  const example = given.body === undefined || documented === undefined ? documented : given.body;
  const body = example === undefined ? undefined : bodyOf(example, mediaType);
  const needsToken = operation.needs === "operator" || operation.needs === "owner";
  const headers: Record<string, string> = {
    ...(needsToken ? { authorization: "Bearer token" } : {}),
    ...given.headers,
  };
  if (body !== undefined && !(body instanceof FormData)) headers["content-type"] = mediaType;
  const init = { method: operation.method, headers, ...(body === undefined ? {} : { body }) };
  return checkedFetch(`http://localhost${path}?${query}`, init, server.fetch);
}

function bodyOf(example: unknown, mediaType: string): string | FormData {
  if (mediaType === "application/json") return JSON.stringify(example);
  const form = new FormData();
  for (const [name, text] of Object.entries(example as Record<string, string>))
    form.append(name, new Blob([text]), name);
  return form;
}

test.run();
