import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ActivityClient, connect } from "../../src/client/index.js";
import { DEMO_HOST, isDemoBucket } from "../../src/domain/demo.js";
import { bucket } from "../../src/testing/index.js";
import { fullestWeek, removeDemo } from "../../src/web/demo/demo.js";
import { demoDates, fillDemo } from "../../src/web/demo/fill.js";
import { withTestServer } from "../harness.js";

const test = suite("the demo host");

async function withClient(body: (client: ActivityClient) => Promise<void>): Promise<void> {
  await withTestServer({ testing: false }, async (server) => {
    await body(connect(server));
  });
}

test("a fortnight ends today in the zone of the reader, and has no weekends but a present one", () => {
  // A Friday evening in Berlin, Saturday morning in Tokyo.
  const now = Date.parse("2024-03-01T22:30:00Z");
  const berlin = demoDates("Europe/Berlin", now);
  assert.equal([berlin[0], berlin.at(-1), berlin.length], ["2024-02-19", "2024-03-01", 10]);
  const tokyo = demoDates("Asia/Tokyo", now);
  assert.equal([tokyo[0], tokyo.at(-1), tokyo.length], ["2024-02-19", "2024-03-02", 11]);
  // Over a change of clocks.
  assert.is(demoDates("Europe/Berlin", Date.parse("2024-04-05T12:00:00Z")).length, 10);
});

test("nothing is later than now, and the last day is the last that has windows", () =>
  withClient(async (client) => {
    const shares: number[] = [];
    const onProgress = (share: number): void => void shares.push(share);
    // Before anybody is at work.
    const now = Date.parse("2024-03-01T04:00:00Z");
    const filled = await fillDemo({ client, zone: "Europe/Berlin", now, onProgress });
    assert.equal([filled.size, filled.get("2024-03-01")], [10, 0]);
    assert.is([...filled].findLast(([, seconds]) => seconds > 0)?.[0], "2024-02-29");
    assert.equal([shares[0], shares.at(-1), shares.length], [0, 1, 11]);
    const made = Object.values(await client.buckets.list());
    assert.is(made.length, 4);
    for (const one of made) {
      assert.ok(isDemoBucket(one) && one.hostname === DEMO_HOST);
      assert.ok(Date.parse(one.metadata.end ?? "") <= now, `${one.id} ${one.metadata.end}`);
    }
  }));

test("what is removed is what was made, and nothing of a host that is really called so", () =>
  withClient(async (client) => {
    const now = Date.parse("2024-03-01T12:00:00Z");
    const own = bucket({ id: "own", hostname: DEMO_HOST });
    const marked = bucket({ id: "marked", data: { demo: true } });
    for (const { id, type, client: watcher, hostname, data } of [own, marked]) {
      await client.buckets.create(id, { type, client: watcher, hostname, data });
    }
    await fillDemo({ client, zone: "UTC", now, onProgress() {} });
    await removeDemo(client);
    assert.equal(Object.keys(await client.buckets.list()).sort(), ["marked", "own"]);
    await removeDemo(client);
  }));

test("the fullest week has the most time, of equal ones the later", () => {
  const calendar = { zone: "Europe/Berlin", startOfDay: "04:00", startOfWeek: "Monday" } as const;
  const filled = new Map([
    ["2024-02-22", 3],
    ["2024-02-23", 2],
    ["2024-02-26", 4],
  ]);
  assert.is(fullestWeek(filled, calendar), "2024-02-19");
  assert.is(fullestWeek(filled.set("2024-02-27", 1), calendar), "2024-02-26");
  assert.is(fullestWeek(new Map(), calendar), undefined);
});

test.run();
