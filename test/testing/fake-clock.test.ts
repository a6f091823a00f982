import { suite } from "uvu";
import * as assert from "uvu/assert";
import { micros } from "../../src/index.js";
import { fakeClock, TEST_START } from "../../src/testing/index.js";
import { sendJson } from "../api/sending.js";
import { withServer } from "../harness.js";
import { testRefusals, wrong } from "./refusal.js";

const test = suite("fake clock");

const NOON = micros(1_709_294_400_000_000);

test("without a start it begins on 2024-03-01 at nine, and stands still", () => {
  const clock = fakeClock();
  assert.is(new Date(clock()).toISOString(), "2024-03-01T09:00:00.000Z");
  assert.is(clock.now(), TEST_START);
  assert.is(clock(), clock());
});

test("it begins and moves where it is told to, and tells the new now", () => {
  const clock = fakeClock("2024-03-01T13:00:00+01:00");
  assert.is(clock.now(), NOON);
  assert.is(clock.advance("250ms"), NOON + 250_000);
  assert.is(clock.set(new Date("2024-03-01T12:00:00Z")), NOON);
  assert.is(clock.now(), NOON);
});

test("it can be set back, and goes back to its own start", () => {
  const clock = fakeClock(NOON);
  assert.is(clock.set(TEST_START), TEST_START);
  assert.is(clock.reset(), NOON);
  assert.is(clock.now(), NOON);
});

test("a server gets every microsecond of it", async () => {
  const clock = fakeClock();
  await withServer({ door: "process", clock }, async ({ server }) => {
    for (let step = 0; step < 500; step++) {
      const now = clock.advance({ micros: step % 2 === 0 ? 1 : 123_457_891 });
      const id = `bucket ${step}`;
      const url = `/api/0/buckets/${encodeURIComponent(id)}`;
      await sendJson(server, "POST", url, { type: "t", client: "c", hostname: "h" });
      const { created } = (await (await sendJson(server, "GET", url)).json()) as { created: string };
      const micros = Date.parse(`${created.slice(0, 19)}Z`) * 1000 + Number(/\.(\d{6})/.exec(created)?.[1] ?? 0);
      assert.is(micros, now);
    }
  });
});

testRefusals(test, [
  [() => fakeClock("noon"), "start of the clock must be"],
  [() => fakeClock().advance(wrong("5")), "advance of the clock must be"],
  [() => fakeClock().advance("-1s"), "advance of the clock must be"],
  [() => fakeClock("2249-12-31T23:00:00Z").advance("1h"), "advance of the clock must end"],
  [() => fakeClock().set(wrong(null)), "time of the clock must be"],
]);

test("what is refused does not move it", () => {
  const clock = fakeClock();
  assert.throws(() => clock.advance("-1s"));
  assert.throws(() => clock.set("never"));
  assert.is(clock.now(), TEST_START);
});

test.run();
