// Hosts that read a body and keep nothing of it, before the server sees the request.

import type { IncomingMessage, RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { bodyParser } from "@koa/bodyparser";
import express from "express";
import fastify from "fastify";
import { H3, toNodeHandler } from "h3";
import Koa from "koa";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { BUCKET, event, json, refusal } from "../http/client.js";
import { form } from "./forms.js";
import { type Host, type Mount, visit } from "./site.js";
import { serving, siteAt, urlLog } from "./socket-site.js";
import { webSite } from "./web-standard.js";

const test = suite("a body that the host has read and thrown away");

async function drain(request: IncomingMessage): Promise<void> {
  for await (const _piece of request);
}

/** A host that listens with one server in it. */
function listening(name: string, listenerOf: (mount: Mount) => RequestListener): Host {
  return { name, start: async ([mount]) => serving(listenerOf(mount as Mount), urlLog()) };
}

const HOSTS: readonly Host[] = [
  listening("node:http", ({ server }) => async (request, response) => {
    await drain(request);
    server.nodeHandler(request, response);
  }),
  listening("Express behind a middleware that reads", ({ server }) => {
    const app = express();
    app.use(async (request, _response, next) => {
      await drain(request);
      next();
    });
    return app.use(server.nodeHandler);
  }),
  listening("Express behind a parser whose result is cleared", ({ server }) => {
    const app = express();
    app.use(express.raw({ type: "*/*", limit: "64mb" }), (request, _response, next) => {
      Object.assign(request, { body: undefined });
      next();
    });
    return app.use(server.nodeHandler);
  }),
  listening("Koa behind a body parser that hands nothing over", ({ server }) => {
    const app = new Koa();
    app.use(bodyParser({ jsonLimit: "64mb", enableTypes: ["json", "form", "text"], extendTypes: { text: ["*/*"] } }));
    app.use((context) => {
      context.respond = false;
      server.nodeHandler(context.req, context.res);
    });
    return app.callback();
  }),
  {
    name: "Fastify with its own parsers and a route that steps aside",
    async start([mount]) {
      const app = fastify({ bodyLimit: 64 * 1024 * 1024, forceCloseConnections: true });
      app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
      app.all("/*", (request, reply) => {
        reply.hijack();
        mount?.server.nodeHandler(request.raw, reply.raw);
      });
      await app.listen({ port: 0, host: "127.0.0.1" });
      return siteAt((app.server.address() as AddressInfo).port, urlLog(), () => app.close());
    },
  },
  listening("h3 behind a middleware that reads, by fetch", ({ server }) => {
    const app = new H3();
    app.use(async (event) => void (await event.req.text()));
    app.all("/**", (event) => server.fetch(event.req));
    return toNodeHandler(app) as RequestListener;
  }),
  listening("h3 behind a middleware that reads, by mount(app)", ({ server }) => {
    const app = new H3();
    app.use(async (event) => void (await event.req.text()));
    app.mount("", server.app);
    return toNodeHandler(app) as RequestListener;
  }),
  {
    name: "a web-standard route that reads",
    start: async ([mount]) =>
      webSite(async (request) => {
        await request.text();
        return (mount as Mount).server.fetch(request);
      }),
  },
  {
    name: "a web-standard route that holds the body",
    start: async ([mount]) =>
      webSite(async (request) => {
        request.body?.getReader();
        return (mount as Mount).server.fetch(request);
      }),
  },
];

for (const host of HOSTS) {
  test(`it is refused with the order that would be right in ${host.name}`, () =>
    visit(host, "", async ({ send, storage }) => {
      await storage.createBucket({ ...BUCKET, id: "b", name: null, created: 0, data: {} });
      const paths = [
        "/api/0/buckets/b/heartbeat?pulsetime=1",
        "/api/0/buckets/b/events",
        "/api/0/buckets/new",
        "/api/0/settings/k",
        "/api/0/import",
      ];
      for (const path of paths) {
        for (const headers of [{}, { "Transfer-Encoding": "chunked" }]) {
          const message = refusal(await send("POST", path, event(0), headers), 400);
          assert.match(message, /mount .* before the middleware/);
        }
      }
      refusal(await send("PUT", "/api/0/buckets/b", { name: "n" }), 400);
      const { body, headers } = form('{"buckets": {}}');
      refusal(await send("POST", "/api/0/import", body, headers), 400);
      // What needs no body works, and nothing was written.
      assert.is(json(await send("GET", "/api/0/buckets/b/events/count")), 0);
      assert.equal(Object.keys(json(await send("GET", "/api/0/buckets")) as object), ["b"]);
      json(await send("DELETE", "/api/0/buckets/b?force=1"));
    }));

  test(`a large one is refused, too, in ${host.name}`, () =>
    visit(host, "", async ({ send }) => {
      refusal(await send("POST", "/api/0/settings/k", JSON.stringify(["x".repeat(500_000)])), 400);
      json(await send("GET", "/api/0/info"));
    }));
}

test.run();
