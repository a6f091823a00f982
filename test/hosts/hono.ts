// Hono on Node. Its `serve` replaces the global Request and Response.
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { type Host, type Mount, OWN } from "./site.js";
import { siteAt, urlLog } from "./socket-site.js";

function honoHost(name: string, keepsPrefix: boolean, put: (app: Hono, mount: Mount) => unknown): Host {
  return {
    name,
    keepsPrefix,
    readsPaths: true,
    isWebStandard: true,
    async start(mounts) {
      const app = new Hono();
      app.get("/before", (context) => context.text(OWN.before));
      app.post("/echo", async (context) => context.json(await context.req.json()));
      for (const mount of mounts) put(app, mount);
      app.get("/after", (context) => context.text(OWN.after));
      app.get("/trackers", (context) => context.text(OWN.beside));
      app.notFound((context) => context.text(OWN.missing, 404));
      const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
      await once(server, "listening");
      return siteAt((server.address() as AddressInfo).port, urlLog(), async () => {
        server.close();
        server.closeAllConnections();
      });
    },
  };
}

export const HONO_HOSTS: readonly Host[] = [
  honoHost("Hono, by mount()", false, (app, { prefix, server }) => app.mount(prefix || "/", server.fetch)),
  honoHost("Hono, by a route", true, (app, { prefix, server }) =>
    app.all(`${prefix}/*`, (context) => server.fetch(context.req.raw)),
  ),
];
