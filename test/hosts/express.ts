// Express 5, bare and behind its body parsers.
import express from "express";
import { type Host, OWN } from "./site.js";
import { serving, urlLog } from "./socket-site.js";

/** The parsers' own limit is 100 kB. */
const LARGE = { limit: "64mb" } as const;

type Parsers = Readonly<Record<string, readonly ReturnType<typeof express.json>[]>>;

const PARSERS: Parsers = {
  "behind json()": [express.json({ ...LARGE, strict: false })],
  "behind raw()": [express.raw({ ...LARGE, type: "*/*" })],
  "behind text()": [express.text({ ...LARGE, type: "*/*" })],
  "behind urlencoded()": [express.urlencoded(LARGE)],
  "behind json() and urlencoded()": [express.json(LARGE), express.urlencoded({ ...LARGE, extended: true })],
};

function expressHost(kind: string, parsers: Parsers[string] = []): Host {
  return {
    name: `Express ${kind}`,
    parsesJson: kind.includes("json"),
    async start(mounts) {
      const urls = urlLog();
      const app = express();
      app.get("/before", (_request, response) => response.send(OWN.before));
      app.post("/echo", express.json({ ...LARGE, strict: false }), (request, response) => response.json(request.body));
      for (const parser of parsers) app.use(parser);
      for (const { prefix, server } of mounts) {
        app.use(prefix || "/", (request, response, next) => {
          urls.note(request, response);
          next();
        });
        app.use(prefix || "/", server.nodeHandler);
      }
      app.get("/after", (_request, response) => response.send(OWN.after));
      app.get("/trackers", (_request, response) => response.send(OWN.beside));
      app.use((_request, response) => response.status(404).send(OWN.missing));
      return serving(app, urls);
    },
  };
}

/** The server in a router of the host, whose path the prefix is only the end of. */
const IN_ROUTER: Host = {
  name: "Express, in a router within a router",
  async start(mounts) {
    const urls = urlLog();
    const app = express();
    app.get("/before", (_request, response) => response.send(OWN.before));
    app.post("/echo", express.json(LARGE), (request, response) => response.json(request.body));
    for (const { prefix, server } of mounts) {
      const inner = express.Router();
      inner.use((request, response, next) => {
        urls.note(request, response);
        next();
      });
      inner.use("/", server.nodeHandler);
      app.use(prefix || "/", express.Router().use(inner));
    }
    app.get("/after", (_request, response) => response.send(OWN.after));
    app.get("/trackers", (_request, response) => response.send(OWN.beside));
    app.use((_request, response) => response.status(404).send(OWN.missing));
    return serving(app, urls);
  },
};

export const EXPRESS_HOSTS: readonly Host[] = [expressHost("bare"), IN_ROUTER];

const PARSING_HOSTS = Object.entries(PARSERS).map(([kind, parsers]) => expressHost(kind, parsers));

/** Hosts that hand over what they made of JSON. */
export const JSON_HOSTS: readonly Host[] = PARSING_HOSTS.filter(({ parsesJson }) => parsesJson);

/** Hosts that hand over bytes or text, or leave JSON alone. */
export const RAW_HOSTS: readonly Host[] = PARSING_HOSTS.filter(({ parsesJson }) => !parsesJson);
