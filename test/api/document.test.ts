// The OpenAPI document against the server that hands it out, and against the specification.

import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import express from "express";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { ERRORS } from "../../src/api/errors.js";
import type { Operation } from "../../src/api/operation.js";
import { OPERATION_LIST, type OperationId } from "../../src/api/operations.js";
import { createActivityServer } from "../../src/index.js";
import { VERSION } from "../../src/util/version.js";
import { onPort, withServer } from "../harness.js";
import { json } from "../http/client.js";
import { checkedFetch } from "./answer-check.js";
import { type ApiDocument, type ApiMedia, type ApiResponse, apiDocument, resolved } from "./document.js";

const test = suite("OpenAPI document");

const METHODS = ["GET", "POST", "PUT", "DELETE"];

test("it is valid OpenAPI 3.1", async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(apiDocument()) as never);
  assert.ok(valid, JSON.stringify(errors));
  assert.is(validator.version, "3.1");
});

test("every example, and every example of a schema and of a parameter, is valid", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...apiDocument(), $id: "api" });
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

  walk(apiDocument(), "#");
  assert.ok(count > 60, String(count));
});

/** Every schema, with those within it. */
function* schemasIn(value: unknown, place = "#"): Generator<readonly [place: string, schema: ApiSchema]> {
  if (typeof value !== "object" || value === null) return;
  // A property named `type` is a schema itself.
  if ("type" in value && [value.type].flat().every((type) => typeof type === "string"))
    yield [place, value as ApiSchema];
  for (const [key, member] of Object.entries(value)) {
    if (!["example", "examples", "default", "enum"].includes(key)) yield* schemasIn(member, `${place}/${key}`);
  }
}

interface ApiSchema {
  readonly type: unknown;
  readonly items?: unknown;
  readonly properties?: unknown;
  readonly additionalProperties?: unknown;
}

test("generated clients can send any data: open objects and lists are spelled out", () => {
  const { components, paths } = apiDocument();
  let open = 0;
  for (const [place, { type, items, properties, additionalProperties }] of schemasIn({ components, paths })) {
    const types = [type].flat();
    if (types.includes("array")) assert.ok(items, place);
    if (!types.includes("object") || properties !== undefined) continue;
    assert.ok(additionalProperties, place);
    open++;
  }
  assert.ok(open >= 10, String(open));
});

test("no property has a default, with which openapi-typescript would require it; the description has it", () => {
  const schemas = JSON.stringify(apiDocument().components.schemas);
  assert.not.match(schemas, /"default":/);
  assert.match(schemas, /Seconds, to the microsecond[^"]* Default: 0\."/);
});

test("a response has one type in generated clients, and the description names the others", () => {
  for (const item of Object.values(apiDocument().paths)) {
    for (const { operationId, description = "", responses } of Object.values(item)) {
      for (const response of Object.values(responses)) {
        const { content = {}, "x-other-content": others = {} } = response as Partial<ApiResponse>;
        assert.ok(Object.keys(content).length <= 1, operationId);
        for (const type of Object.keys(others)) assert.ok(description.includes(`\`${type}\``), operationId);
      }
    }
  }
  const { get } = apiDocument().paths["/api/0/buckets/{bucketId}/events"] ?? {};
  assert.not("format" in apiDocument().components.parameters);
  const { content = {} } = (get?.responses["200"] ?? {}) as Partial<ApiResponse>;
  assert.equal(content["application/json"]?.schema, { $ref: "#/components/schemas/Events" });
  assert.not.match(get?.description ?? "", /ndjson/);
});

test("it has the operations of the table, which the server offers, no more and no fewer", async () => {
  const server = createActivityServer({ storage: memory() });
  const offered: string[] = [];
  for (const path of new Set(Object.values(OPERATION_LIST).map((operation) => operation.path))) {
    const { headers } = await server.fetch(path.replace(/:(\w+)/g, "sample-$1"), { method: "OPTIONS" });
    for (const method of headers.get("allow")?.split(", ") ?? []) {
      if (METHODS.includes(method)) offered.push(`${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
    }
  }
  await server.close();
  const described = Object.entries(apiDocument().paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.equal(offered.sort(), described.sort());
  assert.is(described.length, Object.keys(OPERATION_LIST).length);
});

test("every reference leads somewhere, and every schema and parameter is used", () => {
  const document = apiDocument();
  const references = new Set(referencesIn(document));
  assert.ok(references.size > 50);
  assert.equal(
    [...references].filter((reference) => resolved(document, reference) === undefined),
    [],
  );
  const named = ["schemas", "parameters"].flatMap((kind) =>
    Object.keys(document.components[kind as "schemas"]).map((name) => `#/components/${kind}/${name}`),
  );
  assert.equal(
    named.filter((name) => !references.has(name)),
    [],
  );
});

test("every parameter of a path is listed, and everything is described in one line or paragraph", () => {
  const document = apiDocument();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const { operationId, parameters, summary } of Object.values(item)) {
      const listed = parameters.map((parameter) => {
        return (resolved(document, (parameter as { $ref: string }).$ref) as { name: string; in: string }).name;
      });
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.equal(listed.slice(0, inPath.length), inPath, operationId);
      assert.match(summary, /^[A-Z][^\n]{5,79}$/, operationId);
    }
  }
  const { info: _, ...others } = document;
  assert.not.match(JSON.stringify(others), /"description":"[^"]*\\n/);
});

test("every operation can answer what any request can be refused with, and each status is that of its codes", () => {
  const document = apiDocument();
  for (const item of Object.values(document.paths)) {
    for (const { operationId, responses, requestBody } of Object.values(item)) {
      const wanted = ["400", "401", "403", "408", "431", "500", "503", ...(requestBody ? ["413", "415"] : [])];
      assert.equal(
        wanted.filter((status) => responses[status] === undefined),
        [],
        operationId,
      );
      for (const [status, response] of Object.entries(responses)) {
        if (!("$ref" in response) || status === "default") continue;
        const { content } = resolved(document, response.$ref) as { content: ApiContent };
        const codes = Object.keys(content["application/json"]?.examples ?? {});
        assert.ok(codes.length > 0, response.$ref);
        for (const code of codes) assert.is(String(ERRORS[code as keyof typeof ERRORS].status), status, operationId);
      }
    }
  }
});

test("what hooks can refuse says so by a type, and nothing else does", () => {
  const document = apiDocument();
  for (const item of Object.values(document.paths)) {
    for (const { operationId, responses } of Object.values(item)) {
      const { content } = resolved(document, (responses["403"] as { $ref: string }).$ref) as { content: ApiContent };
      const schema = JSON.stringify((content["application/json"] as { schema?: unknown }).schema);
      const isWrite = (OPERATION_LIST[operationId as OperationId] as Operation).errors.includes("VETOED");
      assert.is(schema.includes("#/components/schemas/Veto"), isWrite, operationId);
      // A hook may choose another status.
      assert.is(responses["default"] !== undefined, isWrite, operationId);
      assert.is(responses["429"] !== undefined, operationId === "requestPairing", operationId);
      assert.ok(responses["507"] !== undefined, operationId);
      assert.ok(schema.includes("#/components/schemas/ErrorMessage"), operationId);
    }
  }
});

test("parameters of the path are described as people type them: API browsers encode by themselves", () => {
  const { parameters } = apiDocument().components;
  for (const [name, parameter] of Object.entries(parameters)) {
    const { description } = parameter as unknown as { description: string };
    assert.not.match(description, /percent|%/i, name);
  }
});

type ApiContent = Readonly<Record<string, { readonly examples?: Readonly<Record<string, unknown>> }>>;

test("it is served as JSON under both names, to HEAD as well, and tells the version", () =>
  withServer({}, async ({ send }) => {
    const answer = await send("GET", "/api/openapi.json");
    assert.equal(json(answer), { ...apiDocument() });
    assert.is((json(answer) as ApiDocument).info.version, VERSION);
    assert.is(answer.headers["content-type"], "application/json");
    assert.equal((await send("GET", "/api/swagger.json")).body, answer.body);
    const head = await send("HEAD", "/api/openapi.json");
    assert.is(head.headers["content-length"], String(answer.body.length));
    assert.is((await send("POST", "/api/openapi.json", {})).headers["allow"], "GET, HEAD, OPTIONS");
  }));

test("the key is asked for where there is one, but not to read the document", () =>
  withServer({ apiKey: "secret" }, async ({ send }) => {
    const document = json(await send("GET", "/api/openapi.json")) as ApiDocument;
    assert.equal(document.security, [{ apiKey: [] }, { session: [] }]);
    assert.ok(document.components.securitySchemes["apiKey"]);
    assert.ok(document.components.securitySchemes["session"]);
    const open: string[] = [];
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, { security }] of Object.entries(item)) {
        const { status } = await send(method.toUpperCase(), path.replace(/\{\w+\}/g, "x"));
        assert.is(security !== undefined, status !== 401, `${method} ${path} ${status}`);
        if (security !== undefined) open.push(path);
      }
    }
    const about = ["/api/0/info", "/api/openapi.json", "/api/swagger.json"];
    const asking = ["/api/0/session", "/api/0/session", "/api/0/session", "/api/0/pairing", "/api/0/pairing/collect"];
    assert.equal(open, [...about, ...asking, "/api/0/health"]);
    assert.equal(apiDocument().security, []);
  }));

/** Where the paths begin for whoever has fetched a document, as OpenAPI 3.1 tells it. */
async function baseOf(url: string): Promise<string> {
  const document = (await (await checkedFetch(url)).json()) as ApiDocument;
  return new URL(document.servers[0]?.url ?? "", url).href.replace(/\/$/, "");
}

async function assertLeadsToServer(url: string): Promise<void> {
  const base = await baseOf(url);
  assert.is((await checkedFetch(`${base}/api/0/info`)).status, 200, base);
}

test("its server URL is right at the root and under a base path, and with a slash behind the document", () =>
  withServer({ basePath: "/tracker" }, async ({ url }) => {
    const root = new URL(url).origin;
    for (const name of ["openapi.json", "swagger.json", "openapi.json/", "openapi.json?x=/a/b"]) {
      assert.is(await baseOf(`${root}/api/${name}`), root);
      assert.is(await baseOf(`${root}/tracker/api/${name}`), `${root}/tracker`);
      await assertLeadsToServer(`${root}/tracker/api/${name}`);
    }
  }));

test("its server URL is right behind the prefix of a host, kept on, taken off, or taken off by a proxy before", () =>
  withServer({ door: "process", basePath: "/kept/api" }, async ({ server }) => {
    const app = express();
    app.use("/cut", server.nodeHandler);
    // What a proxy takes off is nowhere to be seen.
    app.use("/proxied", (request, response) => {
      Object.assign(request, { originalUrl: request.url, baseUrl: "" });
      return server.nodeHandler(request, response);
    });
    app.use(server.nodeHandler);
    await onPort(app, async ({ port }) => {
      for (const prefix of ["cut", "proxied", "kept/api"]) {
        const root = `http://127.0.0.1:${port}/${prefix}`;
        assert.is(await baseOf(`${root}/api/openapi.json`), root);
        await assertLeadsToServer(`${root}/api/openapi.json`);
      }
    });
  }));

function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === "$ref" && typeof member === "string" ? [member] : referencesIn(member),
  );
}

test.run();
