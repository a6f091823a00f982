// A handler that gets a request more than once, because it is mounted more than once.

import http, { type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type ActivityServer, createActivityServer } from "../../src/index.js";
import { BUCKET, event, inTime, withoutStrays } from "../http/client.js";
import { head, jsonRequest, withConnection } from "../http/raw.js";
import { fill, shared } from "../http/storages.js";

const test = suite("a handler that is mounted twice");

/** Large enough that its answer is still being sent when the second call comes. */
const LARGE = memory();
await fill(LARGE, "b", 5000, 1000);

interface Pair {
  readonly first: ActivityServer;
  readonly second: ActivityServer;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const HOSTS: Readonly<Record<string, (pair: Pair) => RequestListener>> = {
  "called twice at once":
    ({ first }) =>
    (request, response) => {
      first.nodeHandler(request, response);
      first.nodeHandler(request, response);
    },
  "called again a little later":
    ({ first }) =>
    async (request, response) => {
      first.nodeHandler(request, response);
      for (let turns = 0; turns < 3; turns++) await turn();
      first.nodeHandler(request, response);
    },
  "called again when the answer is out":
    ({ first }) =>
    (request, response) => {
      response.once("close", () => first.nodeHandler(request, response));
      first.nodeHandler(request, response);
    },
  "two servers for the same request":
    ({ first, second }) =>
    (request, response) => {
      first.nodeHandler(request, response);
      second.nodeHandler(request, response);
    },
  "Express with a middleware that calls it and goes on": ({ first }) => {
    const app = express();
    app.use((request, response, next) => {
      first.nodeHandler(request, response);
      next();
    });
    return app.use(first.nodeHandler);
  },
  "a host that has answered already":
    ({ first }) =>
    (request, response) => {
      if (request.url?.includes("/info")) response.setHeader("X-Of-Host", "1").end(JSON.stringify({ host: true }));
      first.nodeHandler(request, response);
    },
};

for (const [name, hostOf] of Object.entries(HOSTS)) {
  test(`each request gets one whole answer: ${name}`, () =>
    withoutStrays(async () => {
      const logged: unknown[] = [];
      const logger = { info() {}, warn() {}, error: (error: unknown) => void logged.push(error) };
      const first = createActivityServer({ storage: shared(LARGE), logger });
      const second = createActivityServer({ storage: memory(), logger });
      const listener = http.createServer(hostOf({ first, second }));
      await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
      const requests = [
        head("GET /api/0/info", "Host: localhost"),
        jsonRequest("POST /api/0/settings/k", JSON.stringify({ a: 1 }), "Host: localhost"),
        jsonRequest("POST /api/0/buckets/b", JSON.stringify(BUCKET), "Host: localhost"),
        jsonRequest("POST /api/0/buckets/b/heartbeat?pulsetime=1", JSON.stringify(event(0)), "Host: localhost"),
        head("GET /api/0/buckets/b/export", "Host: localhost"),
        head("GET /nothing", "Host: localhost"),
        head("GET /api/0/buckets/none", "Host: localhost"),
      ];
      const statuses: (number | undefined)[] = [];
      await withConnection((listener.address() as AddressInfo).port, async (connection) => {
        for (const request of requests) {
          connection.write(request);
          const answer = await inTime(connection.answer(), request.slice(0, 40));
          statuses.push(answer?.status);
          if (answer?.status !== 304) JSON.parse(String(answer?.body));
        }
        listener.close();
        listener.closeIdleConnections();
        // Nothing came behind the last answer.
        assert.is((await connection.rest()).length, 0);
      });
      await first.close();
      await second.close();
      assert.equal(statuses, [200, 200, 304, 200, 200, 404, 404]);
      assert.ok(logged.length > 0, "the mistake was logged");
      for (const error of logged) assert.match(String(error), /answer/);
    }));
}

test.run();
