// Responses that are not the server's: those of a proxy, a captive portal or an error page in front of it.
import http from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createClient } from "../../../src/client/index.js";
import { onPort, withTestServer } from "../../harness.js";
import { until } from "../../http/client.js";
import { BUCKET_ID, beat, codes, faultAt, inScene, plain, plainEvents } from "./scene.js";

const test = suite("heartbeat queue: responses of a proxy");

const PAGE = "<!doctype html><title>Please log in</title>";

/** How a proxy responds in place of the server; `undefined` = it passes the request on. */
type Portal = ((response: http.ServerResponse, request: http.IncomingMessage) => void) | undefined;

const html =
  (status: number): Portal =>
  (response) =>
    response.writeHead(status, { "content-type": "text/html" }).end(PAGE);

const PORTALS: Readonly<Record<string, Portal>> = {
  ...Object.fromEntries([400, 401, 403, 404, 413, 415, 422, 500, 502, 200].map((s) => [`HTML with ${s}`, html(s)])),
  "a redirect to a page": (response, { url }) =>
    url === "/login" ? response.end(PAGE) : response.writeHead(302, { location: "/login" }).end(),
  "JSON without a message": (response) =>
    response.writeHead(400, { "content-type": "application/json" }).end('{"error":"bad request"}'),
  "an empty 404": (response) => response.writeHead(404).end(),
};

/** A proxy before a server of its own, for the time of the body. */
async function behindProxy(
  body: (proxy: { readonly url: string; readonly target: string; putUp(portal: Portal): void }) => Promise<void>,
): Promise<void> {
  await withTestServer({}, async (server) => {
    const { url: target } = await server.listen();
    const { port } = new URL(target);
    let portal: Portal;
    const listener: http.RequestListener = (request, response) => {
      if (portal !== undefined) {
        request.resume();
        portal(response, request);
        return;
      }
      const { method, url, headers } = request;
      const onward = http.request(
        { port, host: "127.0.0.1", method, path: url, headers: { ...headers, host: `127.0.0.1:${port}` } },
        (answer) => {
          response.writeHead(answer.statusCode ?? 0, answer.headers);
          answer.pipe(response);
        },
      );
      request.pipe(onward);
    };
    const putUp = (other: Portal): void => {
      portal = other;
    };
    await onPort(listener, (proxy) => body({ url: `http://127.0.0.1:${proxy.port}`, target, putUp }));
  });
}

const APPS = ["a", "b", "c", "d", "e"];
const ALL = APPS.map((app, second) => plain(second, 0, app));

for (const [name, portal] of Object.entries(PORTALS)) {
  test(`${name}: nothing is dropped, and all of it arrives in order once the proxy lets it through`, () =>
    behindProxy((proxy) =>
      inScene(async (scene) => {
        const queue = scene.open({ client: createClient({ url: proxy.url }), commitInterval: 0 });
        await queue.heartbeat(beat(0, "a"));
        await queue.flush();
        proxy.putUp(portal);
        for (const [second, app] of APPS.entries()) if (second > 0) await queue.heartbeat(beat(second, app));
        await scene.backOffs(4);
        await until(() => scene.time.waits.length > 0, "a back-off");
        assert.equal([queue.state.size, queue.state.dropped, queue.state.isReachable], [4, 0, false]);
        proxy.putUp(undefined);
        await queue.flush();
        const direct = createClient({ url: proxy.target });
        assert.equal(await plainEvents(direct, BUCKET_ID), ALL);
        assert.equal([codes(scene), queue.state.dropped], [["UNREACHABLE"], 0]);
      }),
    ));

  test(`${name} from the beginning: the bucket is created behind it, and nothing is lost`, () =>
    behindProxy((proxy) =>
      inScene(async (scene) => {
        proxy.putUp(portal);
        const queue = scene.open({ client: createClient({ url: proxy.url }), commitInterval: 0 });
        for (const [second, app] of APPS.entries()) await queue.heartbeat(beat(second, app));
        await until(() => scene.time.waits.length > 0, "a back-off");
        proxy.putUp(undefined);
        await queue.flush();
        assert.equal(await plainEvents(createClient({ url: proxy.target }), BUCKET_ID), ALL);
        assert.equal(queue.state.dropped, 0);
      }),
    ));
}

test("a page in place of what is read back is no reason to send again without having looked", () =>
  inScene(async (scene) => {
    const faults = ["cut", "page 403", "page 404", "page 400"] as const;
    let at = 0;
    scene.fault = (what) => (what === "POST editor" ? undefined : faults[at++]);
    const queue = scene.open({ commitInterval: 0, pulsetime: 0 });
    await queue.heartbeat(beat(0));
    await scene.backOffs(4);
    await scene.drained(queue);
    assert.equal(await scene.events(), [plain(0, 0)]);
    assert.is(scene.seen.filter(({ what }) => what === "POST heartbeat").length, 1);
  }));

test("the error page of aw-server-rust is a response of the server: it refuses this one event", () =>
  inScene(async (scene) => {
    faultAt(scene, 0, "rocket");
    const queue = scene.open({ commitInterval: 0 });
    await queue.heartbeat(beat(0, "bad"));
    await queue.heartbeat(beat(1, "good"));
    await scene.drained(queue);
    assert.equal(await scene.events(), [plain(1, 0, "good")]);
    assert.equal([codes(scene), queue.state.dropped], [["REFUSED"], 1]);
    assert.match(scene.warnings[0]?.message ?? "", /422 Unprocessable Entity$/);
  }));

test.run();
