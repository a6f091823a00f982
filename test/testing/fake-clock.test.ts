import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { createActivityServer } from "../../src/index.js";
import { fakeClock, TEST_START } from "../../src/testing/index.js";
import { checkedFetch } from "../api/answer-check.js";
import { assertRefused, LENGTH, type Refusal, TIME, wrong } from "./refusal.js";

const test = suite("fake clock");

const NOON = 1_709_294_400_000_000;

test("without a start it begins on 2024-03-01 at nine, and stands still", () => {
  const clock = fakeClock();
  assert.is(new Date(clock()).toISOString(), "2024-03-01T09:00:00.000Z");
  assert.is(clock.now(), TEST_START);
  assert.is(clock(), clock());
});

for (const [kind, start] of [
  ["a Date", new Date("2024-03-01T12:00:00Z")],
  ["an ISO text", "2024-03-01T13:00:00+01:00"],
  ["microseconds", NOON],
] as const) {
  test(`it begins where ${kind} says`, () => {
    assert.is(fakeClock(start).now(), NOON);
    const clock = fakeClock();
    assert.is(clock.set(start), NOON);
    assert.is(clock.now(), NOON);
  });
}

for (const [by, micros] of [
  [{ micros: 1 }, 1],
  [{ seconds: 0.25 }, 250_000],
  ["250ms", 250_000],
  ["5s", 5_000_000],
  ["10m", 600_000_000],
  ["1.5h", 5_400_000_000],
  ["0s", 0],
] as const) {
  test(`it advances by ${JSON.stringify(by)} and tells the new now`, () => {
    const clock = fakeClock();
    assert.is(clock.advance(by), TEST_START + micros);
    assert.is(clock.now(), TEST_START + micros);
    assert.is(clock.advance(by), TEST_START + 2 * micros);
  });
}

test("it can be set back, and goes back to its own start", () => {
  const clock = fakeClock(NOON);
  assert.is(clock.set(TEST_START), TEST_START);
  assert.is(clock.reset(), NOON);
  assert.is(clock.now(), NOON);
});

test("a server gets every microsecond of it", async () => {
  const clock = fakeClock();
  const server = createActivityServer({ storage: memory(), clock });
  for (let step = 0; step < 500; step++) {
    const now = clock.advance({ micros: step % 2 === 0 ? 1 : 123_457_891 });
    const id = `bucket ${step}`;
    const body = JSON.stringify({ type: "t", client: "c", hostname: "h" });
    const headers = { "content-type": "application/json" };
    const url = `http://localhost/api/0/buckets/${encodeURIComponent(id)}`;
    await checkedFetch(url, { method: "POST", headers, body }, server.fetch);
    const { created } = (await (await checkedFetch(url, {}, server.fetch)).json()) as { created: string };
    const micros = Date.parse(`${created.slice(0, 19)}Z`) * 1000 + Number(/\.(\d{6})/.exec(created)?.[1] ?? 0);
    assert.is(micros, now);
  }
  await server.close();
});

test("two clocks do not know of each other", () => {
  const [one, other] = [fakeClock(), fakeClock()];
  one.advance("1h");
  assert.is(other.now(), TEST_START);
});

const REFUSALS: readonly Refusal[] = [
  { name: "a start that is no time", call: () => fakeClock("noon"), message: `start of the clock is 'noon'; ${TIME}` },
  {
    name: "a start that is no number",
    call: () => fakeClock(Number.NaN),
    message: `start of the clock is NaN; ${TIME}`,
  },
  {
    name: "a start that is an invalid Date",
    call: () => fakeClock(new Date("noon")),
    message: `start of the clock is a Date; ${TIME}`,
  },
  {
    name: "half microseconds",
    call: () => fakeClock().advance({ micros: 0.5 }),
    message: `advance of the clock is an object; ${LENGTH}`,
  },
  {
    name: "a number without a unit",
    call: () => fakeClock().advance(wrong(60)),
    message: 'advance of the clock is 60, a number without a unit; use "60s" for seconds, or { micros: 60 }',
  },
  {
    name: "a length without a unit",
    call: () => fakeClock().advance(wrong("5")),
    message: `advance of the clock is '5'; ${LENGTH}`,
  },
  {
    name: "a length with a unit that is none",
    call: () => fakeClock().advance(wrong("5 s")),
    message: `advance of the clock is '5 s'; ${LENGTH}`,
  },
  {
    name: "a negative advance",
    call: () => fakeClock().advance("-1s"),
    message: "advance of the clock is '-1s'; set() turns a clock back",
  },
  {
    name: "an advance beyond the years that are accepted",
    call: () => fakeClock("2249-12-31T23:00:00Z").advance("1h"),
    message: "advance of the clock is '1h'; it must end before 2250",
  },
  {
    name: "a time that is none",
    call: () => fakeClock().set(wrong(null)),
    message: `time of the clock is null; ${TIME}`,
  },
];

for (const refusal of REFUSALS) test(`it refuses ${refusal.name}`, () => assertRefused(refusal));

test("what is refused does not move it", () => {
  const clock = fakeClock();
  assert.throws(() => clock.advance("-1s"));
  assert.throws(() => clock.set("never"));
  assert.is(clock.now(), TEST_START);
});

test.run();
