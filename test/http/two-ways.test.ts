// long: 300 s
// Node's requests are read without h3; nobody may be able to tell. What happens to them behind that is the same.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { IS_LONG } from "../faults/sizes.js";
import { head, jsonRequest } from "./raw.js";
import { type TwoWays, withTwoWays } from "./two-ways.js";
import { HEADERS, IDS, PATHS, QUERIES, REWRITTEN_IDS } from "./two-ways-tables.js";

const test = suite("the short way and the long way");

const BEAT = '{"timestamp":"2024-03-01T10:00:00Z","duration":1.5,"data":{"app":"a"}}';
const KINDS = ["events", "export", "heartbeat?pulsetime=5"] as const;
const CLOSING = ["Host: localhost:5600", "Connection: close"] as const;

/** Sends a request both ways and compares the answers byte for byte. */
async function same(ways: TwoWays, bytes: string, method?: string): Promise<number> {
  const [short, long] = await ways.ask(bytes, method);
  const line = JSON.stringify(bytes.slice(0, 300));
  assert.ok(short.status > 0, `no answer to ${line}`);
  assert.is(short.status, long.status, `status of ${line}: ${short.body} against ${long.body}`);
  assert.equal(short.headers, long.headers, `headers of ${line}`);
  assert.ok(short.body === long.body, `body of ${line}:\n${short.body.slice(0, 500)}\n${long.body.slice(0, 500)}`);
  return short.status;
}

/** A request with the method, with a heartbeat as body where methods have one. */
function request(method: string, path: string, ...headers: readonly string[]): string {
  const line = `${method} ${path}`;
  return /^(GET|HEAD|OPTIONS|TRACE)$/.test(method)
    ? head(line, ...CLOSING, ...headers)
    : jsonRequest(line, BEAT, ...CLOSING, ...headers);
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND", "QUERY", "LINK"];

/** All of a list; in the short tests one of it, which take turns. */
function inTurn<T>(items: readonly T[], turn: number): readonly T[] {
  return IS_LONG ? items : items.slice(turn % items.length).slice(0, 1);
}

test("every method gets the same answer", () =>
  withTwoWays({}, async (ways) => {
    const seen = new Set<number>();
    for (const method of METHODS) {
      for (const path of [...KINDS.map((kind) => `/api/0/buckets/b/${kind}`), "/api/0/export"]) {
        seen.add(await same(ways, request(method, path), method));
      }
    }
    assert.equal(Array.from(seen).sort(), [200, 204, 405]);
  }));

test("every spelling of a bucket id gets the same answer", () =>
  withTwoWays({}, async (ways) => {
    const seen = new Set<number>();
    for (const [turn, id] of IDS.entries()) {
      for (const kind of inTurn(KINDS, turn)) {
        const method = kind.startsWith("heartbeat") ? "POST" : "GET";
        seen.add(await same(ways, request(method, `/api/0/buckets/${id}/${kind}`)));
      }
    }
    assert.ok(
      [200, 400, 404].every((status) => seen.has(status)),
      Array.from(seen).join(" "),
    );
  }));

test("every spelling of a path gets the same answer", () =>
  withTwoWays({}, async (ways) => {
    for (const [turn, path] of PATHS.entries()) {
      for (const method of inTurn(["GET", "POST", "HEAD"], turn)) await same(ways, request(method, path), method);
    }
  }));

test("paths that URL parsers rewrite get the same answer", () =>
  withTwoWays({}, async (ways) => {
    const differing: string[] = [];
    for (const id of REWRITTEN_IDS) {
      for (const kind of ["events", "export"]) {
        const [short, long] = await ways.ask(request("GET", `/api/0/buckets/${id}/${kind}`));
        if (short.body !== long.body)
          differing.push(`/api/0/buckets/${id}/${kind}: ${short.status} and ${long.status}`);
      }
    }
    assert.equal(differing, []);
  }));

test("every query gets the same answer", () =>
  withTwoWays({}, async (ways) => {
    for (const query of QUERIES) {
      await same(ways, request("GET", `/api/0/buckets/b/events${query}`));
      await same(ways, request("GET", `/api/0/export/${query}`));
      await same(ways, request("POST", `/api/0/buckets/b/heartbeat${query}`));
    }
  }));

test("every Host and Origin gets the same answer", () =>
  withTwoWays({ cors: ["http://trusted.example"], corsRegex: ["http://\\w+\\.regex\\.example"] }, async (ways) => {
    const seen = new Set<number>();
    for (const [turn, lines] of HEADERS.entries()) {
      for (const [index, method] of ["GET", "POST", "OPTIONS", "HEAD"].entries()) {
        for (const path of inTurn(KINDS, turn + index).map((kind) => `/api/0/buckets/b/${kind}`)) {
          const all = ["Connection: close", ...lines];
          const line = `${method} ${path}`;
          seen.add(await same(ways, method === "POST" ? jsonRequest(line, BEAT, ...all) : head(line, ...all), method));
        }
      }
    }
    assert.equal(Array.from(seen).sort(), [200, 204, 400, 403, 405]);
  }));

test.run();
