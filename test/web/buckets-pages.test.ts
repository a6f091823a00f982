import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ClientEvent, connect, type NewEvent } from "../../src/client/index.js";
import {
  type EventReads,
  microsOf,
  type Paged,
  type PagedRange,
  pageAt,
  readPage,
} from "../../src/web/views/buckets/event-page.js";
import { withTestServer } from "../harness.js";

const test = suite("pages of events");

const DAY = Date.UTC(2024, 2, 1);
const BUCKET = { type: "app", client: "test", hostname: "desk" };

/** Counts what was asked for, so that a far page does not read everything before it. */
interface Counted extends EventReads {
  readonly calls: { count: number; get: number; mostListed: number };
}

async function withEvents(
  events: readonly NewEvent[],
  body: (reads: Counted, all: readonly ClientEvent[]) => Promise<void>,
): Promise<void> {
  await withTestServer({}, async (server) => {
    const client = connect(server);
    await client.buckets.create("b", BUCKET);
    await client.events.insert("b", events);
    const calls = { count: 0, get: 0, mostListed: 0 };
    const reads: Counted = {
      calls,
      count(which) {
        calls.count++;
        return client.events.count("b", which);
      },
      async list(which) {
        const listed = await client.events.list("b", which);
        calls.mostListed = Math.max(calls.mostListed, listed.length);
        return listed;
      },
      get(eventId) {
        calls.get++;
        return client.events.get("b", eventId);
      },
    };
    await body(reads, await client.events.list("b"));
  });
}

const ALL: Paged = { range: {}, filter: [] };

/** Seconds after the begin of the day. */
function event(second: number, duration = 5, data: { readonly [key: string]: number | string } = { second }): NewEvent {
  return { timestamp: new Date(DAY + second * 1000), duration, data };
}

/** 5,000 events, 300 of them at one instant, and some that last for hours over the others. */
function crowded(): NewEvent[] {
  const events = Array.from({ length: 4700 }, (_, index) => event(index * 10, index % 500 === 0 ? 7200 : 5));
  return [...events, ...Array.from({ length: 300 }, (_, copy) => event(20_000, 3, { copy }))];
}

async function everyPage(paged: Paged, reads: EventReads, order: readonly number[]): Promise<ClientEvent[]> {
  const found = new Map<number, readonly ClientEvent[]>();
  for (const number of order) found.set(number, (await readPage(reads, paged, number)).events);
  return [...found].sort(([a], [b]) => a - b).flatMap(([, events]) => events);
}

const FORWARDS = Array.from({ length: 50 }, (_, index) => index);

test("every event stands on one page, whole, also where 300 begin at once", () =>
  withEvents(crowded(), async (reads, all) => {
    assert.is(all.length, 5000);
    for (const order of [FORWARDS, [...FORWARDS].reverse(), FORWARDS.map((number) => (number * 7) % 50)]) {
      assert.equal(await everyPage(ALL, reads, order), all);
    }
    assert.ok(reads.calls.mostListed <= 100, `${reads.calls.mostListed} events in one answer`);
  }));

test("the last page is found without reading what is before it", () =>
  withEvents(crowded(), async (reads, all) => {
    const { events, page, pages, total } = await readPage(reads, ALL, 1_000_000);
    assert.equal([page, pages, total], [49, 50, 5000]);
    assert.equal(events, all.slice(4900));
    assert.ok(reads.calls.mostListed <= 100 && reads.calls.count === 1, JSON.stringify(reads.calls));
  }));

test("a range leaves the events that touch it, and they are not cut", () =>
  withEvents(crowded(), async (reads, all) => {
    const range: PagedRange = { start: (DAY + 5_000_000) * 1000, end: (DAY + 25_000_000) * 1000 };
    const within = all.filter(({ timestamp, duration }) => {
      const begin = microsOf(timestamp);
      return begin + duration * 1_000_000 >= (range.start ?? 0) && begin <= (range.end ?? 0);
    });
    assert.ok(within.some(({ timestamp }) => microsOf(timestamp) < (range.start ?? 0)));
    const paged = { range, filter: [] };
    assert.is((await readPage(reads, paged, 0)).total, within.length);
    const order = Array.from({ length: Math.ceil(within.length / 100) }, (_, index) => index);
    assert.equal(await everyPage(paged, reads, order), within);
    assert.equal(await everyPage(paged, reads, order.reverse()), within);
  }));

test("an instant leads to the page with the event that it is in", () =>
  withEvents(crowded(), async (reads, all) => {
    for (const second of [0, 20_000, 20_001, 46_990, 33_333.5]) {
      const at = (DAY + second * 1000) * 1000;
      const expected = all.findIndex(({ timestamp }) => microsOf(timestamp) <= at);
      assert.is((await pageAt(reads, ALL, at)).page, Math.floor(expected / 100), `second ${second}`);
    }
    assert.is((await pageAt(reads, ALL, (DAY - 1000) * 1000)).page, 49, "before everything");
    assert.is((await pageAt(reads, ALL, (DAY + 1e9) * 1000)).page, 0, "behind everything");
  }));

test("a bucket without events has one page without events", () =>
  withEvents([], async (reads) => {
    const empty = { events: [], page: 0, pages: 1, total: 0 };
    assert.equal(await readPage(reads, ALL, 0), empty);
    assert.equal(await readPage(reads, ALL, 7), empty);
    assert.equal(await pageAt(reads, ALL, DAY * 1000), empty);
  }));

test("2,000 events of one instant come page by page", () =>
  withEvents(
    Array.from({ length: 2000 }, (_, copy) => event(0, 1, { copy })),
    async (reads, all) => {
      const pages = FORWARDS.slice(0, 20);
      assert.equal(await everyPage(ALL, reads, pages), all);
      assert.equal(await everyPage(ALL, reads, [...pages].reverse()), all);
    },
  ));

test("negative durations and a microsecond between events change nothing", () =>
  withEvents(
    Array.from({ length: 1500 }, (_, index) => ({
      timestamp: `2024-03-01T10:00:00.${String(index).padStart(6, "0")}Z`,
      duration: index % 3 === 0 ? -60 : 0.000001,
      data: { index },
    })),
    async (reads, all) => {
      const pages = FORWARDS.slice(0, 15);
      assert.equal(await everyPage(ALL, reads, [...pages].reverse()), all);
    },
  ));

test("a term leaves the events that meet it, however many are searched and on whatever page", () =>
  withEvents(
    Array.from({ length: 6000 }, (_, n) => event(n, 0, { n, word: n % 40 === 0 ? "Fortieth" : "other" })),
    async (reads, all) => {
      const paged: Paged = { range: {}, filter: ["fortieth"] };
      const matching = all.filter(({ data }) => data["word"] === "Fortieth");
      const first = await readPage(reads, paged, 0);
      assert.equal([first.total, first.pages], [150, 2]);
      assert.equal(await everyPage(paged, reads, [0, 1]), matching);
      assert.equal(reads.calls.mostListed, 100);
      const at = microsOf(matching[120]?.timestamp ?? "");
      assert.is((await pageAt(reads, paged, at)).page, 1);
      assert.equal((await readPage(reads, { ...paged, filter: ["nowhere"] }, 3)).total, 0);
    },
  ));

test.run();
