// The error examples of the document are what a server really says.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type AnsweredError, ERRORS, exampleOf } from "../../src/api/errors.js";
import type { Operation } from "../../src/api/operation.js";
import { OPERATION_LIST } from "../../src/api/operations.js";
import { ActivityError, type ActivityServerOptions } from "../../src/index.js";
import { withTestServer } from "../harness.js";
import { checkedFetch } from "./answer-check.js";

const test = suite("error examples of the OpenAPI document");

interface Provocation {
  readonly options?: Partial<Omit<ActivityServerOptions, "storage" | "clock">>;
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const JSON_TYPE = { "content-type": "application/json" };
const BUCKET = JSON.stringify({ type: "t", client: "c", hostname: "h" });
const PERIOD = "2024-03-01T00:00:00Z/2024-03-02T00:00:00Z";

function query(...lines: readonly string[]): Provocation {
  const body = JSON.stringify({ timeperiods: [PERIOD], query: lines });
  return { method: "POST", path: "/api/0/query", headers: JSON_TYPE, body };
}

const PROVOKED: Partial<Readonly<Record<AnsweredError, Provocation>>> = {
  INVALID_INPUT: { path: "/api/0/buckets/window_desk/events?limit=ten" },
  QUERY_FAILED: query('events = query_bucket("window_desk");', "RETURN = event;"),
  UNAUTHORIZED: { options: { apiKey: "secret" }, path: "/api/0/buckets" },
  FORBIDDEN: { path: "/api/0/buckets", headers: { origin: "https://example.org" } },
  VETOED: {
    options: { hooks: { beforeCreateBucket: () => veto() } },
    method: "POST",
    path: "/api/0/buckets/other",
    headers: JSON_TYPE,
    body: BUCKET,
  },
  QUOTA_EXCEEDED: {
    options: { quota: { events: 0 } },
    method: "POST",
    path: "/api/0/buckets/window_desk/events",
    headers: JSON_TYPE,
    body: JSON.stringify([{ timestamp: "2024-03-01T10:00:00Z", duration: 0, data: {} }]),
  },
  NO_SUCH_BUCKET: { path: "/api/0/buckets/afk_desk" },
  NO_SUCH_EVENT: { path: "/api/0/buckets/window_desk/events/7" },
  NO_SUCH_KEY: {
    options: { controlToken: "token" },
    method: "DELETE",
    path: "/api/0/keys/phone",
    headers: { authorization: "Bearer token" },
  },
  NO_SUCH_SESSION: { method: "DELETE", path: "/api/0/sessions/kq3v9x1m" },
  NO_SUCH_PAIRING: { method: "DELETE", path: "/api/0/pairing/KRTM-4829" },
  NO_SUCH_REDIRECT: { method: "DELETE", path: "/api/0/redirects/window_desk" },
  NO_SUCH_ENTRY: { method: "DELETE", path: "/api/0/trash/5f0c81ab-42d7" },
  NO_SUCH_UNDO: { method: "POST", path: "/api/0/undo/5f0c81ab42d7" },
  CONFLICT: { method: "POST", path: "/api/0/hosts/laptop/rename", headers: JSON_TYPE, body: '{"to":"desk"}' },
  NO_SUCH_ROUTE: { options: { basePath: "/" }, path: "/api/0/nothing" },
  METHOD_NOT_ALLOWED: { method: "PATCH", path: "/api/0/info" },
  TOO_LARGE: {
    options: { bodyLimitBytes: 100 },
    method: "POST",
    path: "/api/0/settings/a",
    headers: JSON_TYPE,
    body: `"${"x".repeat(200)}"`,
  },
  UNSUPPORTED_TYPE: { method: "POST", path: "/api/0/settings/a" },
  QUERY_TOO_LARGE: {
    ...query('RETURN = query_bucket("window_desk");'),
    options: { queryLimits: { timeMillis: 1e-9 } },
  },
};

function veto(): never {
  throw new ActivityError("VETOED", ERRORS.VETOED.message);
}

for (const [code, { options = {}, method = "GET", path, body, headers = {} }] of Object.entries(PROVOKED)) {
  test(`${code} is answered as documented`, () =>
    withTestServer({ testing: false, ...options }, async (server) => {
      if (code !== "VETOED") await server.buckets.create("window_desk", JSON.parse(BUCKET));
      const init = { method, headers, ...(body === undefined ? {} : { body }) };
      const answer = await checkedFetch(`http://localhost${path}`, init, server.fetch);
      const { status } = ERRORS[code as AnsweredError];
      assert.is(answer.status, status);
      assert.equal(
        withoutNumbers(await answer.text()),
        withoutNumbers(JSON.stringify(exampleOf(code as AnsweredError))),
      );
    }));
}

/** Limits are options. */
function withoutNumbers(text: string): string {
  return text.replace(/\d+(?:e-\d+)?/g, "N");
}

test("whatever takes a filter may exceed the time that it has", () => {
  const operations: readonly (readonly [string, Operation])[] = Object.entries(OPERATION_LIST);
  const others = operations.filter(
    ([, { parameters, errors }]) => parameters.includes("filter") && !errors.includes("QUERY_TOO_LARGE"),
  );
  assert.equal(
    others.map(([id]) => id),
    [],
  );
});

test("what is not provoked cannot be by a request alone", () => {
  const others = Object.keys(ERRORS).filter((code) => !(code in PROVOKED));
  assert.ok(
    others.every((code) =>
      /^STORAGE_|^CHANGES_GONE$|^ALREADY_ANSWERED$|^HEAD_TOO_LARGE$|^BUSY$|^TOO_SLOW$|^TOO_MANY_REQUESTS$/.test(code),
    ),
    others.join(),
  );
});

test.run();
