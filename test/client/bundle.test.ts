// The client where there is no Node: its bundle, in an empty realm and in a real browser.
import type { RequestListener } from "node:http";
import vm from "node:vm";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { startChromium } from "../browser/chromium.js";
import { onPort, withTestServer } from "../harness.js";
import { bundledClient, GLOBAL_NAME } from "./bundled.js";

type Client = typeof import("../../src/client/index.js");

/** Largest bundle, packed with gzip, in bytes. */
const MAX_BYTES = 8950;

const test = suite("client bundle");

test("it is small, asks for no module and holds nothing of the server", async () => {
  const { text, packedBytes, imports, files } = await bundledClient("esm");
  assert.ok(packedBytes < MAX_BYTES, `${packedBytes} bytes`);
  assert.equal(imports, []);
  assert.equal(
    files.filter((file) => !file.startsWith("src/client/")),
    // Typed buckets, the remedy for milliseconds, rows of searches, and the name of a server in the same process.
    ["src/domain/typed-buckets.ts", "src/domain/millis.ts", "src/util/summarized-rows.ts", "src/util/in-process.ts"],
  );
  assert.not.match(text, /["'`]node:/);
});

test("it runs where there is little more than fetch", () =>
  withTestServer({}, async (server) => {
    const { url } = await server.listen();
    const globals = { fetch, AbortController, URL, URLSearchParams, Headers, TextDecoder, setTimeout, clearTimeout };
    const context = vm.createContext({ ...globals });
    const { text } = await bundledClient("iife");
    vm.runInContext(`${text};globalThis.${GLOBAL_NAME} = ${GLOBAL_NAME};`, context, { filename: "client.js" });
    const { createClient, isActivityClientError } = (context as Record<string, Client>)[GLOBAL_NAME] as Client;
    const client = createClient({ url });
    assert.is(await client.buckets.create("b", { type: "t", client: "c", hostname: "h" }), true);
    await client.heartbeat("b", { timestamp: new Date("2024-03-01T10:00:00Z") }, 5);
    assert.is(await client.events.count("b"), 1);
    let document = "";
    for await (const piece of client.exportText()) document += piece;
    assert.equal(Object.keys(JSON.parse(document).buckets), ["b"]);
    const error: unknown = await client.buckets.get("nothing").catch((thrown: unknown) => thrown);
    assert.is(isActivityClientError(error) && error.status, 404);
  }));

/** Serves a page with the client for the time of the body, from an origin of its own. */
async function withSite(body: (origin: string) => Promise<void>): Promise<void> {
  const { text } = await bundledClient("esm");
  const listener: RequestListener = (request, response) => {
    const isScript = request.url === "/client.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? text : "<!doctype html><title>Page</title><link rel=icon href=data:,>");
  };
  await onPort(listener, ({ port }) => body(`http://127.0.0.1:${port}`));
}

/** Carried out in the page. */
async function visit({ url, apiKey }: { url: string; apiKey: string }): Promise<unknown> {
  const script = "/client.js";
  const { createClient, isActivityClientError } = (await import(script)) as Client;
  const client = createClient({ url, apiKey });
  const bucket = { type: "t", client: "c", hostname: "h" };
  // A method, since what compiles the tests adds to functions with names of their own what no page knows.
  const seen = {
    async of(call: Promise<unknown>): Promise<unknown> {
      return call.catch((error: unknown) => isActivityClientError(error) && `${error.code} ${error.status}`);
    },
    async exported(): Promise<unknown> {
      let text = "";
      for await (const piece of client.exportText()) text += piece;
      return text.match(/"title":"\w+"/g);
    },
  };
  const controller = new AbortController();
  const aborted = seen.of(client.events.list("page", {}, { signal: controller.signal }));
  controller.abort();
  return [
    await aborted,
    await seen.of(client.buckets.create("page", bucket)),
    await seen.of(client.buckets.create("page", bucket)),
    typeof (await seen.of(client.heartbeat("page", { timestamp: new Date(), data: { title: document.title } }, 5))),
    await seen.of(seen.exported()),
    await seen.of(client.buckets.get("nothing")),
  ];
}

const chromium = await startChromium();
if (chromium !== undefined) {
  test("a page of a listed origin uses it in a real browser; that of another one is told that it cannot", () =>
    withSite(async (origin) => {
      await withTestServer({ cors: [origin], apiKey: "secret" }, async (server) => {
        const { url } = await server.listen();
        await chromium.visit({}, async ({ page, outside }) => {
          await page.goto(origin);
          const listed = await page.evaluate(visit, { url, apiKey: "secret" });
          assert.equal(listed, ["ABORTED undefined", true, false, "object", ['"title":"Page"'], "REFUSED 404"]);
          await page.goto(origin.replace("127.0.0.1", "localhost"));
          const foreign = await page.evaluate(visit, { url, apiKey: "secret" });
          const none = "UNREACHABLE undefined";
          assert.equal(foreign, ["ABORTED undefined", none, none, "string", none, none]);
          assert.equal(outside, []);
        });
      });
    }));
}

test.run();
