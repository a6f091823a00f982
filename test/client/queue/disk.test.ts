import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { deliver, inFolder, isLocked, leave, own, resume, withFullDisk } from "./files.js";
import { beat, codes, plain, type Scene } from "./scene.js";

const test = suite("heartbeat queue: disks that fail");

/** Warnings of the disk; whether a request was tried before the end is chance. */
const troubles = (scene: Scene): string[] => codes(scene).filter((code) => code !== "UNREACHABLE");

test("a full disk: beats are kept in memory, and are in the file again once there is room", () =>
  inFolder(async (scene, file) => {
    scene.fault = () => "down";
    const queue = scene.open({ path: file });
    assert.is(await queue.heartbeat(beat(0, "app 0")), "disk");
    await withFullDisk(async () => {
      assert.is(await queue.heartbeat(beat(1, "app 1")), "memory");
      scene.time.advance(60_000);
      assert.is(await queue.heartbeat(beat(2, "app 2")), "memory");
      assert.equal([queue.state.size, queue.state.isOnDisk], [3, false]);
    });
    scene.time.advance(60_000);
    assert.is(await queue.heartbeat(beat(3, "app 3")), "disk");
    assert.is(codes(scene).filter((code) => code === "FILE").length, 1);
    await resume(scene, queue, file);
    assert.equal(await scene.events(), own([0, 1, 2, 3]));
  }));

test("closed while the disk is full: what is only in memory is told as lost, and the file is whole", () =>
  inFolder(async (scene, file) => {
    scene.fault = () => "down";
    const queue = scene.open({ path: file });
    await queue.heartbeat(beat(0, "app 0"));
    await withFullDisk(async () => {
      await queue.heartbeat(beat(1, "app 1"));
      await queue.close({ timeoutMillis: 0 });
    });
    // The first one is in the file, although the end could not be written.
    const lost = scene.warnings.filter(({ code }) => code === "LOST");
    assert.equal(
      lost.map(({ count }) => count),
      [1],
    );
    scene.warnings.length = 0;
    scene.fault = () => undefined;
    await deliver(scene, file);
    assert.equal(await scene.events(), own([0]));
    assert.equal(scene.warnings, []);
  }));

test("a disk that is full at the start: what waits in the file is sent, and the file is used once there is room", () =>
  inFolder(async (scene, file, folder) => {
    await leave(scene, file, [0, 1]);
    const before = fs.readFileSync(file);
    await withFullDisk(async () => {
      const queue = scene.open({ path: file });
      assert.equal([queue.state.size, queue.state.isOnDisk, codes(scene)], [2, false, ["FILE"]]);
      assert.equal(fs.readdirSync(folder), ["queue"], "no lock by halves, and nothing else");
      await queue.flush();
      assert.is(await queue.heartbeat(beat(2, "app 2")), "memory");
      await queue.close({ timeoutMillis: 0 });
    });
    assert.equal(fs.readFileSync(file), before);
    assert.equal(codes(scene), ["FILE", "LOST"]);
    scene.warnings.length = 0;
    scene.fault = () => "down";
    const queue = await withFullDisk(async () => scene.open({ path: file }));
    assert.is(await queue.heartbeat(beat(3, "app 3")), "memory");
    scene.time.advance(10_000);
    assert.is(await queue.heartbeat(beat(4, "app 4")), "disk");
    assert.ok(fs.existsSync(`${file}.lock`));
    await resume(scene, queue, file);
    assert.equal(await scene.events(), own([0, 1, 3, 4]));
    assert.equal(troubles(scene), ["FILE"]);
  }));

test("a file that has changed while there was no room for a lock is set aside, and not written over", () =>
  inFolder(async (scene, file) => {
    await leave(scene, file, [0]);
    scene.fault = () => "down";
    const queue = await withFullDisk(async () => scene.open({ path: file }));
    fs.appendFileSync(file, "of another process\n");
    scene.time.advance(10_000);
    assert.is(await queue.heartbeat(beat(1, "app 1")), "disk");
    assert.match(fs.readFileSync(`${file}.damaged-1`, "utf8"), "of another process");
    await resume(scene, queue, file);
    assert.equal(await scene.events(), own([0, 1]));
    assert.ok(codes(scene).includes("DAMAGED"));
  }));

test("without room for a lock, a file that somebody else uses is refused all the same", () =>
  inFolder(async (scene, file) => {
    await leave(scene, file, [0]);
    fs.writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.ppid, started: "", token: "" }));
    await withFullDisk(async () => {
      assert.throws(() => scene.open({ path: file }), isLocked);
      fs.rmSync(`${file}.lock`);
      scene.open({ path: file });
      assert.throws(() => scene.open({ path: file }), isLocked, "another queue of this process");
    });
  }));

test("a folder that cannot be made yet is tried again", () =>
  inFolder(async (scene, file) => {
    fs.writeFileSync(file, "not a folder");
    scene.fault = () => "down";
    const queue = scene.open({ path: path.join(file, "queue") });
    assert.is(await queue.heartbeat(beat(0)), "memory");
    assert.equal([troubles(scene), queue.state.isOnDisk], [["FILE"], false]);
    fs.rmSync(file);
    assert.is(await queue.heartbeat(beat(1)), "memory");
    scene.time.advance(10_000);
    assert.is(await queue.heartbeat(beat(2)), "disk");
    await queue.close({ timeoutMillis: 0 });
    scene.fault = () => undefined;
    await deliver(scene, path.join(file, "queue"));
    assert.equal(await scene.events(), [plain(0, 2)]);
  }));

test("a file that somebody deletes is written anew", () =>
  inFolder(async (scene, file) => {
    scene.fault = () => "down";
    const queue = scene.open({ path: file });
    await queue.heartbeat(beat(0, "app 0"));
    fs.rmSync(file);
    assert.is(await queue.heartbeat(beat(1, "app 1")), "disk");
    assert.ok(fs.existsSync(file));
    fs.writeFileSync(`${file}.other`, "of somebody else");
    fs.renameSync(`${file}.other`, file);
    assert.is(await queue.heartbeat(beat(2, "app 2")), "disk");
    fs.rmSync(file);
    await resume(scene, queue, file);
    assert.equal(await scene.events(), own([0, 1, 2]));
    assert.equal(troubles(scene), []);
  }));

test("a folder that somebody deletes is made again", () =>
  inFolder(async (scene, file) => {
    const inner = path.join(file, "queue");
    scene.fault = () => "down";
    const queue = scene.open({ path: inner });
    await queue.heartbeat(beat(0, "app 0"));
    fs.rmSync(file, { recursive: true });
    assert.is(await queue.heartbeat(beat(1, "app 1")), "disk");
    await resume(scene, queue, inner);
    assert.equal(await scene.events(), own([0, 1]));
  }));

test.run();
