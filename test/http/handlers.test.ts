// Routes of frameworks whose routes are files.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { createActivityServer, handlers, type RouteHandlers } from "../../src/index.js";

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
  test(`${name}: every method does its work`, async () => {
    const server = createActivityServer({ storage: memory(), basePath: "/tracker" });
    const routes = handlers(server);
    const ask = async (method: string, path: string, content?: unknown): Promise<Response> => {
      const body = content === undefined ? null : JSON.stringify(content);
      const headers = content === undefined ? {} : JSON_TYPE;
      const answer = await pass(routes, new Request(`${ORIGIN}/tracker${path}`, { method, headers, body }));
      assert.ok(answer instanceof Response);
      return answer;
    };
    const bucket = { type: "t", client: "c", hostname: "h" };
    assert.is((await ask("POST", "/api/0/buckets/a%2Fb", bucket)).status, 200);
    assert.is((await ask("PUT", "/api/0/buckets/a%2Fb", { name: "n" })).status, 200);
    const read = await ask("GET", "/api/0/buckets/a%2Fb");
    assert.is(((await read.json()) as { name: string }).name, "n");
    const head = await ask("HEAD", "/api/0/buckets/a%2Fb");
    assert.equal([head.status, await head.text()], [200, ""]);
    assert.is((await ask("OPTIONS", "/api/0/info")).status, 204);
    assert.is((await ask("DELETE", "/api/0/buckets/a%2Fb?force=1")).status, 200);
    for (const page of ["", "/", "/api", "/api/"]) {
      const answer = await ask("GET", page);
      assert.equal([answer.status, answer.headers.get("content-encoding")], [200, null], page);
      assert.match(await answer.text(), /^<!doctype html>/);
    }
    await server.close();
  });
}

test("there is a handler for each method of the API, and no other", () => {
  const routes = handlers(createActivityServer({ storage: memory() }));
  assert.equal(Object.keys(routes).sort(), ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"]);
});

test("what holds no request gets 400", async () => {
  const { GET } = handlers(createActivityServer({ storage: memory() }));
  for (const given of [undefined, null, {}, { request: null }, { request: { url: "/" } }, 5]) {
    const answer = await GET(given as unknown as Request);
    assert.is(answer.status, 400, JSON.stringify(given));
  }
});

test.run();
