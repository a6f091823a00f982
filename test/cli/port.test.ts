// long: 300 s
import { readdir } from "node:fs/promises";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer, type Server } from "node:net";
import { hostname } from "node:os";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { LaunchError } from "../../src/cli/launch-error.js";
import { listenOn } from "../../src/cli/listen.js";
import { sampleOf } from "../faults/sizes.js";
import { withListening } from "../harness.js";
import { inside } from "./inside.js";
import { call } from "./launcher.js";

const test = suite("launcher on a busy port");

test("a port that has an activity server is refused, and the refusal says which server", () =>
  inside(async ({ folder, start, run, program }) => {
    const { facts, url } = await start(["--storage", "memory", "--testing"]);
    const info = (await call(`${url}/api/0/info`)).body as Record<string, string>;
    const ended = await program.run(["--port", String(facts.port)]);
    assert.is(
      ended.stderr,
      `activity-server: port ${facts.port} on 127.0.0.1 is taken by an activity server: ${info["version"]} on host ` +
        `${info["hostname"]}, device ${info["device_id"]}, testing; ` +
        "use that one, or choose another port with --port\n",
    );
    assert.is(ended.stdout, "");
    assert.is(ended.code, 1);
    // The port is checked before the data folder is touched.
    assert.equal(await readdir(folder), []);

    const json = JSON.parse((await run(["--json", "--port", String(facts.port)])).stderr);
    assert.is(json.event, "error");
    assert.match(json.message, info["device_id"] as string);
  }));

test("a server on all interfaces blocks the port on loopback too", () =>
  inside(async ({ start, run }) => {
    const { facts } = await start(["--storage", "memory", "--host", "0.0.0.0", "--insecure"]);
    for (const host of ["127.0.0.1", "localhost", "0.0.0.0"]) {
      const ended = await run(["--port", String(facts.port), "--host", host, "--insecure", "--storage", "memory"]);
      assert.match(ended.stderr, /is taken by an activity server/, host);
      assert.is(ended.code, 1);
    }
  }));

const json =
  (value: unknown): RequestListener =>
  (_, response) =>
    void response.end(JSON.stringify(value));

const STRANGERS: readonly (readonly [name: string, server: () => Server, message?: RegExp])[] = [
  ["a web server", () => createHttpServer((_, response) => void response.end("hello"))],
  ["a server that answers other JSON", () => createHttpServer(json({ ok: true }))],
  ["a server that answers null", () => createHttpServer(json(null))],
  ["a server that never answers", () => createServer((socket) => socket.on("error", () => {}))],
  ["a server that hangs up", () => createServer((socket) => socket.destroy())],
  ["an endless answer", () => createHttpServer((_, response) => response.write("x".repeat(1_000_000)))],
  [
    "a peer of another make",
    () => createHttpServer(json({ hostname: "box", version: "v0.13.2", testing: false })),
    /is taken by an activity server: v0\.13\.2 on host box, device unknown; use that one,/,
  ],
  [
    "a liar with control characters",
    () => createHttpServer(json({ hostname: "\u001b[31mbox\n\n", version: "x".repeat(1000), device_id: 7 })),
    /is taken by an activity server: x{59}… on host \?\[31mbox\?, device unknown; /,
  ],
];
for (const [name, server, message = /is taken by something else;/] of sampleOf(STRANGERS, 2)) {
  test(`a port that has ${name} is refused in one line`, () =>
    inside(async ({ run }) => {
      await withListening(server(), async (port) => {
        const ended = await run(["--port", String(port), "--storage", "memory"]);
        assert.match(ended.stderr, message);
        assert.match(ended.stderr, /--port\n$/);
        assert.is(ended.stderr.trimEnd().split("\n").length, 1);
        assert.is(ended.stdout, "");
        assert.is(ended.code, 1);
      });
    }));
}

const MODES = [
  ["", false],
  ["", true],
  ["production", true],
  ["test", true],
] as const;

for (const [mode, qr] of sampleOf(MODES, 2)) {
  test(`a port that is taken is refused and not swapped with NODE_ENV=${mode}, ${qr ? "listhen" : "plain"}`, async () => {
    const before = process.env["NODE_ENV"];
    process.env["NODE_ENV"] = mode;
    try {
      await withListening(createServer(), async (port) => {
        try {
          await listenOn(() => {}, { host: "127.0.0.1", port, qr, clipboard: false });
          assert.unreachable("it listens");
        } catch (error) {
          assert.instance(error, LaunchError);
          assert.match((error as LaunchError).message, `port ${port} on 127.0.0.1 is taken by something else`);
        }
      });
    } finally {
      if (before === undefined) delete process.env["NODE_ENV"];
      else process.env["NODE_ENV"] = before;
    }
  });
}

test("links name an address that is bound, not a name that may lead to another one as well", () =>
  inside(async ({ start }) => {
    const { facts } = await start(["--storage", "memory", "--host", hostname(), "--insecure"]);
    assert.not.match(facts.url, hostname());
    assert.equal(facts.urls, [facts.url]);
    assert.match(facts.next, `${facts.url}/`);
    assert.is((await call(`${facts.url}/api/0/info`)).status, 200);
  }));

test("a free port that is named is the one it takes", () =>
  inside(async ({ start, spawn }) => {
    const { facts, kill, ended } = await start(["--storage", "memory"]);
    kill("SIGTERM");
    await ended;
    const again = spawn(["--json", "--storage", "memory", "--port", String(facts.port)], { NODE_ENV: "production" });
    const line = JSON.parse(await again.line((text) => text.includes("listening")));
    assert.is(line.port, facts.port);
  }));

test.run();
