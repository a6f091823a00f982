// Fastify 5: by middleware, and by a wildcard route that steps aside.
import type { AddressInfo } from "node:net";
import middie from "@fastify/middie";
import fastify, { type FastifyInstance } from "fastify";
import { type Host, type Mount, OWN } from "./site.js";
import { siteAt, type UrlLog, urlLog } from "./socket-site.js";

const BODY_LIMIT = 64 * 1024 * 1024;

/** Puts the servers into an application. */
type Register = (app: FastifyInstance, mounts: readonly Mount[], urls: UrlLog) => Promise<void>;

const byMiddleware: Register = async (app, mounts, urls) => {
  await app.register(middie);
  for (const { prefix, server } of mounts) {
    app.use(prefix || "/", (request, response, next) => {
      urls.note(request, response);
      next();
    });
    app.use(prefix || "/", server.nodeHandler);
  }
};

/** A plugin has parsers of its own, so the bodies of other routes are still parsed. */
const byRoute: Register = async (app, mounts, urls) => {
  for (const { prefix, server } of mounts) {
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
      scope.all(`${prefix}/*`, (request, reply) => {
        urls.note(request.raw, reply.raw);
        reply.hijack();
        server.nodeHandler(request.raw, reply.raw);
      });
    });
  }
};

/** What the parsers of the application made of the body is handed over. */
const byRouteWithBody: Register = async (app, mounts, urls) => {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser(/^application\/[\w.-]+\+json/, { parseAs: "string" }, parseJson);
  app.addContentTypeParser("multipart/form-data", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
    done(null, body),
  );
  for (const { prefix, server } of mounts) {
    app.all(`${prefix}/*`, (request, reply) => {
      urls.note(request.raw, reply.raw);
      reply.hijack();
      server.nodeHandler(Object.assign(request.raw, { body: request.body }), reply.raw);
    });
  }
};

type Traits = Pick<Host, "keepsPrefix" | "parsesJson" | "takesAllAtRoot">;

function fastifyHost(name: string, register: Register, traits: Traits = {}): Host {
  return {
    name,
    readsPaths: true,
    ...traits,
    async start(mounts) {
      const urls = urlLog();
      const app = fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true });
      app.get("/before", async () => OWN.before);
      app.post("/echo", async (request) => request.body);
      await register(app, mounts, urls);
      app.get("/after", async () => OWN.after);
      app.get("/trackers", async () => OWN.beside);
      app.setNotFoundHandler((_request, reply) => reply.code(404).send(OWN.missing));
      await app.listen({ port: 0, host: "127.0.0.1" });
      return siteAt((app.server.address() as AddressInfo).port, urls, () => app.close());
    },
  };
}

export const FASTIFY_HOSTS: readonly Host[] = [
  fastifyHost("Fastify, by middie", byMiddleware, { takesAllAtRoot: true }),
  fastifyHost("Fastify, by a route", byRoute, { keepsPrefix: true }),
  fastifyHost("Fastify, by a route with the parsed body", byRouteWithBody, { keepsPrefix: true, parsesJson: true }),
];
