// Makes a backup file of what a running server of version 0.1 holds, for `activity-server restore`: 0.2 does not read
// data folders of 0.1. Buckets, events with their ids, settings and the device id come along. See
// docs/guides/upgrading.md#from-01-to-02.
//
//   node scripts/migrate-format-1.mjs http://127.0.0.1:5600 --to FILE [--api-key-file KEYFILE]
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import { parseArgs } from "node:util";

const USAGE = "usage: node scripts/migrate-format-1.mjs URL --to FILE [--api-key-file KEYFILE]";
/** Events whose place in the temporary file is noted together. */
const GROUP = 1000;

class UsageError extends Error {}

const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44];
const [OPEN, CLOSE] = ["[{", "]}"].map((signs) => new Set(Buffer.from(signs)));

/** The members of a JSON list that arrives in chunks, as bytes. */
async function* members(chunks) {
  let [depth, inText, isEscaped, started] = [0, false, false, -1];
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const at = rest.length;
    const bytes = Buffer.concat([rest, chunk]);
    for (let index = at; index < bytes.length; index++) {
      const byte = bytes[index];
      if (inText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) inText = false;
      } else if (byte === QUOTE) inText = true;
      else if (OPEN.has(byte)) {
        if (++depth === 2) started = index;
      } else if (CLOSE.has(byte)) {
        if (--depth === 1) {
          yield bytes.subarray(started, index + 1);
          started = -1;
        }
      } else if (byte === COMMA && depth === 0) throw new Error("the server answers something else than a list");
    }
    if (started > 0) [rest, started] = [bytes.subarray(started), 0];
    else rest = started === 0 ? bytes : Buffer.alloc(0);
  }
  if (depth !== 0) throw new Error("the answer of the server ends in the middle");
}

/** Writes the lines of a file of their own in the opposite order: answers hold the newest event first. */
async function backwards(events, temporary, write) {
  const handle = await open(temporary, "wx+", 0o600);
  try {
    const groups = [];
    let [lines, size, count] = [[], 0, 0];
    const flush = async () => {
      const bytes = Buffer.concat(lines.reverse().flatMap((line) => [line, Buffer.from("\n")]));
      await handle.write(bytes, 0, bytes.length, size);
      groups.push({ at: size, length: bytes.length });
      size += bytes.length;
      lines = [];
    };
    for await (const event of events) {
      lines.push(Buffer.from(event));
      count++;
      if (lines.length === GROUP) await flush();
    }
    if (lines.length > 0) await flush();
    await write(count, async (take) => {
      for (const { at, length } of groups.reverse()) {
        await take((await handle.read(Buffer.alloc(length), 0, length, at)).buffer);
      }
    });
  } finally {
    await handle.close();
    await rm(temporary, { force: true });
  }
}

/** A file that hashes what is written to it, and gets its name when it is whole. */
async function writeBackup(file, body) {
  const temporary = `${file}.${process.pid}.partial`;
  const sink = createWriteStream(temporary, { flags: "wx", mode: 0o600 });
  const hash = createHash("sha256");
  const put = async (bytes) => {
    if (!sink.write(bytes)) await once(sink, "drain");
  };
  const write = async (bytes) => {
    hash.update(bytes);
    await put(bytes);
  };
  const line = (value) => Buffer.from(`${JSON.stringify(value)}\n`);
  try {
    const counts = await body({ write, line: (value) => write(line(value)), temporary });
    await put(line({ kind: "end", ...counts, sha256: hash.digest("hex") }));
    sink.end();
    await once(sink, "close");
    const handle = await open(temporary, "r");
    await handle.sync();
    await handle.close();
    await rename(temporary, file);
    return counts;
  } finally {
    sink.destroy();
    await rm(temporary, { force: true });
  }
}

function askWith(url, key) {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return async (path) => {
    const answer = await fetch(new URL(path, url), { headers });
    if (answer.status !== 200)
      throw new Error(`${path} answers ${answer.status}: ${(await answer.text()).slice(0, 200)}`);
    return answer;
  };
}

async function migrate(url, file, key) {
  const ask = askWith(url, key);
  const { version, device_id: deviceId } = await (await ask("/api/0/info")).json();
  const settings = Object.entries(await (await ask("/api/0/settings")).json());
  const buckets = Object.values(await (await ask("/api/0/buckets/")).json());
  return writeBackup(file, async ({ write, line, temporary }) => {
    const head = { kind: "backup", format: "activity-server-backup", version: 1, created: new Date().toISOString() };
    await line({ ...head, producer: `scripts/migrate-format-1.mjs, from ${version}` });
    for (const [key, value] of settings) await line({ kind: "setting", key, value });
    await line({ kind: "record", of: "device", key: "id", value: deviceId });
    let events = 0;
    for (const { id, name, type, client, hostname, created, data } of buckets) {
      const { body } = await ask(`/api/0/buckets/${encodeURIComponent(id)}/events`);
      await backwards(members(body), `${temporary}.events`, async (count, each) => {
        await line({ kind: "bucket", id, name, type, client, hostname, created, data, events: count });
        await each(write);
        events += count;
        console.error(`${JSON.stringify(id)}: ${count} events`);
      });
    }
    return { settings: settings.length, records: 1, buckets: buckets.length, events };
  });
}

async function main() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { to: { type: "string" }, "api-key-file": { type: "string" } },
  });
  const [url] = positionals;
  if (positionals.length !== 1 || values.to === undefined || !/^https?:/.test(url)) throw new UsageError(USAGE);
  const keyFile = values["api-key-file"];
  const key = keyFile === undefined ? undefined : (await readFile(keyFile, "utf8")).trim();
  const { buckets, events } = await migrate(url, values.to, key);
  console.error(`${values.to}: ${buckets} buckets, ${events} events`);
}

main().catch((error) => {
  console.error(`migrate-format-1: ${error.message}`);
  process.exitCode = error instanceof UsageError || error.code?.startsWith("ERR_PARSE_ARGS") ? 2 : 1;
});
