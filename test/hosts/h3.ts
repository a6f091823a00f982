// Another h3 app.
import type { IncomingMessage, ServerResponse } from "node:http";
import { fromNodeHandler, H3, toNodeHandler } from "h3";
import { type Host, type Mount, OWN } from "./site.js";
import { serving, urlLog } from "./socket-site.js";

function h3Host(name: string, keepsPrefix: boolean, put: (app: H3, mount: Mount) => unknown): Host {
  return {
    name,
    keepsPrefix,
    readsPaths: true,
    async start(mounts) {
      const app = new H3({ silent: true, onError: ({ status }) => new Response(OWN.missing, { status }) });
      app.get("/before", () => OWN.before);
      app.post("/echo", (event) => event.req.json());
      for (const mount of mounts) put(app, mount);
      app.get("/after", () => OWN.after);
      app.get("/trackers", () => OWN.beside);
      const listener = toNodeHandler(app) as (request: IncomingMessage, response: ServerResponse) => unknown;
      const urls = urlLog();
      return serving((request, response) => {
        urls.note(request, response);
        void listener(request, response);
      }, urls);
    },
  };
}

export const H3_HOSTS: readonly Host[] = [
  h3Host("h3, by mount(fetch)", false, (app, { prefix, server }) => app.mount(prefix || "/", server.fetch)),
  h3Host("h3, by mount(app)", false, (app, { prefix, server }) => app.mount(prefix || "/", server.app)),
  h3Host("h3, by a route", true, (app, { prefix, server }) =>
    app.all(`${prefix}/**`, (event) => server.fetch(event.req)),
  ),
  h3Host("h3, by the Node handler", true, (app, { prefix, server }) =>
    app.all(`${prefix}/**`, fromNodeHandler(server.nodeHandler)),
  ),
];
