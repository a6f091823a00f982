import net from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { listeningPort } from "../harness.js";
import type { Bindings } from "./match.js";
import { wireRequest } from "./requests.js";
import type { RequestSpec } from "./scenario.js";
import { wireClient } from "./socket.js";

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";

/** What a request looks like on the wire, with the port replaced by a word. */
async function bytesOf(spec: RequestSpec, bindings: Bindings = { ids: new Map() }): Promise<string> {
  let received = "";
  const server = net.createServer((socket) => {
    socket.on("data", (chunk) => {
      received += chunk.toString();
      const [head = "", body] = received.split("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body !== undefined && Buffer.byteLength(received.slice(head.length + 4)) >= length) socket.end(ANSWER);
    });
  });
  const port = await listeningPort(server);
  const client = wireClient(port);
  try {
    const answer = await client.send(wireRequest(spec, port, bindings));
    assert.is(answer.body.toString(), "{}");
    return received.replaceAll(String(port), "PORT").replace("Connection: keep-alive\r\n", "");
  } finally {
    client.close();
    server.close();
  }
}

const CASES: readonly { name: string; spec: RequestSpec; bytes: string }[] = [
  {
    name: "a path is sent as it is, to the server's own host",
    spec: { method: "GET", path: "//api/0/../%2e%2E/a%zz?x=%2B+&&y" },
    bytes: "GET //api/0/../%2e%2E/a%zz?x=%2B+&&y HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n",
  },
  {
    name: "a host of null is no Host header",
    spec: { method: "GET", path: "/", host: null },
    bytes: "GET / HTTP/1.1\r\n\r\n",
  },
  {
    name: "an empty host is an empty Host header",
    spec: { method: "GET", path: "/", host: "" },
    bytes: "GET / HTTP/1.1\r\nHost: \r\n\r\n",
  },
  {
    name: "a port in a header is the server's",
    spec: { method: "OPTIONS", path: "/", host: "evil.example:80@localhost", headers: { Origin: "http://a:{port}" } },
    bytes: "OPTIONS / HTTP/1.1\r\nHost: evil.example:80@localhost\r\nOrigin: http://a:PORT\r\n\r\n",
  },
  {
    name: "JSON goes out as JSON",
    spec: { method: "POST", path: "/", json: ["é"] },
    bytes:
      'POST / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: application/json\r\nContent-Length: 6\r\n\r\n["é"]',
  },
  {
    name: "a DELETE may carry JSON",
    spec: { method: "DELETE", path: "/", json: {} },
    bytes: "DELETE / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
  },
  {
    name: "a content type of null is none",
    spec: { method: "POST", path: "/", text: "{}", contentType: null },
    bytes: "POST / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 2\r\n\r\n{}",
  },
  {
    name: "an empty text is an empty body",
    spec: { method: "PUT", path: "/", text: "", contentType: "a/b" },
    bytes: "PUT / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: a/b\r\nContent-Length: 0\r\n\r\n",
  },
];

const test = suite("requests on the wire");

for (const { name, spec, bytes } of CASES) {
  test(name, async () => {
    assert.is(await bytesOf(spec), bytes);
  });
}

test("bound ids are filled in, in paths as text and in JSON as numbers", async () => {
  const bindings: Bindings = { ids: new Map([["1", 42]]) };
  const json = [JSON.parse('{"id":"{id:1}","__proto__":"n{id:1}","x":"{repeat:é:2}"}')];
  const bytes = await bytesOf({ method: "POST", path: "/events/{id:1}", json }, bindings);
  assert.match(bytes, /^POST \/events\/42 HTTP/);
  assert.match(bytes, /\[\{"id":42,"__proto__":"n42","x":"éé"\}\]$/);
});

test("generated events count from the start", async () => {
  const generate = {
    count: 2,
    start: "2024-01-01T00:00:00Z",
    stepSeconds: 30,
    duration: 20,
    data: { i: "$i", k: "v" },
  };
  const bytes = await bytesOf({ method: "POST", path: "/", generate });
  assert.equal(JSON.parse(bytes.slice(bytes.indexOf("["))), [
    { timestamp: "2024-01-01T00:00:00.000Z", duration: 20, data: { i: 0, k: "v" } },
    { timestamp: "2024-01-01T00:00:30.000Z", duration: 20, data: { i: 1, k: "v" } },
  ]);
});

test("form parts are files or plain fields", async () => {
  const multipart = [
    { name: "a", filename: "x.json", contentType: "application/json", text: "{}" },
    { name: "b", filename: null, contentType: null, text: "t" },
  ];
  const bytes = await bytesOf({ method: "POST", path: "/", multipart });
  const boundary = /boundary=(\S+)/.exec(bytes)?.[1];
  const lines = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="a"; filename="x.json"',
    "Content-Type: application/json",
    "",
    "{}",
    `--${boundary}`,
    'Content-Disposition: form-data; name="b"',
    "",
    "t",
    `--${boundary}--`,
    "",
  ];
  assert.is(bytes.slice(bytes.indexOf("\r\n\r\n") + 4), lines.join("\r\n"));
});

test("a form without parts still has a body", async () => {
  const bytes = await bytesOf({ method: "POST", path: "/", multipart: [] });
  assert.match(bytes, /\r\n\r\n--\S+--\r\n$/);
});

test.run();
