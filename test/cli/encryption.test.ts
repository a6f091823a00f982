// The launcher and its commands on encrypted data folders.
import { randomBytes } from "node:crypto";
import { chmod, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { bucketOf, draftOf } from "../contract/case.js";
import { type Inside, inside } from "./inside.js";
import { type Ended, stopped } from "./launcher.js";

const test = suite("encrypted data folders");

interface Desk extends Inside {
  /** Files with a key each. */
  readonly keys: readonly [string, string];
  readonly data: string;
}

/** A data folder that is encrypted with the first of two keys. */
function atDesk(body: (desk: Desk) => Promise<void>): Promise<void> {
  return inside(async (workshop) => {
    const keys = [workshop.path("first.key"), workshop.path("second.key")] as const;
    for (const file of keys) await writeFile(file, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600 });
    const data = workshop.path("desk");
    const storage = leveldb({ path: data, encryption: { key: await readFile(keys[0], "utf8") } });
    await storage.createBucket(bucketOf("window"), [draftOf(1), draftOf(2)]);
    await storage.settings.put("theme", "dark");
    await storage.close();
    await body({ ...workshop, keys, data });
  });
}

function refused({ code, stderr, stdout }: Ended, message: RegExp): void {
  assert.is(code, 1, stdout + stderr);
  assert.match(stderr, message);
}

async function eventsOf(url: string): Promise<number> {
  const response = await fetch(`${url}/api/0/buckets/window/events`);
  return ((await response.json()) as unknown[]).length;
}

test("a server opens it with the key of a file, raw, hexadecimal or Base64, or of the environment", () =>
  atDesk(async ({ start, program, keys, data, path }) => {
    const key = Buffer.from(await readFile(keys[0], "utf8"), "base64");
    await writeFile(path("raw.key"), key, { mode: 0o600 });
    await writeFile(path("hex.key"), key.toString("hex"), { mode: 0o600 });
    for (const file of [keys[0], path("raw.key"), path("hex.key")]) {
      const server = await start(["--data", data, "--encryption-key-file", file]);
      assert.is(await eventsOf(server.url), 2);
      await stopped(server);
    }
    const server = await program.start(["--data", data], { ACTIVITY_SERVER_ENCRYPTION_KEY: key.toString("hex") });
    assert.is(server.facts.encrypted, true);
    assert.is(await eventsOf(server.url), 2);
  }));

test("without a key, with another one, and with what is none the start is refused and says how to give it", () =>
  atDesk(async ({ run, keys, data, path }) => {
    const start = ["--port", "0", "--data", data];
    refused(await run(start), /is encrypted: pass its key .*--encryption-key-file FILE/);
    refused(await run([...start, "--encryption-key-file", keys[1]]), /the key does not match .*nothing was changed/);
    refused(await run([...start, "--encryption-key-file", path("no")]), /cannot be read \(ENOENT\)/);
    await writeFile(path("word.key"), "correct horse battery staple 123");
    const word = await run([...start, "--encryption-key-file", path("word.key")]);
    refused(word, /must contain 32 bytes/);
    assert.not.match(word.stderr, /horse/);
    const variable = await run(start, { ACTIVITY_SERVER_ENCRYPTION_KEY: "hunter2" });
    refused(variable, /ACTIVITY_SERVER_ENCRYPTION_KEY must be 32 bytes/);
    assert.not.match(variable.stderr, /hunter2/);
    const both = await run([...start, "--encryption-key-file", keys[0]], {
      ACTIVITY_SERVER_ENCRYPTION_KEY: "0".repeat(64),
    });
    refused(both, /both set/);
    const flag = await run([...start, "--encryption-key", "0".repeat(64)]);
    assert.is(flag.code, 2);
    assert.match(flag.stderr, /would be visible in process lists; set ACTIVITY_SERVER_ENCRYPTION_KEY/);
    const database = ["--storage", "postgres", "--encryption-key-file", keys[0]];
    refused(await run(database, { ACTIVITY_SERVER_DATABASE_URL: "postgres://h/d" }), /only works with a data folder/);
  }));

test("a key file that others can read is warned about, or refused", () =>
  atDesk(async ({ start, run, keys, data }) => {
    if (process.platform === "win32") return;
    await chmod(keys[0], 0o644);
    const words = ["--data", data, "--encryption-key-file", keys[0]];
    refused(
      await run([...words, "--port", "0", "--strict-permissions"]),
      /encryption key file .* is accessible to other users/,
    );
    const { complaint } = await start(words);
    await complaint((line) => /encryption key file/.test(line) && /chmod 600/.test(line));
  }));

test("verify, keys, import and backup take the key; a backup says that it is plain, and restores into a folder with another", () =>
  atDesk(async ({ run, told, keys, data, path }) => {
    const key = ["--encryption-key-file", keys[0]];
    refused(await run(["verify", "--data", data]), /is encrypted/);
    assert.match((await run(["verify", "--data", data, ...key])).stdout, /sound: 1 bucket, 2 events/);
    await told(["keys", "list", "--data", data, ...key]);
    const file = path("backup.jsonl");
    assert.match(await told(["backup", "--to", file, "--data", data, ...key]), /The backup is not encrypted/);
    assert.ok((await readFile(file, "utf8")).includes("window"));
    const imported = await run(["import", "--yes", "--from", file, "--data", data]);
    refused(imported, /is encrypted: pass its key/);
    assert.is((await run(["import", "--yes", "--from", file, "--data", data, ...key])).code, 0);
    await told(["restore", file, "--data", path("other"), "--encryption-key-file", keys[1]]);
    refused(await run(["verify", "--data", path("other"), ...key]), /the key does not match/);
    const other = await run(["verify", "--data", path("other"), "--encryption-key-file", keys[1]]);
    assert.match(other.stdout, /sound: 1 bucket, 2 events/);
  }));

test("rotate-key lets the new key alone open it, also while a server is running", () =>
  atDesk(async ({ run, start, program, keys, data, path }) => {
    const [first, second] = keys;
    const rotate = ["rotate-key", "--data", data, "--new-key-file", second];
    assert.is((await run(rotate)).code, 2);
    await writeFile(path("third.key"), randomBytes(32), { mode: 0o600 });
    refused(await run([...rotate, "--encryption-key-file", path("third.key")]), /the key does not match/);
    const server = await start(["--data", data, "--encryption-key-file", first]);
    assert.match(
      await program.told([...rotate, "--encryption-key-file", first]),
      /only the new key \([0-9a-f]{16}\) opens it now/,
    );
    assert.is(await eventsOf(server.url), 2);
    await stopped(server);
    refused(await run(["verify", "--data", data, "--encryption-key-file", first]), /the key does not match/);
    assert.is((await run(["verify", "--data", data, "--encryption-key-file", second])).code, 0);
  }));

test("encrypt copies a plain folder, and one with another key, into a new folder; the old one stays", () =>
  atDesk(async ({ run, program, keys, data, path }) => {
    const [first, second] = keys;
    const plain = leveldb({ path: path("plain") });
    await plain.createBucket(bucketOf("window"), [draftOf(7)]);
    await plain.close();
    refused(
      await run(["--port", "0", "--data", path("plain"), "--encryption-key-file", first]),
      /activity-server encrypt/,
    );
    const words = ["encrypt", "--data", path("plain"), "--to", path("sealed"), "--new-key-file", first];
    assert.match(await program.told(words), /1 bucket, 1 event, encrypted\n.*plain is unchanged; remove it/);
    assert.match((await run(["verify", "--data", path("sealed"), "--encryption-key-file", first])).stdout, /sound/);
    assert.match((await run(["verify", "--data", path("plain")])).stdout, /sound/);
    refused(await run(words), /is not empty; choose a new folder with --to/);
    const again = ["encrypt", "--data", data, "--to", path("again"), "--new-key-file", second];
    refused(await run(again), /is encrypted: pass its key/);
    assert.is((await run([...again, "--encryption-key-file", first])).code, 0);
    assert.not.ok((await readdir(path("."))).some((name) => name.endsWith(".partial")));
    assert.match((await run(["verify", "--data", path("again"), "--encryption-key-file", second])).stdout, /2 events/);
  }));

test("salvage reads a damaged folder with its key into one with the same key, and nothing without", () =>
  atDesk(async ({ run, told, keys, data, path }) => {
    for (const name of (await readdir(join(data, "db"))).filter((file) => file.startsWith("MANIFEST"))) {
      await rm(join(data, "db", name));
    }
    const key = ["--encryption-key-file", keys[0]];
    refused(await run(["verify", "--data", data, ...key]), /damaged/);
    refused(await run(["salvage", "--data", data, "--to", path("saved")]), /is encrypted: pass its key/);
    const wrong = ["salvage", "--data", data, "--to", path("saved"), "--encryption-key-file", keys[1]];
    refused(await run(wrong), /the key does not match/);
    assert.match(
      await told(["salvage", "--data", data, "--to", path("saved"), ...key]),
      /1 bucket, 2 events, 1 setting: nothing was lost/,
    );
    refused(await run(["verify", "--data", path("saved")]), /is encrypted/);
    assert.match((await run(["verify", "--data", path("saved"), ...key])).stdout, /sound: 1 bucket, 2 events/);
  }));

test.run();
