// Whatever is thrown behind a door becomes a response of this server, and tells nobody what it was.
import { H3, HTTPError } from "h3";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createApp } from "../../src/http/app.js";
import { OF_OPERATOR } from "../../src/http/credentials.js";
import { createFetch } from "../../src/http/fetch.js";
import { NO_GUARD } from "../../src/http/guard.js";
import { createInFlight } from "../../src/http/in-flight.js";
import { createNodeHandler } from "../../src/http/node.js";
import { ANY_ORIGIN } from "../../src/http/origins.js";
import { createPipeline, type PipelineOptions } from "../../src/http/pipeline.js";
import { resourcesOf } from "../../src/http/route.js";
import { createRouter } from "../../src/http/router.js";
import type { WebFolder } from "../../src/http/web-folder.js";
import type { Service } from "../../src/service/service.js";
import { withFolder } from "../adapters/folder.js";
import { onPort, recordingLogger, withServer } from "../harness.js";

const test = suite("what is thrown behind a door");

const SECRET = "ENOENT: no such file, open '/home/ada/secret'";

function thrower(): Promise<never> {
  return Promise.reject(new Error(SECRET));
}

/** A file that is there when it is looked up, and gone when it is read. */
const vanishing: WebFolder = async () => ({
  status: 200,
  headers: { "content-type": "text/css" },
  body: { [Symbol.asyncIterator]: () => ({ next: thrower }) },
});

/** A path that fails in each way that a handler or a file can, and what a client gets. */
const FAILING: readonly (readonly [path: string, webFolder: WebFolder])[] = [
  ["/thrown", thrower],
  ["/page.css", thrower],
  [
    "/page.css",
    () => {
      throw new HTTPError({ status: 418, message: SECRET });
    },
  ],
];

interface Answer {
  readonly status: number;
  readonly text: string;
}

type Door = (path: string) => Promise<Answer>;

async function answered(response: Response | Promise<Response>): Promise<Answer> {
  const given = await response;
  return { status: given.status, text: await given.text() };
}

/** Calls back with every door to a pipeline whose route `/thrown` fails, and with what is logged. */
async function byEachDoor(
  webFolder: WebFolder,
  body: (door: Door, errors: unknown[], name: string) => Promise<void>,
): Promise<void> {
  const { logger, errors } = recordingLogger();
  const resources = resourcesOf([{ method: "GET", path: "/thrown", summary: "", open: true, handle: thrower }]);
  const pipeline = createPipeline({
    router: createRouter([resources], undefined),
    handlers: {} as PipelineOptions["handlers"],
    webFolder,
    service: { actingFor: () => ({}) } as unknown as Service,
    logger,
    inFlight: createInFlight(),
  });
  const respond: Parameters<typeof createApp>[0] = (request) =>
    pipeline(request, { guard: NO_GUARD, origins: ANY_ORIGIN, credentials: OF_OPERATOR, authorize: undefined });
  const app = createApp(respond, logger, { precompressed: false });
  const mounting = new H3({ debug: true, silent: true }).mount("/deep", app);
  const url = (path: string): Request => new Request(`http://localhost${path}`);
  const doors: Readonly<Record<string, Door>> = {
    nodeHandler: (path) =>
      onPort(createNodeHandler(respond, logger), async ({ send }) => {
        const { status, body: bytes } = await send("GET", path);
        return { status, text: bytes.toString() };
      }),
    fetch: (path) => answered(createFetch((request) => app.fetch(request), logger)(path)),
    app: (path) => answered(app.fetch(url(path))),
    "app in another app": (path) => answered(mounting.fetch(url(`/deep${path}`))),
  };
  for (const [name, door] of Object.entries(doors)) await body(door, errors, name);
}

test("a route or a file server that fails is 500, and the log alone has the reason", async () => {
  for (const [path, webFolder] of FAILING) {
    await byEachDoor(webFolder, async (door, errors, name) => {
      errors.length = 0;
      assert.equal(
        await door(path),
        { status: 500, text: '{"message":"internal error; see the server\'s log"}' },
        `${name} ${path}`,
      );
      assert.match(String(errors[0]), "secret");
    });
  }
});

test("a file that is not there is 404", () =>
  byEachDoor(
    async () => undefined,
    async (door) => {
      const { status, text } = await door("/page.css");
      assert.is(status, 404);
      assert.equal(Object.keys(JSON.parse(text)), ["message", "code"]);
    },
  ));

test("a file that cannot be read to its end ends its response there, and the log has the reason", () =>
  byEachDoor(vanishing, async (door, errors) => {
    errors.length = 0;
    const ended = await door("/page.css").then(
      ({ text }) => text,
      () => "",
    );
    assert.is(ended, "");
    assert.match(String(errors[0]), "secret");
  }));

test("a folder that goes away while it is served, and one that is none, have no files", () =>
  withFolder(async (folder) => {
    for (const webui of [`${folder}/gone`, `${folder}/\0`]) {
      await withServer({ door: "process", webui }, async ({ server }) => {
        for (const path of ["/", "/index.html", "/%00"]) {
          const answer = await server.fetch(path);
          assert.equal([answer.status, Object.keys((await answer.json()) as object)], [404, ["message", "code"]]);
        }
      });
    }
  }));

test("middleware of an embedder that throws gets a response of ours, too", () =>
  withServer({ door: "process" }, async ({ server, errors }) => {
    let thrown: unknown;
    server.app.use(() => {
      throw thrown;
    });
    const ask = async (): Promise<unknown[]> => {
      const answer = await server.fetch("/api/0/info");
      return [answer.status, await answer.json(), answer.headers.get("x-own")];
    };
    thrown = new Error(SECRET);
    assert.equal(await ask(), [500, { message: "internal error; see the server's log" }, null]);
    assert.is(errors.splice(0)[0], thrown);
    thrown = new HTTPError({ status: 418, message: "no coffee", headers: { "x-own": "1" } });
    assert.equal(await ask(), [418, { message: "no coffee" }, "1"]);
  }));

test.run();
