// HTTPS of listen(): certificates, versions, plain requests, limits and closing.
import { writeFile } from "node:fs/promises";
import https from "node:https";
import type { Socket } from "node:net";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createCertificate } from "../../src/cli/certificate.js";
import { listen } from "../../src/http/listen.js";
import type { CertificateFacts } from "../../src/http/tls.js";
import type { ListenOptions, TlsOptions } from "../../src/index.js";
import { withFolder } from "../adapters/folder.js";
import { inTime, recordingLogger, withServer } from "../harness.js";
import { until } from "./client.js";
import { head } from "./raw.js";
import { certificate, connectPlain, connectTls, fingerprintOf, received } from "./tls.js";

const test = suite("tls");

const INFO = head("GET /api/0/info", "Host: localhost", "Connection: close");

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Asks over a new connection, trusting one certificate. */
function ask(port: number, options: https.RequestOptions = {}, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = https.request({ port, host: "127.0.0.1", agent: false, ...options }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    request.on("error", reject).end(body);
  });
}

async function withTls(
  body: (port: number, cert: string) => Promise<void>,
  more: ListenOptions = {},
  options: Parameters<typeof withServer>[0] = {},
): Promise<void> {
  const tls = await certificate();
  await withServer(options, ({ port }) => body(port, tls.cert), { tls, ...more });
}

test("requests are served over TLS to whoever trusts the certificate, and to nobody else", () =>
  withTls(async (port, ca) => {
    const { status, body } = await ask(port, { ca, path: "/api/0/info" });
    assert.is(status, 200, body);
    const code = await ask(port, { path: "/api/0/info" }).catch((error: { code: string }) => error.code);
    assert.is(code, "DEPTH_ZERO_SELF_SIGNED_CERT");
  }));

test("own pages are those of https: the same address over plain HTTP is foreign", () =>
  withTls(async (port, ca) => {
    const statusOf = async (origin: string, host = `localhost:${port}`) =>
      (await ask(port, { ca, path: "/api/0/info", headers: { host, origin } })).status;
    assert.is(await statusOf(`https://localhost:${port}`), 200);
    assert.is(await statusOf(`http://localhost:${port}`), 403);
    assert.is(await statusOf("https://elsewhere.example"), 403);
  }));

test("a plain request to the port is told to use https", () =>
  withTls(async (port) => {
    for (const request of [INFO, `POST /api/0/import HTTP/1.1\r\nContent-Length: 99\r\n\r\n${"x".repeat(99)}`, "G"]) {
      const socket = await connectPlain(port);
      const all = received(socket);
      socket.write(request);
      const [top = "", body = ""] = (await inTime(all, "the response")).split("\r\n\r\n");
      assert.match(top, /^HTTP\/1\.1 400 Bad Request\r\n/);
      assert.match(JSON.parse(body).message, "this port speaks HTTPS");
      assert.match(JSON.parse(body).message, "https://");
    }
  }));

test("what is neither TLS nor HTTP is closed, and the server goes on", () =>
  withTls(async (port, ca) => {
    const socket = await connectPlain(port);
    const all = received(socket);
    socket.write(Buffer.from([0x16, 3, 1, 0, 4, 1, 2, 3, 4, 0, 0]));
    assert.not.match(await inTime(all, "the connection"), "HTTP");
    for (const bytes of [Buffer.from([0]), Buffer.from("ssh"), Buffer.alloc(70_000, 1)]) {
      const other = await connectPlain(port);
      const rest = received(other);
      other.end(bytes);
      await inTime(rest, "the connection");
    }
    assert.is((await ask(port, { ca, path: "/api/0/info" })).status, 200);
  }));

test("a handshake that arrives byte by byte is one", () =>
  withTls(async (port) => {
    const raw = await connectPlain(port);
    raw.setNoDelay(true);
    const write = raw.write.bind(raw);
    const { Duplex } = await import("node:stream");
    const slow = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        for (const byte of chunk) write(Buffer.from([byte]));
        done();
      },
    });
    raw.on("data", (chunk) => slow.push(chunk));
    const socket = await connectTls(port, { socket: slow });
    const response = new Promise<Buffer>((resolve) => socket.once("data", resolve));
    socket.write(INFO);
    assert.match((await inTime(response, "the response")).toString("latin1"), /^HTTP\/1\.1 200 /);
    raw.destroy();
  }));

test("TLS 1.2 and 1.3 are spoken, older versions are not", () =>
  withTls(async (port) => {
    for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
      const socket = await connectTls(port, { minVersion: version, maxVersion: version });
      assert.is(socket.getProtocol(), version);
      socket.destroy();
    }
    for (const version of ["TLSv1", "TLSv1.1"] as const) {
      const old = { minVersion: version, maxVersion: version, ciphers: "DEFAULT@SECLEVEL=0" };
      const refused = await connectTls(port, old).then(
        () => "accepted",
        (error: { code: string }) => error.code,
      );
      assert.is(refused, "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", version);
    }
  }));

test("a connection whose handshake does not come to its end is closed", () =>
  withTls(
    async (port, ca) => {
      for (const begun of [[], [0x16], [0x16, 3, 1, 2, 0, 1, 0, 1]]) {
        const socket = await connectPlain(port);
        const all = received(socket);
        if (begun.length > 0) socket.write(Buffer.from(begun));
        assert.is((await inTime(all, "the connection")).length, 0, String(begun));
      }
      const secure = await connectTls(port);
      assert.is((await inTime(received(secure), "a connection without a request")).length, 0);
      const slow = await connectTls(port);
      const all = received(slow);
      slow.write("GET /api/0/info HTTP/1.1\r\n");
      assert.match(await inTime(all, "half a request"), /^HTTP\/1\.1 408 /);
      assert.is((await ask(port, { ca, path: "/api/0/info" })).status, 200);
    },
    { connections: { silentMillis: 60 } },
  ));

test("connections without a handshake count, and make room for those that ask", () =>
  withTls(
    async (port, ca) => {
      const silent: Socket[] = [];
      for (let count = 0; count < 40; count++) silent.push(await connectPlain(port));
      assert.is((await ask(port, { ca, path: "/api/0/info" })).status, 200);
      await until(() => silent.filter(({ destroyed }) => !destroyed).length <= 4, "the others are closed");
      for (const socket of silent) socket.destroy();
    },
    { connections: { total: 4 } },
  ));

test("kept TLS connections make room, the one that is idle longest first", () =>
  withTls(
    async (port, ca) => {
      const kept = head("GET /api/0/info", "Host: localhost");
      const sockets = [await connectTls(port), await connectTls(port)];
      for (const socket of sockets) {
        socket.write(kept);
        await inTime(new Promise((resolve) => socket.once("data", resolve)), "the response");
      }
      const [oldest, newest] = sockets;
      assert.is((await ask(port, { ca, path: "/api/0/info" })).status, 200);
      await until(() => oldest?.closed === true, "the oldest is closed");
      assert.is(newest?.destroyed, false);
      newest?.destroy();
    },
    { connections: { total: 2 } },
  ));

test("close() drops connections that say nothing, handshakes among them", async () => {
  const tls = await certificate();
  await withServer(
    {},
    async ({ server, port }) => {
      const ends = [received(await connectPlain(port)), received(await connectTls(port))];
      await inTime(server.close(), "close()");
      await inTime(Promise.all(ends), "the silent connections");
    },
    { tls },
  );
});

test("a certificate in files is used by new connections when it has changed", () =>
  withFolder(async (folder) => {
    const files = { certFile: join(folder, "cert.pem"), keyFile: join(folder, "key.pem") };
    const [one, two] = [await certificate(), await certificate(["desk.example"])];
    const place = async (made: typeof one) => {
      await writeFile(files.certFile, made.cert);
      await writeFile(files.keyFile, made.key);
    };
    await place(one);
    const { logger, warnings } = recordingLogger();
    const seen: string[] = [];
    const onCertificate = ({ fingerprint }: { fingerprint: string }) => void seen.push(fingerprint);
    const setup = { logger, onCertificate, reloadMillis: 5 };
    const listener = await listen((_, response) => response.end("ok"), { port: 0, tls: files }, setup);
    const shown = async () => {
      const socket = await connectTls(listener.port);
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    };
    const old = await connectTls(listener.port);
    assert.is(await shown(), fingerprintOf(one));
    await place(two);
    await until(() => seen.length === 2, "the change is seen");
    assert.is(await shown(), fingerprintOf(two));
    assert.equal(seen, [fingerprintOf(one), fingerprintOf(two)]);
    const all = received(old);
    old.write(INFO);
    assert.match(await inTime(all, "the old connection"), /^HTTP\/1\.1 200 /);

    warnings.length = 0;
    await writeFile(files.certFile, one.cert);
    await until(() => warnings.length > 0, "the fault is told");
    assert.match(warnings[0] as string, "`key` of TLS does not belong to `cert`");
    assert.is(await shown(), fingerprintOf(two));
    await writeFile(files.keyFile, one.key);
    await until(() => seen.length === 3, "the key is seen");
    assert.is(await shown(), fingerprintOf(one));
    assert.is(warnings.length, 1);
    await listener.close();
  }));

for (const [name, make, told] of [
  ["a certificate", () => certificate(["desk.example"]), []],
  [
    "an expired certificate",
    () => createCertificate(["localhost"], Date.UTC(2010, 0, 1)),
    ["the new certificate of TLS has expired"],
  ],
] as const) {
  test(`${name} that a function gives when it is asked again is used${told.length > 0 ? ", with a warning" : ""}`, async () => {
    const made = [await certificate(), await make()] as const;
    let which: 0 | 1 = 0;
    const { logger, warnings } = recordingLogger();
    const seen: string[] = [];
    const onCertificate = ({ fingerprint }: CertificateFacts) => void seen.push(fingerprint);
    const setup = { logger, reloadMillis: 5, onCertificate };
    const listener = await listen((_, response) => response.end("ok"), { port: 0, tls: () => made[which] }, setup);
    which = 1;
    await until(() => seen.length === 2, "the change is seen");
    assert.equal(seen, made.map(fingerprintOf));
    assert.equal(warnings, told);
    await listener.close();
  });
}

test("certificates that cannot be used are refused, and the reason is told", async () => {
  const [one, two] = [await certificate(), await certificate(["desk.example"])];
  await withServer({ door: "process" }, async ({ server }) => {
    const cases: readonly [TlsOptions, RegExp][] = [
      [{ cert: one.cert, key: two.key }, /`key` of TLS does not belong to `cert`/],
      [{ cert: "no certificate", key: one.key }, /`cert` of TLS is not a certificate in PEM/],
      [await weak(), /`cert` and `key` of TLS cannot be used: .*key too small/],
      [{ cert: one.cert, key: "" }, /`key` of TLS is not a private key/],
      [() => Promise.reject(new Error("no certificate yet")), /no certificate yet/],
      [{ certFile: "/nowhere/cert.pem", keyFile: "/nowhere/key.pem" }, /ENOENT/],
    ];
    for (const [tls, message] of cases) {
      const refused = await server.listen({ port: 0, tls }).catch((error: Error) => error);
      assert.instance(refused, Error);
      assert.match((refused as Error).message, message);
    }
  });
});

test("strict transport is asked for by names, with a certificate that somebody else vouches for", async () => {
  const ca = await issued();
  const stricts = async (tls: TlsOptions, host: string) => {
    const listener = await listen((_, response) => response.end("ok"), { port: 0, tls });
    const answer = await ask(listener.port, { rejectUnauthorized: false, headers: { host } });
    await listener.close();
    return answer.headers["strict-transport-security"];
  };
  assert.is(await stricts(ca, "desk.example"), "max-age=31536000");
  assert.is(await stricts(ca, "desk.example:5600"), "max-age=31536000");
  for (const host of ["localhost:5600", "app.localhost", "127.0.0.1:5600", "[::1]:5600"]) {
    assert.is(await stricts(ca, host), undefined, host);
  }
  assert.is(await stricts(await certificate(), "desk.example"), undefined);
});

/** A certificate whose key is too short to be taken. */
async function weak(): Promise<{ cert: string; key: string }> {
  const { default: forge } = await import("node-forge");
  const { privateKey, publicKey } = forge.pki.rsa.generateKeyPair(512);
  const made = forge.pki.createCertificate();
  made.publicKey = publicKey;
  made.serialNumber = "01";
  made.validity.notAfter = new Date(Date.now() + 86_400_000);
  made.sign(privateKey, forge.md.sha256.create());
  return { cert: forge.pki.certificateToPem(made), key: forge.pki.privateKeyToPem(privateKey) };
}

/** A certificate that another one has signed. */
async function issued(): Promise<{ cert: string; key: string }> {
  const { default: forge } = await import("node-forge");
  const [leaf, root] = [await certificate(["desk.example"]), await certificate()];
  const made = forge.pki.certificateFromPem(leaf.cert);
  made.setIssuer([{ name: "commonName", value: "root of a test" }]);
  made.sign(forge.pki.privateKeyFromPem(root.key), forge.md.sha256.create());
  return { cert: forge.pki.certificateToPem(made), key: leaf.key };
}

test.run();
