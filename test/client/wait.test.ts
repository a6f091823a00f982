import { suite } from "uvu";
import * as assert from "uvu/assert";
import { backOff, createClient, delay, isActivityClientError, waitForServer } from "../../src/client/index.js";
import { withTestServer } from "../harness.js";
import { codeOf } from "../refusals.js";
import { settle, withManualTimers } from "./manual-timers.js";

const test = suite("waiting for a server");

test("waits are doubled up to half a minute", () => {
  const longest = (attempt: number): number => backOff(attempt, () => 1);
  assert.equal([0, 1, 2, 5, 6, 7, 100, 5000].map(longest), [500, 1000, 2000, 16_000, 30_000, 30_000, 30_000, 30_000]);
});

test("chance decides about the upper half of a wait", () => {
  const waits = [0, 0.5, 0.999].map((random) => backOff(3, () => random));
  assert.equal(waits, [2000, 3000, 3998]);
  assert.ok(new Set(Array.from({ length: 20 }, () => backOff(3))).size > 1);
});

test("a delay ends after its time, or at once with the signal", async () => {
  await withManualTimers(async ({ pending, fire }) => {
    const controller = new AbortController();
    const [ends, breaks] = [delay(100), delay(200, controller.signal)];
    assert.equal(pending(), [100, 200]);
    controller.abort();
    assert.is(await codeOf(breaks), "ABORTED");
    assert.equal(pending(), [100], "the timer is gone, too");
    fire();
    await ends;
    assert.is(await codeOf(delay(300, controller.signal)), "ABORTED");
    assert.equal(pending(), []);
  });
});

test("it asks until the server answers, and tells about each wait", () =>
  withTestServer({}, async (server) => {
    const { fetch } = server;
    const answers = [
      () => Promise.reject(new TypeError("refused")),
      async () => new Response("{}", { status: 503 }),
      (url: string) => fetch(url),
    ];
    const client = createClient({ fetch: async (url) => (answers.shift() as (url: string) => Promise<Response>)(url) });
    await withManualTimers(async ({ pending, fire }) => {
      const told: string[] = [];
      const waiting = waitForServer(client, {
        onRetry: (error, millis) => {
          assert.equal(pending(), []);
          told.push(`${isActivityClientError(error) && error.code} ${millis >= 250 * 2 ** told.length}`);
        },
      });
      for (const count of [1, 2]) {
        await settle();
        assert.is(told.length, count);
        assert.is(pending().length, 1);
        fire();
      }
      assert.is((await waiting).hostname, "test-host");
      assert.equal(told, ["UNREACHABLE true", "REFUSED true"]);
      assert.equal(pending(), []);
    });
  }));

test("the signal ends the waiting, in a call and between two", async () => {
  for (const fetch of [() => new Promise<Response>(() => {}), () => Promise.reject(new TypeError("refused"))]) {
    await withManualTimers(async ({ pending }) => {
      const controller = new AbortController();
      const waiting = codeOf(waitForServer(createClient({ fetch }), { signal: controller.signal }));
      await settle();
      assert.is(pending().length, 1);
      controller.abort();
      assert.is(await waiting, "ABORTED");
      assert.equal(pending(), []);
    });
  }
});

test("it does not wait where something else answers", async () => {
  const page = createClient({ fetch: async () => new Response("<!doctype html>") });
  assert.is(await codeOf(waitForServer(page)), "MALFORMED_RESPONSE");
  const nothing = createClient({ fetch: async () => new Response("{}", { status: 404 }) });
  assert.is(await codeOf(waitForServer(nothing)), "REFUSED");
});

test("manual timers are those of the test only, not of what runs beside it", async () => {
  let ask = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const beside = asked.then(() => setTimeout(() => undefined, 700));
  await withManualTimers(async ({ pending }) => {
    ask();
    const timer = await beside;
    const own = setTimeout(() => undefined, 900);
    assert.equal(pending(), [900]);
    clearTimeout(own);
    clearTimeout(timer);
    assert.equal(pending(), []);
  });
});

test.run();
