// Every field of every body that is read by its schema, and every parameter of query strings, with a value of every kind:
// what the schema refuses is refused with the name of the field, whichever operation it is.
import { Ajv2020 } from "ajv/dist/2020.js";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Operation } from "../../src/api/operation.js";
import { OPERATION_LIST } from "../../src/api/operations.js";
import { PARAMETERS, type ParameterName, QUERY_PARAMETERS } from "../../src/api/parameters.js";
import { SCHEMA_LIST, type SchemaName } from "../../src/api/schemas.js";
import type { JsonObject, JsonValue } from "../../src/domain/json.js";
import type { TestServer } from "../../src/testing/index.js";
import { IN_PROCESS } from "../../src/util/in-process.js";
import { withTestServer } from "../harness.js";
import { apiDocument } from "./document.js";

const test = suite("bodies of wrong types");

const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
ajv.addSchema({ ...apiDocument(), $id: "api" });

const PALETTE: readonly unknown[] = [null, true, 0, -1, 1.5, 2 ** 53, "", "x", [], [1], [null], {}, { a: 1 }];
const TEXTS: readonly string[] = ["", " ", "x", "a,b", "-1", "1.5", "2", "1e400", "null", "[]", "2024-13-01"];

/** Those with a handler of their own that read their bodies by schemas, too. */
const OWN = ["requestPairing", "collectPairing", "signIn", "heartbeat"];

/** Any value but 1 is no confirmation, and gets the refusal of a deletion without one. */
const LENIENT: readonly ParameterName[] = ["force"];

type Refuse = (search: Readonly<Record<string, string>>, body: unknown) => Promise<string>;

/** Sends requests of an operation with its example, except for what a test changes. */
function sender({ method, path, parameters }: Operation, server: TestServer): Refuse {
  const exampleOf = (name: ParameterName): string => String(PARAMETERS[name].example);
  const place = path.replace(/:(\w+)/g, (_, name: ParameterName) => encodeURIComponent(exampleOf(name)));
  const needed = parameters.filter((name) => PARAMETERS[name].in === "query" && PARAMETERS[name].required);
  return async (search, body) => {
    const query = { ...Object.fromEntries(needed.map((name) => [name, exampleOf(name)])), ...search };
    const sent =
      body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const url = `http://localhost${place}?${new URLSearchParams(query)}`;
    const response = await server[IN_PROCESS](url, { method, ...sent });
    const { code, message } = (await response.json()) as { code?: string; message?: string };
    return `${response.status} ${code}: ${message}`;
  };
}

/** Each property of a schema, and of objects in it, with a value that it refuses. */
function* wrongFields(name: SchemaName, example: JsonObject): Generator<[place: string, body: JsonObject]> {
  for (const [field, schema] of Object.entries(SCHEMA_LIST[name].properties ?? {})) {
    const valid = ajv.compile({ $ref: `api#/components/schemas/${name}/properties/${field}` });
    for (const value of PALETTE as JsonValue[]) if (!valid(value)) yield [field, { ...example, [field]: value }];
    const inList = (schema.items?.anyOf ?? [schema.items ?? {}]).find((item) => item.$ref !== undefined);
    const { $ref } = inList ?? schema;
    if ($ref === undefined || SCHEMA_LIST[$ref as SchemaName].properties === undefined) continue;
    const inner = Object.fromEntries((SCHEMA_LIST[$ref as SchemaName].required ?? []).map((each) => [each, "x"]));
    for (const [place, item] of wrongFields($ref as SchemaName, inner)) {
      if (inList === undefined) yield [`${field}.${place}`, { ...example, [field]: item }];
      else yield [`${field}[0].${place}`, { ...example, [field]: [item] }];
    }
  }
}

for (const [id, operation] of Object.entries(OPERATION_LIST)) {
  const { body, raw = false, call }: Operation = operation;
  const content = body?.["application/json"];
  if (content === undefined || (!OWN.includes(id) && (call === undefined || raw))) continue;
  test(`${id} names the field`, () =>
    withTestServer({}, async (server) => {
      const example = content.example as JsonObject;
      const refusal = (given: unknown): Promise<string> => sender(operation, server)({}, given);
      const { type, required = [], additionalProperties } = SCHEMA_LIST[content.schema];
      for (const [place, given] of wrongFields(content.schema, example)) {
        const told = await refusal(given);
        const isNamed = told.startsWith(`400 INVALID_INPUT: unknown field '${place}.`);
        assert.ok(
          isNamed || told.startsWith(`400 INVALID_INPUT: ${place}`),
          `${place}: ${JSON.stringify(given)}: ${told}`,
        );
      }
      for (const name of required) {
        const { [name]: _, ...others } = example;
        assert.match(await refusal(others), new RegExp(`^400 INVALID_INPUT: ${name} .*must be`));
      }
      if (additionalProperties === false) {
        const told = await refusal({ ...example, surplus: 1 });
        assert.match(told, "400 INVALID_INPUT: unknown field 'surplus'; fields are");
      }
      for (const given of type === "object" ? [null, 1, "x", [], true] : []) {
        assert.match(await refusal(given), /^400 INVALID_INPUT: the \w+ must be an object, got/);
      }
    }));
}

test("every operation names the parameter of a query string", () =>
  withTestServer({}, async (server) => {
    const seen = new Set<string>();
    for (const operation of Object.values(OPERATION_LIST) as Operation[]) {
      const names = operation.parameters.filter((name) => PARAMETERS[name].in === "query" && !LENIENT.includes(name));
      for (const name of names) {
        const schema = { ...PARAMETERS[name].schema };
        const valid = ajv.compile(
          schema.$ref === undefined ? schema : { $ref: `api#/components/schemas/${schema.$ref}` },
        );
        for (const text of TEXTS) {
          const isNumeric = /^(?:integer|number)$/.test(String(schema.type)) && /^-?\d+(?:\.\d+)?$/.test(text);
          if (valid(schema.type === "array" ? [text] : isNumeric ? Number(text) : text)) continue;
          const told = await sender(operation, server)({ [name]: text }, operation.body?.["application/json"]?.example);
          assert.ok(told.startsWith(`400 INVALID_INPUT: ${name}`), `${operation.path}?${name}=${text}: ${told}`);
          seen.add(name);
        }
      }
    }
    // Any string is a hostname, a bucket, a key, a time zone that only the search checks, or a name.
    const all = Object.keys(QUERY_PARAMETERS).filter((name) => !LENIENT.includes(name as ParameterName));
    assert.equal(
      all.filter((name) => !seen.has(name)),
      ["host", "bucket", "group", "time_zone", "name"],
    );
  }));

test.run();
