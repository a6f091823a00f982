// The check of answers has to bite: each answer here departs from the document in one way. What it lets pass, all other
// tests show.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { answerCounts, checkAnswer } from "./answer-check.js";

const test = suite("check of answers");

const EVENT = '{"id":1,"timestamp":"2024-03-01T10:00:00+00:00","duration":1,"data":{}}';
const JSON_TYPE = "application/json";

interface Given {
  readonly request: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function check({ request, status = 200, headers = { "content-type": JSON_TYPE }, body = "" }: Given): void {
  const [method = "", path = ""] = request.split(" ");
  checkAnswer({ method, path, status, header: (name) => headers[name], body });
}

const EVENTS = "GET /api/0/buckets/b/events";
const ALLOW = { "content-type": JSON_TYPE, allow: "GET, HEAD, OPTIONS" };

const WRONG: Readonly<Record<string, Given>> = {
  "a status that the operation does not have": { request: EVENTS, status: 409, body: '{"message":"x"}' },
  "a success that the operation does not have": { request: EVENTS, status: 204, headers: {} },
  "another content type": { request: EVENTS, headers: { "content-type": "text/html" }, body: "[]" },
  "no content type": { request: EVENTS, headers: {}, body: "[]" },
  "what is no JSON": { request: EVENTS, body: "[" },
  "an empty body": { request: EVENTS },
  "another type": { request: EVENTS, body: "{}" },
  "a field too few": { request: EVENTS, body: `[${EVENT.replace('"duration":1,', "")}]` },
  "a field too many": { request: EVENTS, body: `[${EVENT.replace("{", '{"zone":1,')}]` },
  "an id that is none": { request: EVENTS, body: `[${EVENT.replace(":1,", ":0,")}]` },
  "another form of timestamps": { request: EVENTS, body: `[${EVENT.replace("+00:00", "Z")}]` },
  "an error that the operation does not have": {
    request: EVENTS,
    status: 404,
    body: '{"message":"x","code":"NO_SUCH_EVENT"}',
  },
  "an error without a message": { request: EVENTS, status: 404, body: '{"error":"x"}' },
  "a mistake in a program where there is none": {
    request: EVENTS,
    status: 400,
    body: '{"type":"QueryParseException","message":"x"}',
  },
  "a veto where nothing is written": {
    request: EVENTS,
    status: 403,
    body: '{"type":"Vetoed","message":"x"}',
  },
  "a veto of another type": {
    request: "POST /api/0/buckets/b",
    status: 403,
    body: '{"type":"Forbidden","message":"x"}',
  },
  "a body with 304": { request: "POST /api/0/buckets/b", status: 304, headers: {}, body: "{}" },
  "a body with HEAD": { request: "HEAD /api/0/buckets/b/events", body: "[]" },
  "a wrong method without Allow": { request: "PATCH /api/0/info", status: 405, body: '{"message":"x"}' },
  "a wrong method with another Allow": {
    request: "PATCH /api/0/settings",
    status: 405,
    headers: ALLOW,
    body: '{"message":"x"}',
  },
  "a wrong method that is carried out": { request: "PATCH /api/0/info", body: "{}" },
  "an unknown path that is there": { request: "GET /api/0/nothing", body: "{}" },
  "a preflight with a body": { request: "OPTIONS /api/0/info", status: 204, headers: { allow: "GET" }, body: "x" },
};

for (const [name, given] of Object.entries(WRONG)) {
  test(`it does not let pass ${name}`, () => {
    assert.throws(() => check(given), /the OpenAPI document does not allow the answer/);
  });
}

test("it says nothing about the API browser, and about what is beside the API", () => {
  const { pages } = answerCounts;
  for (const request of ["GET /api/", "GET /api", "GET /api/assets/a.js", "GET /", "GET /js/app.js"]) {
    check({ request, headers: { "content-type": "text/html" }, body: "<p>" });
  }
  assert.is(answerCounts.pages, pages + 5);
});

test.run();
