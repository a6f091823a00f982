import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { lock } from "../../../src/client/queue/lock.js";
import { nodeParts } from "../../../src/client/queue/node.js";
import { programOf } from "../../program.js";
import { deliver, inFolder, isLocked } from "./files.js";

const test = suite("heartbeat queue: its lock");

test("two queues of one process cannot have the same file, whatever they call it", () =>
  inFolder(async (scene, file, folder) => {
    const queue = scene.open({ path: file });
    assert.throws(() => scene.open({ path: path.join(folder, "..", path.basename(folder), "queue") }), isLocked);
    assert.throws(() => scene.open({ path: path.relative(process.cwd(), file) }), isLocked);
    await queue.close();
    assert.not(fs.existsSync(`${file}.lock`));
    await deliver(scene, file);
  }));

test("a file that another process uses is refused, by its number, until that process is gone", () =>
  inFolder(async (scene, file) => {
    const { execArgv, file: program } = programOf(new URL("./watcher.ts", import.meta.url));
    const child = spawn(process.execPath, [...execArgv, program, "http://127.0.0.1:9", file], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    await once(child.stdout, "data");
    assert.throws(() => scene.open({ path: file }), isLocked);
    assert.throws(() => scene.open({ path: file }), new RegExp(`process ${child.pid}`));
    child.kill("SIGKILL");
    await ended;
    assert.ok(fs.existsSync(`${file}.lock`));
    await deliver(scene, file);
    assert.not(fs.existsSync(`${file}.lock`));
    assert.equal(scene.warnings, []);
  }));

test("a lock whose number belongs to another process by now does not count", () =>
  inFolder(async (scene, file) => {
    if (process.platform !== "linux") return;
    fs.writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.ppid, started: "1" }));
    await deliver(scene, file);
    // Of a run in a container, where each program has the same number.
    fs.writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.pid, started: "1" }));
    await deliver(scene, file);
    fs.writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.ppid, started: "" }));
    assert.throws(() => scene.open({ path: file }), isLocked);
  }));

test("a lock that is being written counts, and an old one that nobody has written does not", () =>
  inFolder(async (scene, file) => {
    fs.writeFileSync(`${file}.lock`, "");
    assert.throws(() => scene.open({ path: file }), isLocked);
    fs.utimesSync(`${file}.lock`, 1_000, 1_000);
    await deliver(scene, file);
  }));

test("the lock of an old run of this very process does not count, and that of another copy of the queue in it does", () =>
  inFolder(async (scene, file) => {
    const queue = scene.open({ path: file });
    const own = JSON.parse(fs.readFileSync(`${file}.lock`, "utf8"));
    assert.is(own.pid, process.pid);
    await queue.close();
    // What a Worker, which has globals of its own, would leave.
    fs.writeFileSync(`${file}.lock`, JSON.stringify({ ...own, token: "of a worker" }));
    assert.throws(() => scene.open({ path: file }), isLocked);
    // What stays when a lock could not be removed.
    fs.writeFileSync(`${file}.lock`, JSON.stringify(own));
    await deliver(scene, file);
    assert.not(fs.existsSync(`${file}.lock`));
  }));

test("two copies of the module know of each other", () =>
  inFolder(async (scene, file) => {
    const name = "../../../src/client/queue/lock.js?copy";
    const copy: typeof import("../../../src/client/queue/lock.js") = await import(name);
    assert.is.not(copy.lock, lock);
    const queue = scene.open({ path: file });
    assert.throws(() => copy.lock(nodeParts("a test"), file), isLocked);
    await queue.close();
    const release = copy.lock(nodeParts("a test"), file);
    assert.throws(() => scene.open({ path: file }), isLocked);
    release();
    await deliver(scene, file);
  }));

test("a lock without content that comes from the future does not count for ever", () =>
  inFolder(async (scene, file) => {
    const soon = Date.now() / 1_000 + 365 * 86_400;
    fs.writeFileSync(`${file}.lock`, "");
    fs.utimesSync(`${file}.lock`, soon, soon);
    await deliver(scene, file);
  }));

test("a lock appears with its content, and on file systems without links, too", () =>
  inFolder(async (scene, file, folder) => {
    const { linkSync } = fs;
    const writes: unknown[] = [];
    fs.linkSync = (from, to) => {
      writes.push(fs.readFileSync(from, "utf8"), to);
      linkSync(from, to);
    };
    try {
      await deliver(scene, file);
      assert.is(writes[1], `${file}.lock`);
      assert.match(String(writes[0]), `"pid":${process.pid}`);
      fs.linkSync = () => {
        throw Object.assign(new Error("EPERM: operation not permitted"), { code: "EPERM" });
      };
      const queue = scene.open({ path: file });
      assert.is(fs.readFileSync(`${file}.lock`, "utf8"), writes[0]);
      assert.throws(() => scene.open({ path: file }), isLocked);
      await queue.close();
    } finally {
      fs.linkSync = linkSync;
    }
    assert.equal(fs.readdirSync(folder), ["queue"]);
    assert.equal(scene.warnings, []);
  }));

test.run();
