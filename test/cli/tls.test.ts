// The launcher with --tls: certificates of its own and given ones, and the tools that find such a server.

import { X509Certificate } from "node:crypto";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { TlsFacts } from "../../src/cli/banner.js";
import { isUsableFor, writeCertificate } from "../../src/cli/certificate.js";
import { certificateNames, type LaunchTls, prepareTls } from "../../src/cli/tls.js";
import { createClient } from "../../src/client/index.js";
import type { TlsCertificate } from "../../src/http/tls.js";
import { accepted, until } from "../adapters/until.js";
import { certificate, fingerprintOf } from "../http/tls.js";
import { inside } from "./inside.js";
import { type Running, stopped, type Workshop } from "./launcher.js";

const test = suite("launcher with TLS");

const factsOf = ({ facts }: Running): TlsFacts => {
  assert.ok(facts.tls);
  return facts.tls;
};

/** Flags that name files with a certificate, and text in front of it. */
async function given({ path }: Workshop, made?: TlsCertificate): Promise<string[]> {
  const { cert, key } = made ?? (await certificate());
  await writeFile(path("cert.pem"), `a certificate\n${cert}`);
  await writeFile(path("key.pem"), key, { mode: 0o600 });
  return ["--tls-cert", path("cert.pem"), "--tls-key", path("key.pem")];
}

const control = async ({ facts }: Running) => JSON.parse(await readFile(`${facts.data}/server.json`, "utf8"));

test("--tls makes a certificate for its user only, keeps it, and replaces a broken one and one of other names", () =>
  inside(async ({ start, program, path }) => {
    const first = await program.start(["--tls", "--data", path("data")]);
    const { certificate: kind, fingerprint, expires, file } = factsOf(first);
    assert.is(kind, "self-made");
    assert.is(first.url, `https://127.0.0.1:${first.facts.port}`);
    assert.is(file, path("data/tls/cert.pem"));
    assert.is(first.facts.next, `curl --cacert ${file} ${first.url}/api/0/buckets/`);
    for (const name of ["cert.pem", "key.pem"]) {
      assert.is((await stat(path(`data/tls/${name}`))).mode & 0o777, 0o600, name);
    }
    const parsed = new X509Certificate(await readFile(path("data/tls/cert.pem")));
    assert.is(parsed.fingerprint256, fingerprint);
    assert.is(new Date(parsed.validTo).toISOString(), expires);
    assert.is(parsed.checkHost("localhost", { subject: "never" }), "localhost");
    for (const address of ["127.0.0.1", "::1"]) assert.is(parsed.checkIP(address), address);
    const info = await createClient({ url: first.url, fingerprint }).info();
    assert.is(info.hostname.length > 0, true);
    const ca = await readFile(path("data/tls/cert.pem"), "utf8");
    await createClient({ url: `https://localhost:${first.facts.port}`, ca }).info();
    assert.is((await stopped(first)).code, 0);

    const second = await start(["--tls", "--data", path("data")]);
    assert.is(factsOf(second).fingerprint, fingerprint);
    await stopped(second);

    const renamed = await start(["--tls", "--data", path("data"), "--allowed-hosts", "desk.example,10.1.2.3"]);
    assert.is.not(factsOf(renamed).fingerprint, fingerprint);
    const names = new X509Certificate(await readFile(path("data/tls/cert.pem"))).subjectAltName;
    assert.match(names ?? "", "DNS:desk.example");
    assert.match(names ?? "", "IP Address:10.1.2.3");
    await stopped(renamed);

    const [cert, key] = [(await certificate()).cert, (await certificate(["desk.example"])).key];
    await writeCertificate(path("data"), { cert, key });
    const mended = await start(["--tls", "--data", path("data")]);
    await createClient({ url: mended.url, fingerprint: factsOf(mended).fingerprint }).info();
  }));

test("people are shown the fingerprint", () =>
  inside(async ({ spawn }) => {
    const launched = spawn(["--port", "0", "--tls", "--storage", "memory"]);
    await launched.line((text) => text.includes("curl"));
    const { stdout, stderr } = await stopped(launched);
    assert.match(stdout, /Listening +https:\/\/127\.0\.0\.1:\d+\n/);
    assert.match(
      stdout,
      /TLS +self-made certificate in memory, valid until \d{4}-\d\d-\d\d\n +SHA-256 ([0-9A-F]{2}:){31}[0-9A-F]{2}\n/,
    );
    assert.match(stdout, /Try +curl --insecure https:\/\//);
    assert.is(stderr, "");
  }));

test("a start that fails leaves no folder behind", () =>
  inside(async (workshop) => {
    const { start, run, path } = workshop;
    const { facts } = await start(["--storage", "memory", ...(await given(workshop))]);
    const ended = await run(["--tls", "--data", path("data"), "--port", String(facts.port)]);
    assert.is(ended.code, 1);
    assert.match(ended.stderr, /is taken by an activity server/);
    assert.is(await stat(path("data")).catch(() => "missing"), "missing");
  }));

test("tools reach a TLS server by the control file, and trust its fingerprint alone", () =>
  inside(async (workshop) => {
    const { program, run, told, path } = workshop;
    const running = await program.start([...(await given(workshop)), "--data", path("data")]);
    for (const words of [
      ["verify"],
      ["backup", "--to", path("all.jsonl")],
      ["keys", "add", "k", "--scope", "read:*"],
    ]) {
      await told([...words, "--data", path("data")]);
    }
    assert.match(await told(["keys", "list", "--data", path("data")]), /^k: read:\*/);

    // Whoever else listens there does not get the token.
    const said = await control(running);
    await writeFile(path("data/server.json"), JSON.stringify({ ...said, fingerprint: "AB:".repeat(32).slice(0, -1) }));
    const refused = await run(["verify", "--data", path("data")]);
    assert.is(refused.code, 1);
    assert.match(refused.stderr, /locked|in use|open/i);
    await writeFile(path("data/server.json"), JSON.stringify({ ...said, fingerprint: undefined }));
    assert.is((await run(["verify", "--data", path("data")])).code, 1);
  }));

test("given files are used, and read again when they change, for the tools as well", () =>
  inside(async (workshop) => {
    const { start, run, path } = workshop;
    const [one, two] = [await certificate(), await certificate(["desk.example"])];
    const running = await start([...(await given(workshop, one)), "--data", path("data")]);
    const { certificate: kind, fingerprint, file } = factsOf(running);
    assert.equal([kind, fingerprint, file], ["given", fingerprintOf(one), path("cert.pem")]);
    assert.is(running.said().stderr, "");
    await createClient({ url: running.url, fingerprint }).info();
    await given(workshop, two);
    const renewed = createClient({ url: running.url, fingerprint: fingerprintOf(two), timeoutMillis: 60_000 });
    await accepted(() => renewed.info(), "the new certificate");
    await until(
      async () => (await control(running)).fingerprint === fingerprintOf(two),
      () => "its fingerprint in the control file",
    );
    assert.is((await run(["verify", "--data", path("data")])).code, 0);
  }));

test("rights of a given key are looked at again when its file is read again", () =>
  inside(async ({ path }) => {
    const made = await certificate();
    const files = { certFile: path("cert.pem"), keyFile: path("key.pem") };
    await writeFile(files.certFile, made.cert);
    await writeFile(files.keyFile, made.key, { mode: 0o600 });
    const place = { tls: files, data: undefined, host: "127.0.0.1", allowedHosts: [] };
    const warnings: string[] = [];
    const warn = (warning: string) => void warnings.push(warning);
    const read = async ({ options }: LaunchTls) => (typeof options === "function" ? options() : undefined);
    const lenient = await prepareTls({ ...place, strictPermissions: false }, warn);
    const strict = await prepareTls({ ...place, strictPermissions: true }, warn);
    assert.equal(await read(lenient), made);
    assert.equal([lenient.accessWarning, warnings], [undefined, []]);
    await chmod(files.keyFile, 0o640);
    for (let time = 0; time < 3; time++) assert.equal(await read(lenient), made);
    assert.is(warnings.length, 1);
    assert.match(warnings[0] ?? "", /^the TLS key file '.*' is accessible to other users .* chmod 600 /);
    const refusal = await read(strict).catch((error: Error) => error.message);
    assert.match(String(refusal), /chmod 600 .* \(--strict-permissions\)$/);
    // One that was open from the start was told of then.
    const known = await prepareTls({ ...place, strictPermissions: false }, warn);
    await read(known);
    assert.is(warnings.length, 1);
  }));

test("files that cannot be used are refused in one line", () =>
  inside(async ({ run, path }) => {
    const [one, two] = [await certificate(), await certificate(["desk.example"])];
    await writeFile(path("cert.pem"), one.cert);
    await writeFile(path("key.pem"), one.key, { mode: 0o600 });
    await writeFile(path("other.pem"), two.key, { mode: 0o600 });
    await writeFile(path("open.pem"), one.key, { mode: 0o644 });
    for (const [cert, key, message] of [
      ["none", "key", /the certificate file '.*none\.pem' cannot be read \(ENOENT\)/],
      ["cert", "none", /the TLS key file '.*none\.pem' cannot be read/],
      ["cert", "other", /`key` of TLS does not belong to `cert`/],
      ["key", "key", /`cert` of TLS is not a certificate in PEM/],
      ["cert", "open", /chmod 600 .*open\.pem/],
    ] as const) {
      const words = ["--tls-cert", `${cert}.pem`, "--tls-key", `${key}.pem`, "--strict-permissions"];
      const found = await run([...words, "--storage", "memory", "--port", "0"]);
      assert.is(found.code, 1, `${words}: ${found.stderr}`);
      assert.match(found.stderr, message);
      assert.match(found.stderr, /^activity-server: .*\n$/);
    }
  }));

test("--qr serves the same certificate", () =>
  inside(async (workshop) => {
    const made = await certificate();
    const words = ["--qr", "--storage", "memory", "--port", "0", ...(await given(workshop, made))];
    const launched = workshop.program.spawn(words);
    const shown = await launched.line((text) => text.includes("Listening"));
    const url = /https:\/\/127\.0\.0\.1:\d+/.exec(shown)?.[0] as string;
    await createClient({ url, fingerprint: fingerprintOf(made) }).info();
    const plain = createClient({ url: url.replace("https", "http") });
    const failed = await plain.info().catch((error: Error) => error.message);
    assert.match(String(failed), "this port speaks HTTPS");
    assert.is((await stopped(launched)).code, 0);
  }));

test("a certificate is valid for the names that the server has", () => {
  const LOCAL = ["localhost", "127.0.0.1", "::1"];
  assert.equal(certificateNames({ host: "127.0.0.1", allowedHosts: [] }), LOCAL);
  assert.equal(certificateNames({ host: "localhost", allowedHosts: ["desk.example", "[::1]"] }), [
    ...LOCAL,
    "desk.example",
  ]);
  const named = certificateNames({ host: "10.0.0.7", allowedHosts: [] }, "Desk.lan");
  assert.equal(named, [...LOCAL, "10.0.0.7", "desk.lan", "desk", "desk.local"]);
  const any = certificateNames({ host: "0.0.0.0", allowedHosts: [] });
  assert.ok(any.includes(hostname().toLowerCase()));
  assert.not.ok(any.includes("0.0.0.0"));
});

test("a certificate serves until a month before its end, for names that it holds", async () => {
  const day = 86_400_000;
  const now = Date.now();
  const made = await certificate();
  assert.ok(isUsableFor(made, ["localhost", "::1"], now));
  assert.ok(isUsableFor(made, [], now + 699 * day));
  assert.not(isUsableFor(made, [], now + 701 * day));
  assert.not(isUsableFor(made, [], now - 2 * day));
  assert.not(isUsableFor(made, ["other.example"], now));
  assert.not(isUsableFor(made, ["10.0.0.1"], now));
});

test("a server that runs for years takes another certificate before the old one ends, and keeps it", () =>
  inside(async ({ path }) => {
    const place = { data: path("."), host: "127.0.0.1", allowedHosts: [] };
    const options = { tls: "self-made", ...place, strictPermissions: false } as const;
    let now = Date.now();
    const first = await certificate();
    await writeCertificate(path("."), first);
    const prepare = async () => {
      const tls = await prepareTls(
        options,
        () => undefined,
        () => now,
      );
      return tls.options as () => Promise<TlsCertificate>;
    };
    const ask = await prepare();
    assert.equal(await ask(), first);
    now += 701 * 86_400_000;
    const second = await ask();
    assert.is.not(second.cert, first.cert);
    assert.equal(await ask(), second);
    assert.is(await readFile(path("tls/cert.pem"), "utf8"), second.cert);
    assert.equal(await (await prepare())(), second);
  }));

test.run();
