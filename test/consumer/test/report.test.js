import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import { bucket, createTestServer, event, realisticDay } from "activity-server/testing";
import { focusReport } from "../src/report.js";
import { inProcess, overHttp } from "../src/sources.js";

const server = createTestServer();
const SOURCES = { "over HTTP": overHttp({ fetch: server.fetch }), "in process": inProcess(server) };
const START = new Date("2024-03-01T00:00:00Z");
const END = new Date("2024-03-02T00:00:00Z");

afterEach(() => server.reset());
after(() => server.close());

for (const [name, source] of Object.entries(SOURCES)) {
  test(`${name}, programs are listed by the time in front`, async () => {
    const window = bucket({ type: "currentwindow" });
    const of = (app, time, duration) => event({ timestamp: `2024-03-01T${time}Z`, duration, data: { app, title: "" } });
    await server.load({
      bucket: window,
      events: [of("Mail", "09:00", "5m"), of("Code", "09:05", "1h"), of("Mail", "10:05", "90s")],
    });
    assert.deepEqual(await focusReport(source, START, END), [
      { app: "Code", minutes: 60 },
      { app: "Mail", minutes: 6.5 },
    ]);
  });

  test(`${name}, what is in front while nobody is there does not count`, async () => {
    await server.load([
      { bucket: bucket(), events: [event({ duration: "30m" })] },
      {
        bucket: bucket({ type: "afkstatus" }),
        events: [
          event({ timestamp: "2024-03-01T09:10Z", duration: "15m", data: { status: "afk" } }),
          event({ timestamp: "2024-03-01T09:25Z", duration: "1h", data: { status: "not-afk" } }),
        ],
      },
    ]);
    assert.deepEqual(await focusReport(source, START, END), [{ app: "Code", minutes: 15 }]);
  });

  test(`${name}, a day of work adds up to the time of presence`, async () => {
    for (const seed of [1, 2, 3]) {
      const day = realisticDay({ seed });
      await server.load(day);
      const present = day.afk.events.filter(({ data }) => data.status === "not-afk");
      const minutes = present.reduce((sum, { duration }) => sum + duration / 60e6, 0);
      const report = await focusReport(source, START, END);
      assert.ok(Math.abs(report.reduce((sum, one) => sum + one.minutes, 0) - minutes) < 1e-6);
      assert.ok(report.length >= 4);
      await server.reset();
    }
  });

  test(`${name}, an empty server is told from an idle one`, async () => {
    await assert.rejects(focusReport(source, START, END), /no window watcher/);
    await server.load({ bucket: bucket(), events: [] });
    assert.deepEqual(await focusReport(source, START, END), []);
  });
}

test("both sources give the same report", async () => {
  await server.load(realisticDay({ timezone: "Asia/Kathmandu" }));
  const [one, other] = await Promise.all(Object.values(SOURCES).map((source) => focusReport(source, START, END)));
  assert.deepEqual(
    one.map(({ app, minutes }) => `${app} ${minutes.toFixed(3)}`),
    other.map(({ app, minutes }) => `${app} ${minutes.toFixed(3)}`),
  );
});
