// Koa 3, bare and behind its body parser.
import { bodyParser } from "@koa/bodyparser";
import Koa from "koa";
import { type Host, OWN } from "./site.js";
import { serving, urlLog } from "./socket-site.js";

const LARGE = { jsonLimit: "64mb" } as const;

function koaHost(name: string, parses: boolean): Host {
  return {
    name,
    keepsPrefix: true,
    parsesJson: parses,
    async start(mounts) {
      const urls = urlLog();
      const app = new Koa();
      const parse = bodyParser(LARGE);
      app.use(async (context, next) => {
        if (context.path === "/before") context.body = OWN.before;
        else if (context.path !== "/echo") await next();
        else {
          await parse(context, async () => undefined);
          context.body = context.request.body;
        }
      });
      if (parses) app.use(parse);
      for (const { prefix, server } of mounts) {
        app.use(async (context, next) => {
          if (context.path !== prefix && !context.path.startsWith(`${prefix}/`)) return next();
          urls.note(context.req, context.res);
          context.respond = false;
          if (parses) context.req.body = context.request.body;
          server.nodeHandler(context.req, context.res);
        });
      }
      app.use((context) => {
        if (context.path === "/after") context.body = OWN.after;
        else if (context.path === "/trackers") context.body = OWN.beside;
        else {
          context.status = 404;
          context.body = OWN.missing;
        }
      });
      return serving(app.callback(), urls);
    },
  };
}

export const KOA_HOSTS: readonly Host[] = [
  koaHost("Koa", false),
  koaHost("Koa behind a body parser that hands its result over", true),
];
