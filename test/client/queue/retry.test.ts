// Answers that are lost on the way: the queue cannot know whether the server has carried out what it asked for.
import fs from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { QueueBeat } from "../../../src/client/queue/index.js";
import { until } from "../../http/client.js";
import { inFolder } from "./files.js";
import {
  BUCKET,
  BUCKET_ID,
  beat,
  type Fault,
  faultAt,
  heartbeats,
  inScene,
  page,
  plain,
  type Scene,
  undisturbed,
} from "./scene.js";

const test = suite("heartbeat queue: no event twice");

/** Hands in beats, each of which is sent before the next one. */
async function play(scene: Scene, beats: readonly QueueBeat[], pulsetime: number): Promise<void> {
  const queue = scene.open({ pulsetime, commitInterval: 0 });
  for (const each of beats) {
    await queue.heartbeat(each);
    await until(() => queue.state.size === 0 || scene.time.waits.length > 0, "a try");
    await queue.flush();
  }
}

const CASES: Readonly<Record<string, { readonly beats: readonly QueueBeat[]; readonly pulsetime: number }>> = {
  "one activity": { beats: [beat(0), beat(3), beat(6), beat(9)], pulsetime: 5 },
  "one activity after another": { beats: [beat(0, "a"), beat(3, "b"), beat(6, "a"), beat(9, "a")], pulsetime: 5 },
  "events of their own, by a pulsetime of 0": { beats: [beat(0), beat(3), beat(6), beat(9, "b")], pulsetime: 0 },
  "the same instant twice": { beats: [beat(0), beat(0), beat(0, "b"), beat(0)], pulsetime: 0 },
  "lengths that touch": { beats: [beat(0, "a", 3), beat(3, "a", 3), beat(6, "b", 3), beat(9, "b")], pulsetime: 0 },
  "out of order": { beats: [beat(100), beat(50), beat(52), beat(101)], pulsetime: 5 },
  "out of order, and back to the first activity": {
    beats: [beat(100), beat(50, "b"), beat(10, "c"), beat(50, "b")],
    pulsetime: 5,
  },
};

for (const [name, { beats, pulsetime }] of Object.entries(CASES)) {
  for (const fault of ["cut", "late"] as const) {
    test(`${name}: whichever answer is lost (${fault}), the events are those of a quiet day`, async () => {
      for (const n of beats.keys()) {
        await inScene(async (scene) => {
          faultAt(scene, n, fault);
          await play(scene, beats, pulsetime);
          assert.equal(await scene.events(), await undisturbed(beats, pulsetime), `answer ${n}`);
          assert.is(scene.seen.filter((seen) => seen.fault === fault).length, 1);
        });
      }
    });
  }
}

test("what was carried out is not sent again", () =>
  inScene(async (scene) => {
    faultAt(scene, 1, "cut");
    await play(scene, [beat(0, "a"), beat(1, "b"), beat(2, "c")], 0);
    assert.equal(
      scene.seen.map(({ what }) => what),
      ["POST editor", "POST heartbeat", "POST heartbeat", "GET events", "POST heartbeat"],
    );
  }));

test("what was not carried out is sent again, once the server says so", () =>
  inScene(async (scene) => {
    faultAt(scene, 1, "down");
    await play(scene, [beat(0, "a"), beat(1, "b")], 0);
    assert.equal(await scene.events(), [plain(0, 0, "a"), plain(1, 0, "b")]);
    assert.is(scene.seen.filter(({ what }) => what === "GET events").length, 1);
  }));

test("an older event that looks the same is not taken for the one in doubt", () =>
  inScene(async (scene) => {
    faultAt(scene, 2, "down");
    const beats = [beat(0, "a"), beat(0, "b"), beat(0, "a")];
    await play(scene, beats, 0);
    assert.equal(await scene.events(), [plain(0, 0, "a"), plain(0, 0, "b"), plain(0, 0, "a")]);
  }));

test("a late beat whose answer was lost is found, although somebody else has written since", () =>
  inScene(async (scene) => {
    const queue = scene.open({ commitInterval: 0 });
    await queue.heartbeat(beat(100));
    await queue.flush();
    faultAt(scene, 0, "cut");
    await queue.heartbeat(beat(50, "late"));
    await until(() => scene.time.waits.length > 0, "a back-off");
    // From now on the server compares with this one, and would not recognize the late beat.
    await scene.client.events.insert(BUCKET_ID, beat(200, "other"));
    await queue.flush();
    assert.equal(await scene.events(), [plain(100, 0), plain(50, 0, "late"), plain(200, 0, "other")]);
  }));

test("an event that was lengthened, and whose answer was lost, is found behind events of somebody else", () =>
  inScene(async (scene) => {
    const queue = scene.open({ commitInterval: 0 });
    await queue.heartbeat(beat(0));
    await queue.flush();
    faultAt(scene, 0, "late");
    await queue.heartbeat(beat(4));
    await until(() => scene.time.waits.length > 0, "a back-off");
    await scene.client.heartbeat(BUCKET_ID, beat(5, "other"), 0);
    await queue.flush();
    assert.equal(await scene.events(), [plain(0, 4), plain(5, 0, "other")]);
  }));

test("reading back may fail, too", () =>
  inScene(async (scene) => {
    const faults: (Fault | undefined)[] = ["cut", "down", 503, page(), "late"];
    scene.fault = (what) => (what === "POST editor" ? undefined : faults.shift());
    const queue = scene.open({ commitInterval: 0 });
    await queue.heartbeat(beat(0));
    await scene.backOffs(5);
    await scene.drained(queue);
    assert.equal(await scene.events(), [plain(0, 0)]);
  }));

test("a page in place of what is read back is no reason to send again without having looked", () =>
  inScene(async (scene) => {
    const faults = ["cut", page(403), page(404), page(400)] as const;
    let at = 0;
    scene.fault = (what) => (what === "POST editor" ? undefined : faults[at++]);
    const queue = scene.open({ commitInterval: 0, pulsetime: 0 });
    await queue.heartbeat(beat(0));
    await scene.backOffs(4);
    await scene.drained(queue);
    assert.equal(await scene.events(), [plain(0, 0)]);
    assert.is(heartbeats(scene), 1);
  }));

for (const status of [401, 403]) {
  test(`who may report but not read (${status}) sends again, which merges into what is there`, () =>
    inScene(async (scene) => {
      scene.fault = (what) => {
        if (what === "GET events") return status;
        return what === "POST heartbeat" && heartbeats(scene) === 0 ? "cut" : undefined;
      };
      const queue = scene.open({ commitInterval: 0 });
      await queue.heartbeat(beat(0, "a", 3));
      await until(() => scene.time.waits.length > 0, "a back-off");
      await queue.flush();
      assert.equal(await scene.events(), [plain(0, 3)]);
      assert.is(scene.seen.filter(({ what }) => what === "POST heartbeat").length, 2);
    }));
}

test("a bucket that is deleted while an answer is in doubt is made again, and gets the event", () =>
  inScene(async (scene) => {
    faultAt(scene, 0, "cut");
    const queue = scene.open({ commitInterval: 0 });
    await queue.heartbeat(beat(0));
    await until(() => scene.time.waits.length > 0, "a back-off");
    await scene.client.buckets.delete(BUCKET_ID);
    await queue.flush();
    assert.equal(await scene.events(), [plain(0, 0)]);
    assert.is((await scene.client.buckets.get(BUCKET_ID)).client, BUCKET.client);
  }));

test("a queue that ended in doubt: the next one finds in the file what was under way, and on the server what became of it", () =>
  inFolder(async (scene, file) => {
    const queue = scene.open({ path: file });
    for (const second of [0, 2]) await queue.heartbeat(beat(second, "a"));
    faultAt(scene, 0, "cut");
    const flushed = queue.flush().catch(() => {});
    await until(() => scene.time.waits.length > 0, "a back-off");
    // Not part of what was under way, although it is the same activity.
    await queue.heartbeat(beat(4, "a"));
    await queue.close({ timeoutMillis: 0 });
    await flushed;
    await scene.client.events.insert(BUCKET_ID, beat(200, "other"));
    const next = scene.open({ path: file });
    await next.flush();
    assert.equal(await scene.events(), [plain(0, 2, "a"), plain(200, 0, "other"), plain(4, 0, "a")]);
  }));

test("a file that has lost its newest lines, as by a power failure: what the server has is not sent again", () =>
  inFolder(async (scene, file) => {
    scene.fault = () => "down";
    const queue = scene.open({ path: file });
    for (const second of [0, 1, 2]) await queue.heartbeat(beat(second, `app ${second}`));
    await queue.close({ timeoutMillis: 0 });
    const before = fs.readFileSync(file);
    scene.fault = (what) => (what === "POST heartbeat" && heartbeats(scene) === 2 ? "down" : undefined);
    const second = scene.open({ path: file });
    await until(() => second.state.size === 1 && scene.time.waits.length > 0, "two sent events");
    await second.close({ timeoutMillis: 0 });
    scene.fault = () => undefined;
    fs.writeFileSync(file, before);
    await scene.client.events.insert(BUCKET_ID, beat(200, "other"));
    await scene.open({ path: file }).flush();
    const sent = [plain(0, 0, "app 0"), plain(1, 0, "app 1")];
    assert.equal(await scene.events(), [...sent, plain(200, 0, "other"), plain(2, 0, "app 2")]);
  }));

test("a file that has lost what was done, with an activity that came back in the same instant: nothing twice", () =>
  inFolder(async (scene, file) => {
    const queue = scene.open({ path: file });
    for (const app of ["a", "b", "a"]) await queue.heartbeat(beat(0, app));
    const before = fs.readFileSync(file);
    await queue.flush();
    await queue.close();
    fs.writeFileSync(file, before);
    const next = scene.open({ path: file });
    await next.flush();
    assert.equal(await scene.events(), [plain(0, 0, "a"), plain(0, 0, "b"), plain(0, 0, "a")]);
  }));

test.run();
