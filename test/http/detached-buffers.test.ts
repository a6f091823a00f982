// V8 checks every access to a typed array once a process has detached one buffer, so queries become 7 % slower for as
// long as the server runs. No request may cause that.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { withFolder } from "../adapters/folder.js";
import { CLI } from "../cli/launcher.js";

const test = suite("detached buffers");

/** V8 reports on stdout which of its assumptions ends. */
const FLAG = "--trace-protector-invalidation";
const REPORT = /ArrayBufferDetaching/;

const EVENTS = Array.from({ length: 12_000 }, (_, at) => ({
  timestamp: new Date(Date.UTC(2026, 0, 1) + at * 10_000).toISOString(),
  duration: 5,
  data: { app: `app ${at % 7}`, title: `a title that makes the body larger ${at}` },
}));

async function play(url: string): Promise<void> {
  const send = async (path: string, body?: BodyInit, headers: HeadersInit = { "content-type": "application/json" }) => {
    const response = await fetch(url + path, body === undefined ? { headers } : { method: "POST", body, headers });
    assert.ok(response.ok, `${path}: ${response.status}`);
    return response.text();
  };
  await send("/api/0/buckets/b", JSON.stringify({ client: "test", type: "test", hostname: "h" }));
  await send("/api/0/buckets/b/events", JSON.stringify(EVENTS));
  await send("/api/0/buckets/b/heartbeat?pulsetime=5", JSON.stringify(EVENTS[0]));
  const exported = await send("/api/0/export");
  await send("/api/0/import", exported.replaceAll('"b"', '"c"'));
  const form = new FormData();
  form.append("buckets.json", new Blob([exported.replaceAll('"b"', '"d"')]), "buckets.json");
  await send("/api/0/import", form, {});
  const program = ["e = query_bucket('b');", "RETURN = merge_events_by_keys(e, ['app']);"];
  await send("/api/0/query", JSON.stringify({ timeperiods: ["2026-01-01/2026-01-03"], query: program }));
  const page = await send("/", undefined, { "accept-encoding": "identity" });
  const files = [...page.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, file]) => `/${file}`);
  assert.ok(files.length > 2, "the page names its files");
  for (const encoding of ["identity", "gzip"]) {
    for (const file of files) await send(file, undefined, { "accept-encoding": encoding });
  }
}

test("no request detaches one", () =>
  withFolder(async (folder) => {
    const child = spawn(process.execPath, [FLAG, CLI, "--json", "--port", "0", "--data", folder]);
    let printed = "";
    const listening = new Promise<string>((resolve) => {
      child.stdout.on("data", (chunk) => {
        printed += chunk;
        const url = /"url":"([^"]+?)\/?"/.exec(printed)?.[1];
        if (url !== undefined) resolve(url);
      });
    });
    const ended = once(child, "exit");
    try {
      const failed = ended.then((): never => {
        throw new Error(printed);
      });
      failed.catch(() => {});
      await play(await Promise.race([listening, failed]));
    } finally {
      child.kill("SIGTERM");
      await ended;
    }
    assert.not.match(printed, REPORT);
  }));

test("V8 would report one", async () => {
  const script = "structuredClone(new ArrayBuffer(8), { transfer: [new ArrayBuffer(8)] })";
  const { stdout } = await promisify(execFile)(process.execPath, [FLAG, "--eval", script]);
  assert.match(stdout, REPORT);
});

test.run();
