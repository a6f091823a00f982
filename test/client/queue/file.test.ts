import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { deliver, inFolder, leave, own, resume } from "./files.js";
import { beat, codes, inScene, plain } from "./scene.js";

const test = suite("heartbeat queue: its file");

test("what one queue leaves behind, the next one sends first, without being asked", () =>
  inFolder(async (scene, file) => {
    await leave(scene, file, [0, 1, 2]);
    const queue = scene.open({ path: file, commitInterval: 1_000 });
    assert.is(queue.state.size, 3);
    await scene.drained(queue);
    await queue.heartbeat(beat(3, "app 3"));
    await queue.close();
    assert.equal(await scene.events(), own([0, 1, 2, 3]));
    assert.equal(scene.warnings, []);
  }));

test("an activity goes on in the same event", () =>
  inFolder(async (scene, file) => {
    for (const second of [0, 3, 6]) {
      const queue = scene.open({ path: file });
      await queue.heartbeat(beat(second));
      await queue.close({ timeoutMillis: 0 });
    }
    await deliver(scene, file);
    assert.equal(await scene.events(), [plain(0, 6)]);
  }));

test("a file is not read by others than its owner", () =>
  inFolder(async (scene, file) => {
    await leave(scene, file, [0]);
    if (process.platform !== "win32") assert.is(fs.statSync(file).mode & 0o777, 0o600);
  }));

test("folders of the path are made, and links to the file are followed", () =>
  inFolder(async (scene, file, folder) => {
    const real = path.join(folder, "a/b/queue");
    await leave(scene, real, [0]);
    if (process.platform !== "win32") fs.symlinkSync(real, file);
    else fs.copyFileSync(real, file);
    await leave(scene, file, [1]);
    assert.ok(process.platform === "win32" || fs.lstatSync(file).isSymbolicLink());
    await deliver(scene, file);
    assert.equal(await scene.events(), own([0, 1]));
  }));

test("a file stays small while beats come and go, and while one activity lasts", () =>
  inFolder(async (scene, file) => {
    const queue = scene.open({ path: file, commitInterval: 0 });
    const title = "x".repeat(500);
    for (let second = 0; second < 3_000; second++) await queue.heartbeat(beat(second, title));
    await queue.flush();
    const sizes = [fs.statSync(file).size];
    scene.fault = () => "down";
    for (let second = 3_000; second < 6_000; second++) await queue.heartbeat(beat(second, title));
    sizes.push(fs.statSync(file).size);
    assert.ok(queue.state.size <= 2, `${queue.state.size} events`);
    for (const size of sizes) assert.ok(size < 300_000, `${size} bytes`);
    scene.fault = () => undefined;
    await queue.close();
    assert.equal(await scene.events(), [plain(0, 5_999, title)]);
  }));

test("a limit holds for what the file brings along, and what was dropped does not come back", () =>
  inFolder(async (scene, file) => {
    scene.fault = () => "down";
    const queue = scene.open({ path: file, limit: { events: 3 } });
    for (let second = 0; second < 9; second++) await queue.heartbeat(beat(second, `app ${second}`));
    await queue.close({ timeoutMillis: 0 });
    scene.fault = () => undefined;
    await deliver(scene, file, { limit: { events: 2 } });
    const told = scene.warnings.filter(({ code }) => code === "OVERFLOW").map(({ count }) => count);
    const events = await scene.events();
    assert.is(told.reduce((sum, count) => sum + count, 0) + events.length, 9);
    assert.equal(events.at(-1), plain(8, 0, "app 8"));
    assert.is(events.length, 2);
  }));

test("a file of another bucket is refused and left as it is, unless nothing waits in it", () =>
  inFolder(async (scene, file) => {
    await leave(scene, file, [0]);
    const before = fs.readFileSync(file, "utf8");
    assert.throws(
      () => scene.open({ path: file, bucketId: "other" }),
      (error: Error & { code: string }) => error.code === "OTHER_BUCKET" && /'editor'.*'other'/.test(error.message),
    );
    assert.is(fs.readFileSync(file, "utf8"), before);
    await deliver(scene, file);
    await deliver(scene, file, { bucketId: "other" });
    assert.equal(scene.warnings, []);
  }));

test("the last line without its end was never acknowledged: left out, and no cause for a warning", () =>
  inFolder(async (scene, file) => {
    await leave(scene, file, [0, 1]);
    const whole = fs.readFileSync(file);
    const end = whole.lastIndexOf("\n", whole.length - 2) + 1;
    scene.fault = () => "down";
    for (let length = end; length < whole.length; length++) {
      fs.writeFileSync(file, whole.subarray(0, length));
      const queue = scene.open({ path: file });
      assert.is(queue.state.size, 1, `${length} of ${whole.length} bytes`);
      await queue.close({ timeoutMillis: 0 });
    }
    assert.not(codes(scene).includes("DAMAGED"));
  }));

test("what is neither file nor folder is left alone", () =>
  inScene(async (scene) => {
    const queue = scene.open({ path: "/dev/null" });
    assert.is(await queue.heartbeat(beat(0)), "memory");
    assert.equal(codes(scene), ["FILE"]);
    assert.ok(fs.statSync("/dev/null").isCharacterDevice());
    await queue.flush();
  }));

test("with fsync, each beat waits for the disk", () =>
  inFolder(async (scene, file) => {
    const { fdatasyncSync } = fs;
    let count = 0;
    fs.fdatasyncSync = (descriptor) => {
      count++;
      fdatasyncSync(descriptor);
    };
    try {
      scene.fault = () => "down";
      const queue = scene.open({ path: file, fsync: true });
      const before = count;
      for (let n = 0; n < 5; n++) assert.is(await queue.heartbeat(beat(n)), "disk");
      assert.ok(count - before >= 5, `${count - before} times`);
      await resume(scene, queue, file);
      assert.equal(await scene.events(), [plain(0, 4)]);
    } finally {
      fs.fdatasyncSync = fdatasyncSync;
    }
  }));

test.run();
