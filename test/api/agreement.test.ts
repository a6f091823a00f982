// long: 300 s
// One corpus of bodies and parameters for the schemas and for the server: both have to accept and refuse the same.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { OPERATION_LIST, type OperationId } from "../../src/api/operations.js";
import { PARAMETERS, type ParameterName } from "../../src/api/parameters.js";
import type { SchemaName } from "../../src/api/schemas.js";
import type { TestServer } from "../../src/testing/index.js";
import { ACCEPTED, REFUSED } from "../domain/timestamp-forms.js";
import { rotatingSampleOf } from "../faults/sizes.js";
import { withTestServer } from "../harness.js";
import { checkedFetch } from "./answer-check.js";
import { apiDocument } from "./document.js";

const test = suite("agreement of schemas and server");

const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
ajv.addSchema({ ...apiDocument(), $id: "api" });

function schemaNamed(name: SchemaName): ValidateFunction {
  return ajv.compile({ $ref: `api#/components/schemas/${name}` });
}

const TIME = "2024-03-01T10:00:00Z";
const EVENT = { timestamp: TIME, duration: 1, data: { app: "a" } };
const BUCKET = { type: "t", client: "c", hostname: "h" };
const PERIOD = `${TIME}/${TIME}`;

/** Values of every kind. */
const PALETTE: readonly unknown[] = [
  ...[null, true, false, 0, 1, -1, -0.5, 1.5, 7, 8_000_000_000, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e300],
  ...["", "x", "1", "null", TIME, "2024-03-01", "2024-13-01", PERIOD, "ü\u0000", "\ud800"],
  ...[[], {}, [1], ["x"], [[]], { a: 1 }, { events: null }, [{}], [EVENT], [null], [PERIOD], [`${PERIOD}/`], [TIME]],
  EVENT,
];

/** Takes the field away. */
const MISSING = Symbol("missing");

/** A body with another value in one of its fields, for each field and value; and each value alone. */
function* variants(base: Readonly<Record<string, unknown>>, others: readonly string[]): Generator<unknown> {
  yield base;
  yield* PALETTE;
  for (const field of [...Object.keys(base), ...others, "surplus", "__proto__", "constructor"]) {
    for (const value of [MISSING, ...PALETTE]) {
      const fields = Object.entries(base).filter(([name]) => name !== field);
      yield Object.fromEntries(value === MISSING ? fields : [...fields, [field, value]]);
    }
  }
}

interface Subject {
  readonly id: OperationId;
  readonly search?: string;
  readonly bodies: readonly unknown[];
  /** Whether JSON Schema cannot say what is wrong with a body that the server refuses. */
  readonly isBeyondSchema?: (body: unknown) => boolean;
  /** Whether the server takes a body that is not as it should be. */
  readonly isForgiven?: (body: unknown) => boolean;
}

const EVENT_VARIANTS = [...variants(EVENT, ["id"])];

const RULE = { when: { key: "app", equals: "a" }, then: "drop" };
const ACTIONS = [{ redact: { keys: ["app"] } }, { redact: { keys: ["app"], with: 1 } }, { replace: { app: "b" } }];
const BOTH = { redact: { keys: ["app"] }, replace: {} };

const PRIVACY_RULES: readonly unknown[] = [
  ...variants(RULE, ["enabled"]),
  ...[
    ...variants(RULE.when, ["buckets", "matches"]),
    ...variants({ key: "app", matches: "a" }, ["buckets", "ignoreCase"]),
    ...variants({ buckets: "b*" }, ["equals", "matches"]),
  ].map((when) => ({ ...RULE, when })),
  ...[...PALETTE, ...ACTIONS, BOTH].map((then) => ({ ...RULE, then })),
  ...[...variants(ACTIONS[1] as object & { redact: object }, [])].map((then) => ({ ...RULE, then })),
  ...[...variants({ keys: ["app"] }, ["with"])].map((redact) => ({ ...RULE, then: { redact } })),
];

const RETENTION_RULES: readonly unknown[] = [
  ...variants({ buckets: "b*", keepDays: 1 }, ["dropShorterThan", "summarizeAfterDays", "enabled"]),
  ...variants({ buckets: "b*", dropShorterThan: 86_400, summarizeAfterDays: 200_000 }, []),
];

const SELECTION = { start: TIME, preview: true };
const SELECTING = ["end", "filter", "key", "equals", "matches", "permanent"];
const SELECTIONS: readonly unknown[] = [
  ...[
    { end: TIME },
    { filter: ["app=a"] },
    { filter: [] },
    { start: null, end: null, filter: null },
    { filter: ["a", 1] },
  ],
  ...[{ key: "app" }, { key: "app", equals: "a" }, { key: "app", equals: false }, { key: "app", equals: null }],
  ...[{ key: "app", matches: "a" }, { key: "app", matches: "a", equals: "a" }, { equals: "a" }, { matches: "a" }],
  { start: TIME, matches: "a" },
].map((selection) => ({ ...selection, preview: true }));

const SUBJECTS: readonly Subject[] = [
  {
    id: "insertEvents",
    bodies: [...EVENT_VARIANTS, ...EVENT_VARIANTS.map((event) => [EVENT, event])],
    isBeyondSchema: endsTooLate,
  },
  { id: "heartbeat", search: "pulsetime=1", bodies: EVENT_VARIANTS, isBeyondSchema: endsTooLate },
  {
    id: "createBucket",
    bodies: [
      ...variants(BUCKET, ["id", "name", "created", "data", "events", "metadata"]),
      ...EVENT_VARIANTS.map((event) => ({ ...BUCKET, events: [event] })),
    ],
    isBeyondSchema: endsTooLate,
  },
  {
    id: "importBuckets",
    bodies: [
      ...variants({ buckets: {} }, []),
      ...[...variants(BUCKET, ["id", "name", "created", "data", "events"])].map((b) => ({ buckets: { b } })),
      ...EVENT_VARIANTS.map((event) => ({ buckets: { b: { ...BUCKET, events: [event] } } })),
    ],
    // One bad event must not block years of data: it is left out and counted.
    isForgiven: (body) => schemaNamed("ImportDocument")(withoutEvents(body)),
  },
  {
    id: "query",
    bodies: [...variants({ timeperiods: [PERIOD], query: ["RETURN = 1;"] }, [])],
    // The two ends of a period would be one long pattern; and what is no program only its parser can tell.
    isBeyondSchema: () => true,
  },
  { id: "putSetting", bodies: PALETTE },
  { id: "previewPrivacy", bodies: [{}, ...PRIVACY_RULES.map((rule) => ({ rules: [rule] }))] },
  { id: "previewRetention", bodies: [{}, ...RETENTION_RULES.map((rule) => ({ rules: [rule] }))] },
  { id: "deleteEvents", bodies: [...variants(SELECTION, [...SELECTING, "ids"]), ...SELECTIONS] },
  { id: "deleteEventsOfAll", bodies: [...variants(SELECTION, [...SELECTING, "buckets", "hosts"]), ...SELECTIONS] },
];

/** Longer than from the time of the examples to the end of the range. */
const TOO_LONG = 8_000_000_000;

function endsTooLate(body: unknown): boolean {
  return JSON.stringify(body).includes(`"duration":${TOO_LONG}`);
}

function withoutEvents(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document), (key, value) => (key === "events" && Array.isArray(value) ? [] : value));
}

async function withOneBucket(body: (server: TestServer) => Promise<void>): Promise<void> {
  await withTestServer({}, async (server) => {
    await server.buckets.create("b", BUCKET);
    await body(server);
  });
}

for (const { id, search = "", bodies: all, isBeyondSchema, isForgiven } of SUBJECTS) {
  const bodies = rotatingSampleOf(all, 3);
  test(`what ${id} takes is what its schema lets pass, in ${bodies.length} bodies`, () =>
    withOneBucket(async (server) => {
      const { method, path, body } = OPERATION_LIST[id];
      const valid = schemaNamed(body?.["application/json"]?.schema as SchemaName);
      const seen = { accepted: 0, refused: 0 };
      for (const [index, value] of bodies.entries()) {
        const text = JSON.stringify(value);
        // A bucket that exists is not created again.
        const bucketId = id === "createBucket" ? `b${index}` : "b";
        const url = `http://localhost${path.replace(":bucketId", bucketId).replace(":key", "k")}?${search}`;
        const init = { method, headers: { "content-type": "application/json" }, body: text };
        const { status } = await checkedFetch(url, init, server.fetch);
        assert.ok(status === 200 || status === 400, `${status} for ${text}`);
        const isTaken = status === 200;
        seen[isTaken ? "accepted" : "refused"]++;
        // As it arrives: a key `__proto__` is one like any other.
        const isValid = valid(JSON.parse(text));
        if (isValid === isTaken) continue;
        const isNamed = isTaken ? isForgiven?.(value) : isBeyondSchema?.(value);
        assert.ok(
          isNamed,
          `${text}: the schema ${isValid ? "lets it pass" : "refuses it"}, the server answers ${status}`,
        );
      }
      assert.ok(seen.accepted > 0 && (seen.refused > 0 || id === "putSetting"), JSON.stringify(seen));
    }));
}

/** What JSON Schema cannot know: how long months are, and which instant a zone makes of the ends of the range. */
const BEYOND_PATTERNS: ReadonlySet<string> = new Set([
  ...["2024-02-30", "2023-02-29", "1900-02-29", "2100-02-29T00:00:00Z", "2024-04-31", "20240230T1000"],
  ...["1700-01-01T00:00:00+00:01", "2249-12-31T23:59:59-00:01"],
]);

test("the pattern of timestamps lets pass what the server reads, in every form", () => {
  const valid = schemaNamed("TimestampInput");
  const wrong = [
    ...ACCEPTED.filter(([text]) => !valid(text)).map(([text]) => `refused: ${text}`),
    ...REFUSED.filter((text) => valid(text) !== BEYOND_PATTERNS.has(text)).map((text) => `let pass: ${text}`),
  ];
  assert.equal(wrong, []);
});

test("every timestamp of an answer fits its pattern, and no other form does", () => {
  const valid = schemaNamed("Timestamp");
  for (const text of ["1700-01-01T00:00:00+00:00", "2249-12-31T23:59:59.999999+00:00"]) assert.ok(valid(text), text);
  for (const text of [TIME, "2024-03-01T10:00:00.5+00:00", "2024-03-01", "2024-03-01T10:00:00"]) {
    assert.not(valid(text), text);
  }
});

const NUMBERS: readonly string[] = [
  ..."0|1|-1|10|007|1.5|-0.5|.5|5.|1e1|1E-3|-1e2|99999999999999999999|x|1x|x1|0x10|1_000|--1|1-| 1|1 |".split("|"),
  ..."NaN|Infinity|-Infinity|null|true|1,5|1e|e1|\u0661".split("|"),
];

/** A text of a query string as the value that it stands for: OpenAPI writes numbers as JSON does. */
function parameterValue(text: string): unknown {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : text;
}

/** Beyond the numbers of JSON: leading zeros, a missing digit before or behind the point. */
const LENIENT: ReadonlySet<string> = new Set(["007", ".5", "5."]);
/** Integers of JSON Schema that are not written as such. */
const NOT_WHOLE: ReadonlySet<string> = new Set(["1e1", "-1e2"]);

const PARAMETER_TEXTS: Partial<Readonly<Record<ParameterName, readonly string[]>>> = {
  limit: NUMBERS,
  bins: [...NUMBERS, "9999", "10000", "10001"],
  pulsetime: NUMBERS,
  start: [...ACCEPTED.map(([text]) => text), ...REFUSED],
  end: [...ACCEPTED.map(([text]) => text), ...REFUSED],
};

for (const [name, texts] of Object.entries(PARAMETER_TEXTS)) {
  test(`what is taken for ${name} is what its schema lets pass`, () =>
    withOneBucket(async (server) => {
      const reference = JSON.stringify(PARAMETERS[name as ParameterName].schema).replace(
        '"$ref":"',
        '"$ref":"api#/components/schemas/',
      );
      const valid = ajv.compile(JSON.parse(reference) as object);
      const isHeartbeat = name === "pulsetime";
      const isWhole = name === "limit" || name === "bins";
      const route = isHeartbeat ? "heartbeat" : name === "bins" ? "timeline" : "events";
      for (const text of texts) {
        const url = `/api/0/buckets/b/${route}?${name}=${encodeURIComponent(text)}`;
        const init = isHeartbeat
          ? { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(EVENT) }
          : {};
        const { status } = await checkedFetch(`http://localhost${url}`, init, server.fetch);
        const isNamed =
          (status === 200 && LENIENT.has(text)) ||
          (status === 400 && (BEYOND_PATTERNS.has(text) || (isWhole && NOT_WHOLE.has(text))));
        const value = isWhole || isHeartbeat ? parameterValue(text) : text;
        assert.ok(isNamed || valid(value) === (status === 200), `${name}=${text} is answered ${status}`);
      }
    }));
}

test.run();
