// Every operation, once on every surface that it has: its own example is sent, and what comes back is what the example
// of its response says. What an operation does in other cases is tested where it is done.
import { writeFile } from "node:fs/promises";
import { H3 } from "h3";
import { toNodeHandler } from "srvx/node";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { camel, decode, encode } from "../../src/api/codec.js";
import type { Operation } from "../../src/api/operation.js";
import { OPERATION_LIST, type OperationId } from "../../src/api/operations.js";
import { parametersSchema } from "../../src/api/parameters.js";
import { SCHEMA_LIST, type SchemaName } from "../../src/api/schemas.js";
import { COMMANDS } from "../../src/cli/commands.js";
import { createClient } from "../../src/client/index.js";
import type { NodeHandler } from "../../src/index.js";
import { inside } from "../cli/inside.js";
import { onPort } from "../harness.js";
import { checkAnswer } from "./answer-check.js";
import { ORIGIN, play, type Scene, sceneOf, TOKEN } from "./scenes.js";

const test = suite("operations on every surface");

const JSON_TYPE = "application/json";

/** What a client or a server in process calls. */
type Methods = Readonly<Record<string, Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>>>;

const urlOf = (port: number): string => `http://localhost:${port}`;

type Door = (operation: Operation, scene: Scene, mediaType: string) => Promise<Response>;

const DOORS: Readonly<Record<string, Door>> = {
  "the request listener": (operation, scene, mediaType) =>
    onPort(scene.server.nodeHandler, ({ port }) => {
      const { origin } = scene.headers;
      const url = urlOf(port);
      const headers = { ...scene.headers, ...(origin === undefined ? {} : { origin: url }) };
      return play(operation, { ...scene, headers }, fetch, url, mediaType);
    }),
  "fetch()": (operation, scene, mediaType) => play(operation, scene, scene.server.fetch, ORIGIN, mediaType),
  "the app of h3": (operation, scene, mediaType) => {
    const app = new H3().mount("/tracker", scene.server.app);
    return play(operation, scene, async (request) => app.fetch(request), `${ORIGIN}/tracker`, mediaType);
  },
};

/** The arguments of a method: the parameters of the path, the body, an object of the other parameters. */
function argumentsOf({ parameters, takes }: Operation, params: object, body: unknown, query: object): unknown[] {
  const inPath = Object.keys(parametersSchema(parameters, "path").properties ?? {});
  const given = takes === undefined ? body : (body as Readonly<Record<string, unknown>>)[takes];
  return [
    ...inPath.map((name) => (params as Readonly<Record<string, unknown>>)[name]),
    ...(body === undefined ? [] : [given]),
    ...(Object.keys(query).length === 0 ? [] : [query]),
  ];
}

function methodIn(methods: unknown, call: string): (...args: readonly unknown[]) => Promise<unknown> {
  const [method = "", subject] = call.split(".").reverse();
  const found = (subject === undefined ? (methods as Methods[string]) : (methods as Methods)[subject])?.[method];
  assert.type(found, "function", call);
  return found as NonNullable<typeof found>;
}

/** The response, as a method returned a member of it, or nothing. */
function wrapped({ returns, answers }: Operation, value: unknown): unknown {
  if (answers[200]?.content?.schema !== "Nothing") return returns === undefined ? value : { [returns]: value };
  assert.is(value, undefined);
  return {};
}

function throughClient(operation: Operation, scene: Scene): Promise<unknown> {
  return onPort(scene.server.nodeHandler, async ({ port }) => {
    const url = urlOf(port);
    const { authorization, ...others } = scene.headers;
    const headers = { ...others, ...(others["origin"] === undefined ? {} : { origin: url }) };
    const client = createClient({ url, headers, ...(authorization === undefined ? {} : { apiKey: TOKEN }) });
    const args = argumentsOf(operation, scene.params, scene.body, scene.query);
    return wrapped(operation, await methodIn(client, operation.call ?? "")(...args));
  });
}

async function inProcess(operation: Operation, scene: Scene): Promise<unknown> {
  const { parameters, body, answers, call = "" } = operation;
  const read = (place: "path" | "query", given: object): object =>
    decode(parametersSchema(parameters, place), given, "") as object;
  const taken = body && SCHEMA_LIST[body[JSON_TYPE]?.schema as SchemaName];
  const given = taken && decode(taken, scene.body, "");
  const query = Object.entries(read("query", scene.query)).map(([name, value]) => [camel(name), value]);
  const args = argumentsOf(operation, read("path", scene.params), given, Object.fromEntries(query));
  const value = wrapped(operation, await methodIn(scene.server, call)(...args));
  return encode(SCHEMA_LIST[answers[200]?.content?.schema as SchemaName], value);
}

/** The words of the command that calls an operation as its example does. */
type Words = (scene: Scene, file: (content: unknown) => Promise<string>) => readonly string[] | Promise<string[]>;

const WORDS: Partial<Readonly<Record<OperationId, Words>>> = {
  report: () => ["report", "2024-03-01", "--group", "app"],
  listKeys: () => ["keys", "list"],
  createKey: () => ["keys", "add", "window-watcher", "--scope", "append:window_*", "--expires", "2024-06-01T00:00:00Z"],
  revokeKey: () => ["keys", "revoke", "phone"],
  renameBucket: () => ["buckets", "rename", "window_desk", "window_laptop", "--yes"],
  setBucketHost: () => ["buckets", "host", "window_desk", "laptop", "--yes"],
  renameHost: () => ["buckets", "rename-host", "desk", "laptop", "--rename-buckets", "--redirect", "no", "--yes"],
  mergeBuckets: () => [
    "buckets",
    "merge",
    "window_desk",
    "--source",
    "window_old",
    "--overlaps",
    "first-wins",
    "--yes",
  ],
  listRedirects: () => ["buckets", "redirects"],
  deleteRedirect: () => ["buckets", "redirects", "window_desk", "--remove"],
  listUndo: () => ["buckets", "undo"],
  undo: ({ params }) => ["buckets", "undo", params["undoId"] ?? ""],
  deleteEventsOfAll: () => ["events", "delete", "--buckets", "window_*", "--filter", "title~weather", "--dry-run"],
  splitEvent: () => ["events", "split", "window_desk", "1", "--at", "2024-03-01T10:00:05Z"],
  moveEvent: () => ["events", "move", "window_desk", "1", "window_laptop"],
  createSignInLink: () => ["open", "--print"],
  listPairing: () => ["pair"],
  approvePairing: ({ params }) => ["pair", params["code"] ?? "", "--scope", "append:phone_*"],
  refusePairing: ({ params }) => ["pair", params["code"] ?? "", "--refuse"],
  backUpStorage: () => ["backup", "--to", "backup.jsonl"],
  verifyStorage: () => ["verify"],
  applyPrivacy: async ({ body }, file) => [
    ...["privacy", "apply", await file((body as { rules: unknown }).rules), "--dry-run"],
  ],
  previewPrivacy: async ({ body }, file) => ["privacy", "preview", await file((body as { rules: unknown }).rules)],
  listRetentionRuns: () => ["retention", "log"],
  previewRetention: () => ["retention", "preview"],
  runRetention: () => ["retention", "run"],
  listTrash: () => ["trash", "list"],
  restoreTrash: ({ params }) => ["trash", "restore", params["entryId"] ?? ""],
  deleteTrash: ({ params }) => ["trash", "delete", params["entryId"] ?? "", "--yes"],
  emptyTrash: () => ["trash", "empty", "--yes"],
  importBuckets: async ({ body }, file) => ["import", "--from", await file(body), "--yes"],
};

/** Commands that work on files, or call an operation in another way than its example. */
const OTHER_COMMANDS = ["salvage", "encrypt", "rotate-key", "restore", "search", "feed", "init", "mcp", "migrate"];

/** Runs a command for a server that uses a data folder. @returns what the operation answered to it */
async function throughCommand(operation: Operation, scene: Scene, words: Words): Promise<Response> {
  const answered: Response[] = [];
  const pattern = new RegExp(`^${operation.path.replace(/:\w+/g, "[^/]+")}$`);
  const ask = async (request: Request): Promise<Response> => {
    const answer = await scene.server.fetch(request);
    const path = new URL(request.url).pathname;
    if (request.method === operation.method && pattern.test(path)) answered.push(answer.clone());
    const header = (name: string): string | undefined => answer.headers.get(name) ?? undefined;
    checkAnswer({ method: request.method, path, status: answer.status, header, body: await answer.clone().text() });
    return answer;
  };
  await onPort(toNodeHandler(ask) as NodeHandler, ({ port }) =>
    inside(async ({ run, folder, path }) => {
      const control = { address: `http://127.0.0.1:${port}`, token: TOKEN, pid: process.pid };
      await writeFile(path("server.json"), JSON.stringify(control), { mode: 0o600 });
      const given = await words(scene, async (content) => {
        await writeFile(path("given.json"), JSON.stringify(content));
        return path("given.json");
      });
      const { code, stdout, stderr } = await run([...given, "--json", "--data", folder]);
      assert.is(code, 0, stdout + stderr);
      assert.is(stderr, "");
      if (given[0] !== "import") assert.is(answered.length, 1, given.join(" "));
    }),
  );
  return answered.at(-1) as Response;
}

for (const [name, operation] of Object.entries(OPERATION_LIST)) {
  const id = name as OperationId;
  const { body, call, raw = false } = operation;

  const surface = (where: string, run: (scene: Scene) => Promise<unknown>, mediaType = JSON_TYPE): void => {
    test(`the example of ${id} is answered as documented by ${where}`, async () => {
      const scene = await sceneOf(id, mediaType);
      try {
        const result = await run(scene);
        if (result instanceof Response) await assertAnswered(id, operation, result, mediaType);
        else assertExample(id, operation, result);
      } finally {
        await scene.server.close();
      }
    });
  };

  for (const mediaType of body === undefined ? [JSON_TYPE] : Object.keys(body)) {
    for (const [door, ask] of Object.entries(DOORS)) {
      surface(`${door}, ${mediaType}`, (scene) => ask(operation, scene, mediaType), mediaType);
    }
  }
  // Clients do not send a challenge.
  if (call !== undefined && id !== "getHealth") surface("the client", (scene) => throughClient(operation, scene));
  if (call !== undefined && !raw) surface("a server in process", (scene) => inProcess(operation, scene));
  const words = WORDS[id];
  if (words !== undefined) surface("a command", (scene) => throughCommand(operation, scene, words));
}

test("every command calls an operation of the table", () => {
  const known = new Set(OTHER_COMMANDS);
  const scene = { params: {}, body: {} } as unknown as Scene;
  return Promise.all(Object.values(WORDS).map((words) => words(scene, async () => ""))).then((all) => {
    for (const [word = ""] of all) known.add(word);
    const missing = COMMANDS.map(({ name }) => name).filter((name) => !known.has(name));
    assert.equal(missing, [], "commands without an operation in WORDS");
  });
});

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
  proof: /^[\da-f]{64}$/,
  version: /^v\d+\.\d+\.\d+\S* \(node\)$/,
};
const RANDOM_OF: Partial<Readonly<Record<OperationId, readonly string[]>>> = {
  getInfo: ["version"],
  getHealth: ["proof"],
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

async function assertAnswered(id: OperationId, operation: Operation, answer: Response, mediaType: string) {
  const documented = operation.answers[200];
  if (documented === undefined) {
    assert.is(answer.status, 400, id);
    return;
  }
  const text = await answer.text();
  assert.is(answer.status, 200, `${text}: ${hint(id)}`);
  for (const name of Object.keys(documented.headers ?? {})) assert.ok(answer.headers.get(name), name);
  if (documented.mediaType !== undefined) {
    assert.is(answer.headers.get("content-type")?.split(";")[0], documented.mediaType);
    if (documented.mediaType === "text/csv") assert.is(text, documented.content?.example);
    return;
  }
  if (mediaType === JSON_TYPE) assertExample(id, operation, JSON.parse(text));
}

function assertExample(id: OperationId, { answers }: Operation, value: unknown): void {
  const { example, schema } = answers[200]?.content ?? {};
  const [made, told] = [value, example].map((whole) => (Array.isArray(whole) ? whole[0] : whole));
  if (schema === "OpenApiDocument") {
    assert.equal([made.openapi, made.info.title], [told.openapi, told.info.title]);
    return;
  }
  const names = RANDOM_OF[id] ?? [];
  for (const name of names) assert.match(String(made[name]), RANDOM[name] as RegExp);
  // Only lists with one member have something random in them.
  const expected = { ...told, ...Object.fromEntries(names.map((name) => [name, made[name]])) };
  assert.equal(value, names.length === 0 ? example : Array.isArray(example) ? [expected] : expected, hint(id));
}

/** What to do about a new operation. */
function hint(id: OperationId): string {
  return `${id}; what its example needs before goes into PREPARATIONS of scenes.ts, what is random into RANDOM_OF`;
}

test.run();
