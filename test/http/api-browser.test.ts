// What the API browser loads, and a page of the host in its place. What it has in common with other pages:
// pages.test.ts
import fs from "node:fs/promises";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ApiBrowserPage } from "../../src/http/api-browser.js";
import { header } from "../codec/socket.js";
import { withServer } from "../harness.js";
import { refusal } from "./client.js";

const test = suite("the API browser over HTTP");

const LICENSES = ["LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt"];

test("the licenses of the library are served with it, and looked for again", () =>
  withServer({}, async ({ send }) => {
    for (const name of LICENSES) {
      const answer = await send("GET", `/api/assets/${name}`);
      assert.is(answer.status, 200);
      assert.is(header(answer, "content-type"), "text/plain; charset=utf-8");
      assert.is(header(answer, "cache-control"), "no-cache");
      const file = path.join("node_modules/swagger-ui-dist", name);
      assert.equal(answer.body, await fs.readFile(file));
    }
  }));

test("the library is what its package has", () =>
  withServer({}, async ({ send }) => {
    const { body } = await send("GET", "/api/");
    const names = [...body.toString().matchAll(/"assets\/(swagger-ui[^"]+)"/g)].map(([, name]) => `${name}`);
    assert.is(names.length, 2);
    for (const name of names) {
      const file = path.join("node_modules/swagger-ui-dist", name.replace(/\.[0-9a-f]{16}/, ""));
      assert.equal((await send("GET", `/api/assets/${name}`)).body, await fs.readFile(file));
    }
  }));

test("a host may show a page of its own", async () => {
  const page: ApiBrowserPage = async ({ method, header, node }) =>
    new Response(`<p>${method} ${header("X-Name")} ${node?.url}`, {
      status: 203,
      headers: { "Content-Type": "text/html", "X-Own": "1" },
    });
  await withServer({ apiBrowser: page, apiKey: "secret" }, async ({ send, server }) => {
    const answer = await send("GET", "/api/", undefined, { "x-name": "ann" });
    assert.is(answer.status, 203);
    assert.is(answer.body.toString(), "<p>GET ann /api/");
    assert.is(header(answer, "content-type"), "text/html");
    assert.is(header(answer, "x-own"), "1");
    assert.is(header(answer, "content-security-policy"), undefined);
    const head = await send("HEAD", "/api/");
    assert.is(head.body.length, 0);
    assert.is(head.status, 203);
    assert.is((await send("GET", "/api")).body.toString(), "<p>GET undefined /api");
    refusal(await send("POST", "/api/", {}, { Authorization: "Bearer secret" }), 405);
    refusal(await send("GET", "/api/assets/NOTICE", undefined, { Authorization: "Bearer secret" }), 404);
    const fetched = await server.fetch(new Request("http://localhost/api/", { headers: { "X-Name": "bo" } }));
    assert.is(await fetched.text(), "<p>GET bo undefined");
  });
  const elsewhere: ApiBrowserPage = () => {
    const headers = { location: "/docs", "content-security-policy": "default-src 'self'" };
    return new Response(null, { status: 302, headers });
  };
  await withServer({ apiBrowser: elsewhere }, async ({ send }) => {
    const answer = await send("GET", "/api/");
    assert.is(answer.status, 302);
    assert.is(header(answer, "location"), "/docs");
    assert.is(header(answer, "content-security-policy"), "default-src 'self'");
  });
});

test("a page of the host may set several cookies, over a socket, by fetch and to HEAD", async () => {
  const page: ApiBrowserPage = () => {
    const headers = new Headers({ "Content-Type": "text/html" });
    headers.append("Set-Cookie", "a=1; Expires=Fri, 01 Mar 2024 10:00:00 GMT");
    headers.append("Set-Cookie", "b=2; Path=/");
    return new Response("<p>", { headers });
  };
  const cookies = ["a=1; Expires=Fri, 01 Mar 2024 10:00:00 GMT", "b=2; Path=/"];
  await withServer({ apiBrowser: page }, async ({ send, server }) => {
    for (const method of ["GET", "HEAD"]) {
      const answer = await send(method, "/api/");
      assert.is(answer.status, 200);
      assert.equal(answer.headers["set-cookie"], cookies);
      assert.is(header(answer, "content-type"), "text/html");
      const fetched = await server.fetch(new Request("http://localhost/api/", { method }));
      assert.equal(fetched.headers.getSetCookie(), cookies);
      assert.is(fetched.headers.get("content-type"), "text/html");
    }
  });
});

test("a page of the host that fails is logged, and tells nobody why", async () => {
  const foreign = (status: number) => () => ({ ...{ status, headers: new Headers(), body: null }, arrayBuffer() {} });
  const broken = (): Response => new Response(new ReadableStream({ start: (sender) => sender.error("inner") }));
  for (const page of [
    ...[() => "<p>", () => undefined, () => Promise.reject(new Error("inner")), broken],
    ...[() => Response.error(), ...[0, 99, 101, 600, 1000, 200.5, Number.NaN].map(foreign)],
  ]) {
    await withServer({ apiBrowser: page as unknown as ApiBrowserPage }, async ({ send, errors }) => {
      assert.not.match(refusal(await send("GET", "/api/"), 500), /inner|Response/);
      assert.is(errors.splice(0).length, 1);
    });
  }
});

test.run();
