import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connect } from "../../../src/client/index.js";
import type { JsonObject } from "../../../src/domain/json.js";
import { type ActivityServer, veto } from "../../../src/index.js";
import { type ServedOptions, withServer } from "../../harness.js";
import { until } from "../../http/client.js";
import { BUCKET_ID, beat, codes, type Fault, faultAt, heartbeats, inScene, page, plain, plainEvents } from "./scene.js";

const test = suite("heartbeat queue: responses of the server");

test("a server that says of every bucket that it is gone is told as a mistake, and events are kept", () =>
  inScene(async (scene) => {
    scene.fault = (what) => (what === "POST heartbeat" ? 404 : undefined);
    const queue = scene.open();
    await queue.heartbeat(beat(0));
    await queue.heartbeat(beat(0, "b"));
    await until(() => scene.time.waits.length > 0, "a back-off");
    assert.equal([codes(scene), queue.state.size, heartbeats(scene)], [["UNAUTHORIZED"], 2, 2]);
  }));

test("a beat that a privacy rule drops counts as delivered, and those behind it follow", () =>
  inScene(async (scene) => {
    await scene.client.settings.put("privacy_rules", [{ when: { key: "app", equals: "private" }, then: "drop" }]);
    const queue = scene.open({ commitInterval: 0 });
    for (const [at, app] of [
      [0, "a"],
      [1, "private"],
      [2, "a"],
    ] as const) {
      await queue.heartbeat({ ...beat(at), data: { app } });
    }
    await scene.drained(queue);
    assert.equal([codes(scene), queue.state.dropped], [[], 0]);
    const events = await scene.client.events.list(BUCKET_ID);
    assert.equal(
      events.map(({ data }) => data),
      [{ app: "a" }, { app: "a" }],
    );
  }));

/** What stands for a server that cannot answer now, or for a proxy or a captive portal in front of it. */
const AWAY: Readonly<Record<string, Fault>> = {
  "no response": "down",
  ...Object.fromEntries([408, 425, 429, 500, 502, 503, 504, 507].map((status) => [status, status])),
  ...Object.fromEntries(
    [200, 400, 401, 403, 404, 413, 415, 422, 500, 502].map((status) => [`a page with ${status}`, page(status)]),
  ),
  "an empty object": () => Response.json({}),
  "JSON without a message": () => Response.json({ error: "bad request" }, { status: 400 }),
  "an empty 404": () => new Response(null, { status: 404 }),
  "a redirect to a page": () => new Response(null, { status: 302, headers: { location: "/login" } }),
};

for (const [name, fault] of Object.entries(AWAY)) {
  for (const hasBucket of [false, true]) {
    const when = hasBucket ? "for heartbeats" : "from the beginning";
    test(`events wait while the answer is ${name} ${when}, longer each time, and are told of once`, () =>
      inScene(async (scene) => {
        scene.fault = (what) => (hasBucket && what === "POST editor" ? undefined : fault);
        const queue = scene.open({ commitInterval: 0 });
        const waits: number[] = [];
        await queue.heartbeat(beat(0));
        for (let round = 0; round < 9; round++) {
          await until(() => scene.time.waits.length > 0, "a back-off");
          waits.push(...scene.time.waits);
          if (round === 3) await queue.heartbeat(beat(1, "b"));
          assert.is(queue.state.isReachable, false);
          scene.time.advance(scene.time.waits[0] ?? 0);
        }
        assert.equal(waits, [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
        assert.equal([codes(scene), queue.state.size], [["UNREACHABLE"], 2]);
        await until(() => scene.time.waits.length > 0, "a back-off");
        scene.fault = () => undefined;
        scene.time.advance(30_000);
        await scene.drained(queue);
        assert.equal(await scene.events(), [plain(0, 0), plain(1, 0, "b")]);
        assert.equal(queue.state, { size: 0, bytes: 0, sent: 2, dropped: 0, isReachable: true, isOnDisk: false });
      }));
  }
}

for (const status of [401, 402, 403, 405, 406, 407, 409, 410, 411, 412, 418, 421, 431, 451]) {
  test(`events are kept while the server refuses the watcher with ${status}, until that is mended`, () =>
    inScene(async (scene) => {
      scene.fault = (what) => (what === "POST heartbeat" ? status : undefined);
      const queue = scene.open({ commitInterval: 0 });
      await queue.heartbeat(beat(0));
      await scene.backOffs(3);
      await until(() => scene.time.waits.length > 0, "a back-off");
      assert.equal([codes(scene), queue.state.size, queue.state.isReachable], [["UNAUTHORIZED"], 1, true]);
      assert.match(scene.warnings[0]?.message ?? "", `scripted ${status}`);
      scene.fault = () => undefined;
      await queue.flush();
      assert.equal(await scene.events(), [plain(0, 0)]);
    }));
}

const ROCKET_PAGE = "<h1>422: Unprocessable Entity</h1><p>The request was well-formed.</p><small>Rocket</small>";

/** Refusals of one event, and what the warning says of them. */
const REFUSALS: readonly (readonly [name: string, fault: Fault, message: string])[] = [
  ...[400, 413, 415, 422].map((status) => [`${status}`, status, `scripted ${status}`] as const),
  ["the error page of aw-server-rust", page(422, ROCKET_PAGE), "422 Unprocessable Entity"],
];

for (const [name, fault, message] of REFUSALS) {
  test(`an event that the server refuses with ${name} is dropped and told of, and the next one is sent`, () =>
    inScene(async (scene) => {
      faultAt(scene, 0, fault);
      const queue = scene.open({ commitInterval: 0 });
      await queue.heartbeat(beat(0, "bad"));
      await queue.heartbeat(beat(1, "good"));
      await scene.drained(queue);
      assert.equal(await scene.events(), [plain(1, 0, "good")]);
      assert.equal([codes(scene), scene.warnings[0]?.count, queue.state.dropped], [["REFUSED"], 1, 1]);
      assert.match(scene.warnings[0]?.message ?? "", message);
    }));
}

test("an event that a hook of the server vetoes is dropped and told of, and the next one is sent", async () => {
  const beforeHeartbeat = ({ beat }: { beat: { data: JsonObject } }): void => {
    if (beat.data["app"] === "secret") throw veto("private windows are not recorded");
  };
  await withServer({ door: "process", hooks: { beforeHeartbeat } }, async ({ server }) => {
    const client = connect(server);
    await inScene(async (scene) => {
      const queue = scene.open({ commitInterval: 0, client });
      for (const [second, app] of ["a", "secret", "b"].entries()) await queue.heartbeat(beat(second, app));
      await scene.drained(queue);
      assert.equal(await plainEvents(client, BUCKET_ID), [plain(0, 0, "a"), plain(2, 0, "b")]);
      assert.equal([codes(scene), scene.warnings[0]?.count, queue.state.dropped], [["REFUSED"], 1, 1]);
      assert.match(scene.warnings[0]?.message ?? "", "private windows are not recorded");
    });
  });
});

/** Refusals that end, and how long the server asks a queue to wait. */
const FOR_NOW: Readonly<
  Record<string, readonly [options: ServedOptions, millis: number, mend: (server: ActivityServer) => unknown]>
> = {
  "a veto for now": [
    {
      hooks: {
        beforeHeartbeat: once(() => {
          throw veto("too many events", { status: 429, retryAfter: 90 });
        }),
      },
    },
    90_000,
    () => undefined,
  ],
  "a quota": [{ quota: { events: 1 }, buckets: ["other"] }, 300_000, (server) => server.buckets.delete("other")],
  "a server that asks for days": [
    {
      hooks: {
        beforeHeartbeat: once(() => {
          throw veto("come back next week", { status: 503, retryAfter: 600_000 });
        }),
      },
    },
    3_600_000,
    () => undefined,
  ],
};

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}

for (const [name, [options, millis, mend]] of Object.entries(FOR_NOW)) {
  test(`${name} keeps the event, and the queue waits as long as the server asks`, () =>
    withServer({ ...options, door: "process" }, async ({ server }) => {
      if (options.buckets) await server.events.insert("other", { timestamp: "2024-03-01", data: {} });
      const client = connect(server);
      await inScene(async (scene) => {
        const queue = scene.open({ commitInterval: 0, client });
        await queue.heartbeat(beat(0));
        await until(() => scene.time.waits.length > 0, "a back-off");
        assert.equal(scene.time.waits, [millis]);
        assert.equal([codes(scene), queue.state.size, queue.state.dropped], [["UNREACHABLE"], 1, 0]);
        await mend(server);
        scene.time.advance(millis);
        await scene.drained(queue);
        assert.equal(await plainEvents(client, BUCKET_ID), [plain(0, 0)]);
      });
    }));
}

for (const id of [undefined, 0, -1, 1.5, "7"]) {
  test(`an answer with the id ${id} is that of no such server: the event waits`, () =>
    inScene(async (scene) => {
      let isWrong = true;
      const { heartbeat } = scene.client;
      const client = {
        ...scene.client,
        heartbeat: (async (...call) => (isWrong ? { ...beat(0), id } : heartbeat(...call))) as typeof heartbeat,
      };
      const queue = scene.open({ commitInterval: 0, client });
      await queue.heartbeat(beat(0));
      await until(() => scene.time.waits.length > 0, "a back-off");
      assert.equal([codes(scene), queue.state.size, queue.state.isReachable], [["UNREACHABLE"], 1, false]);
      assert.match(scene.warnings[0]?.message ?? "", /no id/);
      isWrong = false;
      await queue.flush();
      assert.equal(await scene.events(), [plain(0, 0)]);
    }));
}

test.run();
