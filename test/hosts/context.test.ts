// Each framework passes the user whom its own middleware found: hooks and `authorize` get that one.
import type { RequestListener } from "node:http";
import express from "express";
import fastify from "fastify";
import { H3 } from "h3";
import { Hono } from "hono";
import Koa from "koa";
import { toNodeHandler } from "srvx/node";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { type ActivityServer, allow, createActivityServer, deny } from "../../src/index.js";
import { BUCKET } from "../harness.js";
import type { Site } from "./site.js";
import { serving, siteAt, urlLog } from "./socket-site.js";

const test = suite("the context of a request in a framework");

interface User {
  readonly name: string;
}
type Server = ActivityServer<User, { readonly user: User | undefined }>;

/** What stands for a session. */
const userOf = (header: string | string[] | null | undefined): User | undefined =>
  typeof header === "string" ? { name: header } : undefined;

type Start = (server: Server) => Promise<Site>;

const HOSTS: Readonly<Record<string, Start>> = {
  Express(server) {
    const app = express();
    app.use("/tracker", (request, response) => {
      server.nodeHandler(request, response, { context: { user: userOf(request.headers["x-user"]) } });
    });
    return serving(app, urlLog());
  },
  async Fastify(server) {
    const app = fastify({ forceCloseConnections: true });
    const users = Symbol("users");
    app.addHook("onRequest", async (request) => {
      Object.assign(request, { [users]: userOf(request.headers["x-user"]) });
    });
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
      scope.all("/tracker/*", (request, reply) => {
        reply.hijack();
        const { [users]: user } = request as { [users]?: User };
        server.nodeHandler(request.raw, reply.raw, { context: { user } });
      });
    });
    await app.listen({ port: 0, host: "127.0.0.1" });
    return siteAt((app.server.address() as { port: number }).port, urlLog(), () => app.close());
  },
  Koa(server) {
    const app = new Koa();
    app.use((context) => {
      context.respond = false;
      const user = userOf(context.req.headers["x-user"]);
      return server.nodeHandler(context.req, context.res, { context: { user } });
    });
    return serving(app.callback(), urlLog());
  },
  Hono(server) {
    const app = new Hono<{ Variables: { user: User | undefined } }>();
    app.use(async (context, next) => {
      context.set("user", userOf(context.req.header("x-user")));
      await next();
    });
    app.all("/tracker/*", (context) => server.fetch(context.req.raw, { context: { user: context.get("user") } }));
    return serving(toNodeHandler(app.fetch) as RequestListener, urlLog());
  },
  "h3 2"(server) {
    const app = new H3();
    app.use((event) => {
      event.context["user"] = userOf(event.req.headers.get("x-user"));
    });
    app.all("/tracker/**", (event) =>
      server.fetch(event.req, { context: { user: event.context["user"] as User | undefined } }),
    );
    return serving(toNodeHandler(app.fetch.bind(app)) as RequestListener, urlLog());
  },
};

for (const [name, start] of Object.entries(HOSTS)) {
  test(`${name}: who has no session is refused, and hooks get the user of one`, async () => {
    const seen: unknown[] = [];
    const server: Server = createActivityServer<User, { readonly user: User | undefined }>({
      storage: memory(),
      basePath: "/tracker",
      authorize: ({ context }) => (context?.user === undefined ? deny() : allow(context.user)),
      hooks: { beforeCreateBucket: ({ context, identity }) => void seen.push([context?.user, identity]) },
    });
    const site = await start(server);
    try {
      assert.is((await site.send("POST", "/tracker/api/0/buckets/a", BUCKET)).status, 403);
      const answers = ["ada", "bob"].map((user) =>
        site.send("POST", `/tracker/api/0/buckets/${user}`, BUCKET, { "X-User": user }),
      );
      for (const { status } of await Promise.all(answers)) assert.is(status, 200);
      const names = seen.map((given) => (given as User[]).map((user) => user.name));
      assert.equal(names.sort(), [
        ["ada", "ada"],
        ["bob", "bob"],
      ]);
    } finally {
      await site.close();
      await server.close();
    }
  });
}

test.run();
