// Hosts that read a body and keep nothing of it, before the server sees the request. Others hand over what
// test/http/mounting.test.ts has.

import type { RequestListener } from "node:http";
import { bodyParser } from "@koa/bodyparser";
import { H3, toNodeHandler } from "h3";
import Koa from "koa";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { BUCKET } from "../harness.js";
import { event, json, refusal } from "../http/client.js";
import { form } from "./forms.js";
import { type Host, type Mount, visit } from "./site.js";
import { serving, urlLog } from "./socket-site.js";

const test = suite("a body that the host has read and thrown away");

/** A host that listens with one server in it. */
function listening(name: string, listenerOf: (mount: Mount) => RequestListener): Host {
  return { name, start: async ([mount]) => serving(listenerOf(mount as Mount), urlLog()) };
}

const HOSTS: readonly Host[] = [
  listening("Koa behind a body parser that hands nothing over", ({ server }) => {
    const app = new Koa();
    app.use(bodyParser({ jsonLimit: "64mb", enableTypes: ["json", "form", "text"], extendTypes: { text: ["*/*"] } }));
    app.use((context) => {
      context.respond = false;
      server.nodeHandler(context.req, context.res);
    });
    return app.callback();
  }),
  listening("h3 behind a middleware that reads, by mount(app)", ({ server }) => {
    const app = new H3();
    app.use(async (event) => void (await event.req.text()));
    app.mount("", server.app);
    return toNodeHandler(app) as RequestListener;
  }),
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
}

test.run();
