// Servers that the global fetch does not reach: certificates of their own, by authority or by fingerprint.
import http from "node:http";
import https from "node:https";
import net from "node:net";
import type { TLSSocket } from "node:tls";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createClient } from "../../src/client/index.js";
import { allow } from "../../src/index.js";
import { inTime, withListening, withServer } from "../harness.js";
import { certificate, fingerprintOf } from "../http/tls.js";
import { failureOf } from "./failure-of.js";

const test = suite("ways of the client in Node");

const BUCKET = { type: "t", client: "c", hostname: "h" } as const;

interface Secured {
  readonly url: string;
  readonly port: number;
  readonly cert: string;
  readonly fingerprint: string;
  /** How many requests have arrived. */
  readonly requests: () => number;
}

async function withSecured(body: (secured: Secured) => Promise<void>): Promise<void> {
  const made = await certificate();
  let requests = 0;
  const authorize = () => {
    requests++;
    return allow();
  };
  await withServer({ door: "process", authorize }, async ({ server }) => {
    const { url, port } = await server.listen({ port: 0, tls: made });
    await body({ url, port, cert: made.cert, fingerprint: fingerprintOf(made), requests: () => requests });
  });
}

test("a certificate is trusted by its authority, or by its fingerprint in either form", () =>
  withSecured(async ({ url, cert, fingerprint }) => {
    const plain = fingerprint.replaceAll(":", "").toLowerCase();
    for (const way of [{ ca: cert }, { ca: [cert] }, { fingerprint }, { fingerprint: plain }]) {
      const client = createClient({ url, ...way });
      await client.buckets.create("b", BUCKET);
      await client.heartbeat("b", { timestamp: new Date("2024-03-01T10:00:00Z"), data: { title: "ü€" } }, 5);
      assert.equal((await client.events.list("b"))[0]?.data, { title: "ü€" });
      const chunks: string[] = [];
      for await (const chunk of client.exportText()) chunks.push(chunk);
      await client.import(new Blob(chunks));
      assert.is(await client.events.count("b"), 1);
      assert.is((await failureOf(client.buckets.get("nothing"))).status, 404);
    }
  }));

test("a fingerprint is trusted whatever the names are, an authority is not", () =>
  withSecured(async ({ port, cert, fingerprint, url }) => {
    const other = await certificate(["desk.example"]);
    await withServer({ door: "process" }, async ({ server }) => {
      const { url } = await server.listen({ port: 0, tls: other });
      assert.is((await createClient({ url, fingerprint: fingerprintOf(other) }).info()).hostname, "box");
      const { code, message } = await failureOf(createClient({ url, ca: other.cert }).info());
      assert.is(code, "UNREACHABLE");
      assert.match(message, "altnames");
    });
    assert.type((await createClient({ url: `https://localhost:${port}`, ca: cert }).info()).hostname, "string");
    assert.is((await failureOf(createClient({ url }).info())).code, "UNREACHABLE");
    assert.type((await createClient({ url, fingerprint }).info()).hostname, "string");
  }));

test("with a fingerprint the server learns the name that is meant, of which an address is none", async () => {
  const made = await certificate();
  const names: unknown[] = [];
  const server = https.createServer(made, (request, response) => {
    names.push((request.socket as TLSSocket).servername);
    response.setHeader("content-type", "application/json").end("{}");
  });
  await withListening(server, async (port) => {
    for (const host of ["localhost", "127.0.0.1"]) {
      const client = createClient({ url: `https://${host}:${port}`, fingerprint: fingerprintOf(made) });
      await client.settings.list();
    }
  });
  assert.equal(names, ["localhost", false]);
});

test("a server with another certificate gets nothing of the request", () =>
  withSecured(async ({ url, requests }) => {
    const fingerprint = "ab".repeat(32);
    const client = createClient({ url, fingerprint, apiKey: "secret" });
    for (const call of [
      () => client.info(),
      () => client.buckets.create("b", BUCKET),
      () => client.import(new Blob(["{}"])),
    ]) {
      const { code, message } = await failureOf(call());
      assert.is(code, "UNREACHABLE");
      assert.match(message, "the certificate of the server has another fingerprint");
    }
    assert.is(requests(), 0);
  }));

test("connections are kept from one request to the next", async () => {
  const made = await certificate();
  let connections = 0;
  const server = https.createServer({ ...made, keepAlive: true }, (_, response) => {
    response
      .setHeader("content-type", "application/json")
      .end('{"hostname":"h","version":"v","testing":false,"device_id":"d"}');
  });
  server.on("secureConnection", () => connections++);
  await withListening(server, async (port) => {
    for (const way of [{ ca: made.cert }, { fingerprint: fingerprintOf(made) }]) {
      connections = 0;
      const client = createClient({ url: `https://127.0.0.1:${port}`, ...way });
      for (let count = 0; count < 3; count++) await client.info();
      assert.is(connections, 1);
    }
  });
});

test("a call ends in time when the handshake does not, and when the response does not", async () => {
  const silent = net.createServer((socket) => void socket.on("error", () => undefined));
  await withListening(silent, async (port) => {
    for (const way of [{ ca: (await certificate()).cert }, { fingerprint: "00".repeat(32) }]) {
      const client = createClient({ url: `https://127.0.0.1:${port}`, ...way, timeoutMillis: 40 });
      assert.is((await inTime(failureOf(client.info()), "the call")).code, "TIMEOUT");
    }
  });
});

test("a redirect is not followed: its target need not be the server that is trusted", async () => {
  const made = await certificate();
  const server = https.createServer(made, (_, response) => {
    response.writeHead(301, { location: "https://elsewhere.example/" }).end();
  });
  await withListening(server, async (port) => {
    const url = `https://127.0.0.1:${port}`;
    const { code, message } = await failureOf(createClient({ url, ca: made.cert }).info());
    assert.is(code, "MALFORMED_RESPONSE");
    assert.match(message, "301 redirects to https://elsewhere.example/");
  });
});

test("a plain server behind a TLS client, and the other way round, is a failure with words", () =>
  withSecured(async ({ port, fingerprint }) => {
    const { serverMessage } = await failureOf(createClient({ url: `http://127.0.0.1:${port}` }).info());
    assert.match(serverMessage ?? "", "this port speaks HTTPS");
    const plain = http.createServer((_, response) => response.end());
    await withListening(plain, async (port) => {
      const url = `https://127.0.0.1:${port}`;
      assert.is((await failureOf(createClient({ url, fingerprint }).info())).code, "UNREACHABLE");
    });
  }));

test.run();
