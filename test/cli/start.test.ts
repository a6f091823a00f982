// long: 120 s
import { spawnSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { defaultDataFolder } from "../../src/cli/data-folder.js";
import { sampleOf } from "../faults/sizes.js";
import { fakeBrowser } from "./browser.js";
import { inside } from "./inside.js";
import { CLI, call, stopped } from "./launcher.js";

const test = suite("launcher start");
const POSIX = process.platform !== "win32";

const WINDOW = { type: "currentwindow", client: "test", hostname: "box" };

function dataFolder(home: string, testing: boolean): string {
  return defaultDataFolder({ testing, home, env: { LOCALAPPDATA: home } });
}

test("the JSON line holds the facts, and the server answers where it says", () =>
  inside(async ({ folder, program }) => {
    const { facts, url, pid, said } = await program.start();
    const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8")) as {
      version: string;
    };
    const { sizeBytes, ...rest } = facts;
    assert.type(sizeBytes, "number");
    assert.equal(rest, {
      event: "listening",
      product: "activity-server",
      version,
      url: `http://127.0.0.1:${facts.port}`,
      urls: [`http://127.0.0.1:${facts.port}`],
      host: "127.0.0.1",
      port: facts.port,
      socket: null,
      tls: null,
      pid,
      data: dataFolder(folder, false),
      storage: "leveldb",
      encrypted: false,
      durability: "process-crash",
      buckets: 0,
      protection: "loopback",
      keys: 0,
      origins: [],
      originPatterns: [],
      testing: false,
      next: `curl http://127.0.0.1:${facts.port}/api/0/buckets/`,
    });
    const info = (await call(`${url}/api/0/info`)).body as Record<string, unknown>;
    assert.is(info["version"], `v${version} (node)`);
    assert.is(info["testing"], false);
    assert.is(said().stdout.trimEnd().split("\n").length, 1);
    assert.is(said().stderr, "");
  }));

test("people get five facts without colours, when it is no terminal", () =>
  inside(async ({ folder, program }) => {
    const launched = program.spawn(["--port", "0", "--durability", "power-loss"], { CI: "1", FORCE_COLOR: "1" });
    await launched.line((text) => text.includes("curl http://"));
    const { stdout, stderr } = await stopped(launched);
    assert.match(stdout, /^\nactivity-server \d+\.\d+\.\d+\n/);
    assert.match(stdout, /Listening +http:\/\/127\.0\.0\.1:\d+\n/);
    assert.match(stdout, dataFolder(folder, false));
    assert.match(stdout, /leveldb, \d+(\.\d)? [kM]?B, 0 buckets, survives a power loss\n/);
    assert.match(stdout, /Protection +this machine only, no API key\n/);
    assert.match(stdout, /Try +curl http:\/\/127\.0\.0\.1:\d+\/api\/0\/buckets\/\n/);
    assert.match(stdout, /stopping \(SIGTERM\)\nstopped\n$/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there.
    assert.not.match(stdout + stderr, /\u001b/);
    assert.is(stderr, "");
  }));

test("port 0 is a free one and nothing else shows under every NODE_ENV", () =>
  inside(async ({ program }) => {
    const modes = sampleOf(["production", "", "test", "development"], 2);
    const start = (mode: string) =>
      program.start(["--storage", "memory"], { NODE_ENV: mode, PORT: "3000", HOST: "0.0.0.0" });
    const all = await Promise.all(modes.map(start));
    assert.is(new Set(all.map(({ facts }) => facts.port)).size, modes.length);
    for (const { facts, url, said } of all) {
      assert.ok(facts.port > 3100, String(facts.port));
      assert.is(facts.host, "127.0.0.1");
      assert.is((await call(`${url}/api/0/info`)).status, 200);
      assert.is(said().stdout.trimEnd().split("\n").length, 1);
      assert.is(said().stderr, "");
    }
  }));

test("memory storage makes no data folder; a flag without effect and an unknown variable are warned about", () =>
  inside(async ({ folder, start }) => {
    const env = { ACTIVITY_SERVER_API_KEY: "hush" };
    const { facts, url, complaint } = await start(["--storage", "memory", "--data", "unused"], env);
    assert.is(facts.data, null);
    assert.is(facts.sizeBytes, null);
    assert.is(facts.storage, "memory");
    assert.is(facts.durability, "nothing");
    assert.is((await call(`${url}/api/0/buckets/b`, "POST", WINDOW)).status, 200);
    await complaint((text) => text.includes("--data has no effect with memory storage"));
    await complaint((text) => text.includes("ACTIVITY_SERVER_API_KEY is unknown"));
    for (const path of [dataFolder(folder, false), `${folder}/unused`]) {
      assert.is(await stat(path).catch(() => "missing"), "missing");
    }
  }));

test("testing mode says so and keeps its data apart", () =>
  inside(async ({ folder, start }) => {
    const real = await start();
    assert.is((await call(`${real.url}/api/0/buckets/b`, "POST", WINDOW)).status, 200);
    const { facts, url } = await start(["--testing"]);
    assert.is(facts.testing, true);
    assert.is(facts.data, dataFolder(folder, true));
    assert.is.not(facts.data, real.facts.data);
    assert.is(((await call(`${url}/api/0/info`)).body as { testing: boolean }).testing, true);
    assert.equal((await call(`${url}/api/0/buckets/`)).body, {});
  }));

test("a key file or data folder that others can read is warned about and left alone", async () => {
  if (!POSIX) return;
  await inside(async ({ path, start }) => {
    await writeFile(path("key"), "secret");
    await chmod(path("key"), 0o644);
    await mkdir(path("data"));
    await chmod(path("data"), 0o755);
    const { complaint } = await start(["--api-key-file", path("key"), "--data", path("data")]);
    for (const advice of [`chmod 600 ${path("key")}`, `chmod 700 ${path("data")}`]) {
      const { event, level } = JSON.parse(await complaint((text) => text.includes(advice)));
      assert.equal([event, level], ["log", "warn"]);
    }
    assert.is((await stat(path("data"))).mode & 0o777, 0o755);
    assert.is((await stat(path("key"))).mode & 0o777, 0o644);
  });
});

test("what others can read is refused when that is asked for, with the command that mends it", async () => {
  if (!POSIX) return;
  await inside(async ({ path, run, start }) => {
    await writeFile(path("key"), "secret", { mode: 0o644 });
    await mkdir(path("data"), { mode: 0o755 });
    const open = await run(["--strict-permissions", "--port", "0", "--data", path("data")]);
    assert.is(open.code, 1);
    assert.match(open.stderr, `chmod 700 ${path("data")}`);
    const words = ["--strict-permissions", "--data", path("data"), "--api-key-file", path("key")];
    await chmod(path("data"), 0o700);
    const readable = await run([...words, "--port", "0"]);
    assert.is(readable.code, 1);
    assert.match(readable.stderr, `chmod 600 ${path("key")}`);
    await chmod(path("key"), 0o600);
    assert.is((await start(words)).said().stderr, "");
  });
});

test("the default data folder is narrowed to the owner without a word", async () => {
  if (!POSIX) return;
  await inside(async ({ start, path }) => {
    const env = { XDG_DATA_HOME: path("share"), HOME: path("home") };
    const { facts, kill, ended } = await start([], env);
    const data = facts.data as string;
    kill("SIGTERM");
    await ended;
    await chmod(data, 0o755);
    const again = await start(["--strict-permissions"], env);
    assert.is(again.facts.data, data);
    assert.is(again.said().stderr, "");
    assert.is((await stat(data)).mode & 0o777, 0o700);
  });
});

test("folders that it makes are for the owner only, and so is all in a data folder that was there before", async () => {
  if (!POSIX) return;
  await inside(async ({ path, program }) => {
    await mkdir(path("data"));
    await chmod(path("data"), 0o755);
    const { url, kill, ended } = await program.start(["--data", path("data")]);
    await call(`${url}/api/0/buckets/b`, "POST", { type: "t", client: "c", hostname: "h" });
    const check = async (): Promise<void> => {
      for (const entry of await readdir(path("data"), { recursive: true, withFileTypes: true })) {
        const file = join(entry.parentPath, entry.name);
        assert.is((await stat(file)).mode & 0o777, entry.isDirectory() ? 0o700 : 0o600, file);
      }
    };
    await check();
    kill("SIGTERM");
    await ended;
    await check();
    await program.start(["--data", path("a/b/data")]);
    for (const name of ["a", "a/b", "a/b/data"]) assert.is((await stat(path(name))).mode & 0o777, 0o700, name);
  });
});

test("a restart finds the data, the device id and the settings", () =>
  inside(async ({ start }) => {
    const first = await start();
    const device = ((await call(`${first.url}/api/0/info`)).body as { device_id: string }).device_id;
    await call(`${first.url}/api/0/buckets/b`, "POST", WINDOW);
    const event = { timestamp: "2024-01-01T00:00:00+00:00", duration: 1, data: { app: "x" } };
    assert.is((await call(`${first.url}/api/0/buckets/b/events`, "POST", [event])).status, 200);
    await call(`${first.url}/api/0/settings/theme`, "POST", "dark");
    await call(`${first.url}/api/0/buckets/deleted`, "POST", WINDOW);
    assert.is((await call(`${first.url}/api/0/buckets/deleted?force=1`, "DELETE")).status, 200);
    assert.is((await stopped(first)).code, 0);

    const second = await start();
    assert.is(second.facts.buckets, 1);
    assert.ok((second.facts.sizeBytes ?? 0) > 0);
    assert.is(((await call(`${second.url}/api/0/info`)).body as { device_id: string }).device_id, device);
    assert.equal((await call(`${second.url}/api/0/buckets/b/events`)).body, [{ id: 1, ...event }]);
    assert.is((await call(`${second.url}/api/0/settings/theme`)).body, "dark");
  }));

test("without --verbose requests leave no trace; with it each is a line, without bodies", () =>
  inside(async ({ start, spawn }) => {
    const quiet = await start(["--storage", "memory"]);
    await call(`${quiet.url}/api/0/info`);
    const events = (await stopped(quiet)).stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).event);
    assert.equal(events, ["listening", "stopping", "stopped"]);

    const loud = await start(["--storage", "memory", "--verbose"]);
    await call(`${loud.url}/api/0/buckets/b?x=1`, "POST", { ...WINDOW, client: "private" });
    const { millis, ...line } = JSON.parse(await loud.line((text) => text.includes('"event":"request"')));
    assert.type(millis, "number");
    assert.equal(line, { event: "request", method: "POST", path: "/api/0/buckets/b?x=1", status: 200 });
    assert.not.match(loud.said().stdout, /private/);

    const human = spawn(["--port", "0", "--storage", "memory", "--verbose"]);
    const url = /http:\S+/.exec(await human.line((text) => text.includes("Listening")))?.[0];
    await call(`${url}/api/0/nothing`);
    assert.match(await human.line((text) => text.startsWith("GET")), /^GET \/api\/0\/nothing 404 \d+ ms$/);
  }));

test("--open opens the page in the browser of the system, under every NODE_ENV", async () => {
  if (process.platform !== "linux") return;
  await inside(async (workshop) => {
    const { env, opened } = await fakeBrowser(workshop);
    for (const mode of ["production", "test"]) {
      const { url } = await workshop.start(["--storage", "memory", "--open"], { ...env, NODE_ENV: mode });
      assert.is(await opened(), `${url}/`);
    }
    const { url } = await workshop.start(["--storage", "memory", "--open", "--webui", "off"], env);
    assert.is(await opened(), `${url}/api/0/info`);
  });
});

test("a browser that cannot be opened costs a warning", async () => {
  if (process.platform !== "linux") return;
  await inside(async ({ folder, spawn }) => {
    const launched = spawn(["--json", "--port", "0", "--storage", "memory", "--open"], { PATH: folder });
    await launched.complaint((text) => /cannot open a browser .*; go to http/.test(text));
  });
});

test("who stops reading its output does not stop the server", () =>
  inside(async ({ program }) => {
    const { url, stopReading } = await program.start(["--storage", "memory", "--verbose"]);
    stopReading();
    for (let count = 0; count < 3; count++) assert.is((await call(`${url}/api/0/info`)).status, 200);
  }));

test("a command whose output finds no space fails", async () => {
  if (process.platform !== "linux") return;
  const words = `"${process.execPath}" "${CLI}" --help`;
  const { status, stderr } = spawnSync(`${words} > /dev/full`, { shell: true, encoding: "utf8" });
  assert.equal([status, stderr], [1, "activity-server: the output cannot be written (ENOSPC)\n"]);
  assert.is(spawnSync(`${words} | true`, { shell: true, encoding: "utf8" }).stderr, "");
});

test("--qr shows the URL that a phone can use, behind the facts", () =>
  inside(async ({ program }) => {
    const words = ["--port", "0", "--storage", "memory", "--host", "0.0.0.0", "--insecure", "--qr"];
    const launched = program.spawn(words, { NODE_ENV: "production", HOST: "example.org", PORT: "1" });
    await launched.line((text) => text.includes("Local:"));
    const { stdout } = await stopped(launched);
    const port = /Listening +http:\/\/127\.0\.0\.1:(\d+)\n/.exec(stdout)?.[1];
    assert.ok(stdout.indexOf("Local:") > stdout.indexOf("curl http://"));
    assert.match(stdout, new RegExp(`Local: .*:${port}/`));
    // A machine without a network has no URL for a phone.
    if (stdout.includes("Network:")) assert.match(stdout, /\u2580{5,}[\s\S]*Network: .*\[QR code\]/);
  }));

test.run();
