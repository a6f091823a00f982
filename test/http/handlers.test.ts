// Routes of frameworks whose routes are files.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { createActivityServer, handlers, type RouteHandlers } from "../../src/index.js";
import { withServer } from "../harness.js";

const test = suite("handlers()");

const ORIGIN = "http://localhost:3000";
const JSON_TYPE = { "content-type": "application/json" };

type Pass = (handlers: RouteHandlers, request: Request) => Promise<Response>;

/** A request in an object that says other things, too, some of them about a request. */
function eventOf(request: Request): { readonly request: Request } {
  const event = { url: new URL(request.url), method: "DELETE", headers: {}, params: {}, locals: {}, body: "x" };
  return { ...event, request };
}

/** How frameworks call routes; without a `this`, all of them. */
const PASSES: Readonly<Record<string, Pass>> = {
  "Next passes a request and a context": (routes, request) => {
    const route = routes[request.method as keyof RouteHandlers];
    return route(request, { params: Promise.resolve({ rest: ["a"] }), method: "DELETE", body: "x" });
  },
  "SvelteKit passes an event": (routes, request) => routes[request.method as keyof RouteHandlers](eventOf(request)),
  "Qwik passes an event with headers": (routes, request) => {
    const event = { ...eventOf(request), headers: new Headers() };
    return routes[request.method as keyof RouteHandlers](event);
  },
  "Astro passes a context": (routes, request) => {
    const route = routes[request.method as keyof RouteHandlers];
    return route(
      Object.assign(
        Object.create({
          get request() {
            return request;
          },
        }),
        { site: undefined },
      ),
    );
  },
};

for (const [name, pass] of Object.entries(PASSES)) {
  test(`${name}: the request arrives, with its body`, () =>
    withServer({ door: "process", basePath: "/tracker" }, async ({ server }) => {
      const url = `${ORIGIN}/tracker/api/0/settings/k`;
      const answer = await pass(
        handlers(server),
        new Request(url, { method: "POST", headers: JSON_TYPE, body: "[1]" }),
      );
      assert.ok(answer instanceof Response);
      assert.equal([answer.status, await answer.json()], [200, [1]]);
    }));
}

test("there is a handler for each method of the API, and no other", () => {
  const routes = handlers(createActivityServer({ storage: memory() }));
  assert.equal(Object.keys(routes).sort(), ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"]);
});

test.run();
