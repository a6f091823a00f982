import { suite } from "uvu";
import * as assert from "uvu/assert";
import { EventBatch } from "../../src/domain/batch.js";
import { bucketsOf } from "../../src/report/buckets.js";
import { sorted } from "../../src/report/sorted.js";
import { sumsBy, timesByData } from "../../src/report/sums.js";
import { createTestServer } from "../../src/testing/index.js";
import { runSteps } from "../../src/transforms/steps.js";
import { intOf, randomOf } from "../contract/case.js";

const test = suite("size of reports");

test("long lists are sorted in slices", () => {
  const random = randomOf(3);
  for (const length of [0, 1, 4096, 4097, 20_000]) {
    const list = Array.from({ length }, (_, index) => [intOf(random, 0, 500), index] as const);
    const steps = sorted(list, ([a], [b]) => a - b);
    const equal = list.toSorted(([a], [b]) => a - b);
    assert.equal(runSteps(steps), equal);
    const again = sorted(list, ([a], [b]) => a - b);
    let pauses = 0;
    while (!again.next().done) pauses++;
    assert.ok(pauses >= Math.floor(length / 4096), `${pauses} pauses for ${length}`);
  }
});

test("sums of long keys pause more often", () => {
  const batch = EventBatch.from(
    Array.from({ length: 100 }, (_, at) => ({
      id: at,
      timestamp: at,
      duration: 1,
      data: { title: `${at}`.padEnd(50_000) },
    })),
  );
  const { times } = runSteps(timesByData(batch));
  const steps = sumsBy(times, ({ title }) => title as string, false);
  let pauses = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) pauses++;
  assert.ok(pauses >= 8, `${pauses} pauses`);
  assert.is(step.value.ids.length, 100);
});

test("a page of long keys is short, and the next one continues", async () => {
  const server = createTestServer({ clock: "2024-03-01T18:00:00Z" });
  const hostname = "desk";
  const events = Array.from({ length: 12 }, (_, index) => ({
    timestamp: `2024-03-01T10:${10 + index}:00Z`,
    duration: "1m" as const,
    data: { app: "browser", title: `${10 + index}${"x".repeat(900_000)}` },
  }));
  await server.buckets.create("window", { type: "currentwindow", client: "test", hostname }, events);
  const found: (string | undefined)[] = [];
  let offset: number | null = 0;
  while (offset !== null) {
    const report = await server.report({ date: "2024-03-01", groups: [{ by: "title", offset }] });
    const { rows = [], next = null, total } = report.groups["title"] ?? {};
    assert.is(rows.length, 4);
    assert.is(total, 12);
    found.push(...rows.map(({ key }) => key?.slice(0, 2)));
    offset = next;
  }
  assert.equal(
    found.toSorted(),
    events.map(({ data }) => data.title.slice(0, 2)),
  );
  await server.close();
});

test("a report has at most 20 groups", async () => {
  const server = createTestServer();
  const groups = Array.from({ length: 21 }, (_, index) => `currentwindow:key${index}`);
  await server.report({ groups: groups.slice(1) });
  await server.report({ groups }).then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, "groups must have at most 20 groups, got 21; remove some"),
  );
  await server.close();
});

test("hosts without buckets cost nothing", () => {
  const bucket = { id: "window", hostname: "desk", type: "currentwindow" };
  const wanted = ["desk", "desk", ...Array.from({ length: 10_000 }, (_, index) => `none${index}`)];
  const choice = { wanted, hasStopwatches: true, browserHosts: new Map(), browserOf: (id: string) => id };
  assert.equal(
    bucketsOf([bucket], choice).hosts.map(({ host, windows }) => [host, windows]),
    [["desk", ["window"]]],
  );
});

test.run();
