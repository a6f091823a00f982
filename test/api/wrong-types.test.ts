// Every field of every body that is read by its schema, with a value of every kind: what the schema refuses is refused
// with the name of the field, whichever operation it is.
import { Ajv2020 } from "ajv/dist/2020.js";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Operation } from "../../src/api/operation.js";
import { OPERATION_LIST } from "../../src/api/operations.js";
import { PARAMETERS } from "../../src/api/parameters.js";
import { SCHEMA_LIST } from "../../src/api/schemas.js";
import type { JsonObject } from "../../src/domain/json.js";
import { IN_PROCESS } from "../../src/util/in-process.js";
import { withTestServer } from "../harness.js";
import { apiDocument } from "./document.js";

const test = suite("bodies of wrong types");

const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
ajv.addSchema({ ...apiDocument(), $id: "api" });

const PALETTE: readonly unknown[] = [null, true, 0, -1, 1.5, 2 ** 53, "", "x", [], [1], [null], {}, { a: 1 }];

/** Those with a handler of their own that read their bodies by schemas, too. */
const OWN = ["requestPairing", "collectPairing", "signIn"];

for (const [id, operation] of Object.entries(OPERATION_LIST)) {
  const { method, path, parameters, body, raw = false, call }: Operation = operation;
  const content = body?.["application/json"];
  if (content === undefined || call === undefined || (raw && !OWN.includes(id))) continue;
  test(`${id} names the field`, () =>
    withTestServer({}, async (server) => {
      const example = content.example as JsonObject;
      const place = parameters.reduce<string>(
        (text, name) => text.replace(`:${name}`, `${PARAMETERS[name].example}`),
        path,
      );
      const refusal = async (given: unknown): Promise<string> => {
        const init = { method, headers: { "content-type": "application/json" }, body: JSON.stringify(given) };
        const response = await server[IN_PROCESS](`http://localhost${place}`, init);
        const { code, message } = (await response.json()) as { code?: string; message?: string };
        return `${response.status} ${code}: ${message}`;
      };
      const { type, properties = {}, required = [], additionalProperties } = SCHEMA_LIST[content.schema];
      for (const name of Object.keys(properties)) {
        const valid = ajv.compile({ $ref: `api#/components/schemas/${content.schema}/properties/${name}` });
        for (const value of PALETTE) {
          if (valid(value)) continue;
          const told = await refusal({ ...example, [name]: value });
          assert.ok(told.startsWith(`400 INVALID_INPUT: ${name}`), `${name}: ${JSON.stringify(value)}: ${told}`);
        }
        const { [name]: _, ...others } = example;
        if (required.includes(name)) assert.match(await refusal(others), `400 INVALID_INPUT: ${name} must be`);
      }
      if (additionalProperties === false) {
        assert.match(
          await refusal({ ...example, surplus: 1 }),
          "400 INVALID_INPUT: unknown field 'surplus'; fields are",
        );
      }
      for (const given of type === "object" ? [null, 1, "x", [], true] : []) {
        assert.match(await refusal(given), "400 INVALID_INPUT: the body must be an object, got");
      }
    }));
}

test.run();
