// Large bodies and imports share what there is.
import type { IncomingMessage } from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { AbandonedError } from "../../src/errors.js";
import { BodyAdmission } from "../../src/http/body-admission.js";
import type { RequestContext } from "../../src/http/request-context.js";
import { serviceInMemory } from "../access/service.js";
import { BUCKET, inTime, sender, withServer } from "../harness.js";
import { codeOf } from "../refusals.js";
import { event, json, refusal, until } from "./client.js";
import { withHeldTimers } from "./held-timers.js";
import { connect, head, type RawConnection } from "./raw.js";
import { door, fill, watched } from "./storages.js";

const test = suite("shared budgets");

const MIB = 1024 * 1024;

function requestOf(headers: Readonly<Record<string, string>>, httpVersionMajor = 1): RequestContext {
  const node = { httpVersionMajor } as IncomingMessage;
  const header = (name: string): string | undefined => headers[name];
  return { header, host: { node } } as RequestContext;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Begins work on requests that ends when the test says so. */
function begun(bodies: BodyAdmission, requests: readonly RequestContext[], limitBytes = 32 * MIB) {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const done = requests.map((request, index) =>
    bodies.during(request, limitBytes, () => {
      begun.push(index);
      return new Promise<void>((resolve) => (ends[index] = resolve));
    }),
  );
  return { begun, ends, done };
}

const LARGE: readonly RequestContext[] = [
  requestOf({ "content-length": String(31 * MIB) }),
  requestOf({ "transfer-encoding": "chunked" }),
  requestOf({}, 2),
  requestOf({ "content-length": String(MIB) }),
];

test("large bodies are worked on as far as 64 MiB go, the others wait in line", async () => {
  const { begun: running, ends, done } = begun(new BodyAdmission(), LARGE);
  await turn();
  assert.equal(running, [0, 1]);
  ends[0]?.();
  await done[0];
  await turn();
  assert.equal(running, [0, 1, 2]);
  ends[1]?.();
  await turn();
  assert.equal(running, [0, 1, 2, 3]);
  for (const end of ends) end();
  await Promise.all(done);
});

test("small bodies wait for nobody, nor do those that will be refused", async () => {
  const bodies = new BodyAdmission();
  const { ends, done } = begun(bodies, LARGE.slice(0, 2));
  const small = [
    requestOf({ "content-length": "65536" }),
    requestOf({ "content-length": String(40 * MIB) }),
    requestOf({}),
  ];
  const others = begun(bodies, small);
  await turn();
  assert.equal(others.begun, [0, 1, 2]);
  for (const end of [...ends, ...others.ends]) end();
  await Promise.all([...done, ...others.done]);
});

test("a large body that finds no room in time is refused, and what fails makes room", async () => {
  const bodies = new BodyAdmission({ waitMillis: 20 });
  const { ends, done } = begun(bodies, LARGE.slice(0, 2));
  const late = bodies.during(LARGE[0] as RequestContext, 32 * MIB, async () => assert.unreachable("it is read"));
  assert.is(await codeOf(late), "BUSY");
  for (const end of ends) end();
  await Promise.all(done);
  const failing = bodies.during(LARGE[0] as RequestContext, 32 * MIB, () => Promise.reject(new Error("no")));
  await failing.catch(() => undefined);
  assert.is(await bodies.during(LARGE[0] as RequestContext, 64 * MIB, async () => "served"), "served");
});

test("a client that leaves the line keeps nobody waiting", async () => {
  const bodies = new BodyAdmission();
  const { ends, done } = begun(bodies, LARGE.slice(0, 2));
  let leave = (): void => undefined;
  const onGone = (listener: () => void): (() => void) => {
    leave = listener;
    return () => undefined;
  };
  const left = bodies.during({ ...(LARGE[0] as RequestContext), onGone }, 32 * MIB, async () => "served");
  const next = begun(bodies, [requestOf({ "content-length": String(40 * MIB) })], 64 * MIB);
  await turn();
  leave();
  ends[0]?.();
  await left.then(
    () => assert.unreachable("it is served"),
    (thrown) => assert.instance(thrown, AbandonedError),
  );
  ends[1]?.();
  await Promise.all(done);
  await turn();
  assert.equal(next.begun, [0]);
  next.ends[0]?.();
  await Promise.all(next.done);
});

function importing(count: number, hasLeft?: () => boolean) {
  const { service } = serviceInMemory();
  const ends: (() => void)[] = [];
  const begin = () => service.importDocuments(() => new Promise((resolve) => ends.push(() => resolve([]))), hasLeft);
  return { ends, begin, imports: Array.from({ length: count }, begin) };
}

test("four imports are read at a time, the next one when one of them is done", async () => {
  const { ends, imports } = importing(6);
  await turn();
  assert.is(ends.length, 4);
  ends[0]?.();
  await imports[0];
  await turn();
  assert.is(ends.length, 5);
  while (ends.length > 0) {
    ends.pop()?.();
    await turn();
  }
  await Promise.all(imports);
});

test("beyond eight imports that wait the next one is refused at once, unless one of them has left", async () => {
  let isGone = false;
  const { ends, begin, imports } = importing(12, () => isGone);
  const settled = Promise.allSettled(imports);
  await turn();
  assert.is(await Promise.race([codeOf(begin()), turn()]), "BUSY");
  isGone = true;
  const next = begin();
  isGone = false;
  while (ends.length > 0) {
    ends.pop()?.();
    await turn();
  }
  await next;
  const refused = (await settled).filter((each) => each.status === "rejected");
  assert.is(refused.length, 8);
});

/** Begins requests whose bodies are announced and do not come. */
async function stalledAt(port: number, line: string, bytes: number, count: number): Promise<RawConnection[]> {
  const stalled: RawConnection[] = [];
  for (let number = 0; number < count; number++) {
    const connection = await connect(port);
    const lines = ["Host: localhost", "Content-Type: application/json", `Content-Length: ${bytes}`];
    connection.write(head(line, ...lines, "Expect: 100-continue"));
    // Node says so when it hands the request over.
    assert.is((await inTime(connection.answer(), line))?.status, 100);
    connection.write('{"buckets":{');
    stalled.push(connection);
  }
  return stalled;
}

/** Requests that stall: those that there is room for, and one in line behind them. */
interface Stalling {
  readonly line: string;
  readonly bytes: number;
  readonly count: number;
  /** How long one may stand in line. */
  readonly waitMillis: number;
}

/**
 * Sends a request behind others that stall. It has to wait, beats have to pass meanwhile, and when its time is up it has
 * to be refused; when the others are gone it has to be served.
 */
function waitsBehind({ line, bytes, count, waitMillis }: Stalling, sent: string): Promise<void> {
  return withServer({ buckets: ["b"] }, async ({ port, send }) => {
    const other = sender(port);
    const ask = () => other.send("POST", line.replace("POST ", ""), sent);
    const stalled: RawConnection[] = [];
    try {
      await withHeldTimers(waitMillis, async (timers) => {
        stalled.push(...(await stalledAt(port, line, bytes, count)));
        await timers.untilSet(1, () => false);
        let isAnswered = false;
        const answer = ask().finally(() => (isAnswered = true));
        await timers.untilSet(2, () => isAnswered);
        for (let minute = 0; minute < 5; minute++) {
          const beat = send("POST", "/api/0/buckets/b/heartbeat?pulsetime=1", event(minute));
          json(await inTime(beat, "a beat meanwhile", 25));
        }
        assert.not(isAnswered, "it does not wait");
        timers.goOff();
        const refused = await inTime(answer, "the refusal", 25);
        refusal(refused, 503);
        assert.is(refused.headers["retry-after"], "5");
      });
      for (const { socket } of stalled) socket.destroy();
      json(await inTime(ask(), "the same again"));
    } finally {
      for (const { socket } of stalled) socket.destroy();
      other.close();
    }
  });
}

test("a large body behind others that stall waits, is refused with 503, and holds up no beats", () => {
  const events = JSON.stringify([event(100)]).padEnd(3 * MIB);
  const stalling = { line: "POST /api/0/buckets/b/events", bytes: 31 * MIB, count: 3, waitMillis: 20_000 };
  return waitsBehind(stalling, events);
});

test("an import behind others that stall waits, is refused with 503, and holds up no beats", () => {
  const document = JSON.stringify({ buckets: { imported: { ...BUCKET, events: [event(0)] } } });
  return waitsBehind({ line: "POST /api/0/import", bytes: 1_000_000, count: 5, waitMillis: 30_000 }, document);
});

test("imports that stall hold up others only until their clients are gone", () =>
  withServer({}, async ({ port, send }) => {
    const stalled = await stalledAt(port, "POST /api/0/import", 1_000_000, 4);
    const document = { buckets: { imported: { ...BUCKET, events: [event(0)] } } };
    const answer = send("POST", "/api/0/import", document);
    for (const { socket } of stalled) socket.destroy();
    json(await inTime(answer, "the import"));
  }));

test("imports that come slowly make room for one that waits", () =>
  withServer({}, async ({ port, send }) => {
    const { now } = performance;
    const stalled = await stalledAt(port, "POST /api/0/import", 1_000_000, 4);
    const answers = Promise.all(stalled.map((connection) => connection.answer()));
    // The five seconds for which their pace is looked at.
    performance.now = () => now.call(performance) * 1000;
    try {
      const document = { buckets: { imported: { ...BUCKET, events: [event(0)] } } };
      json(await inTime(send("POST", "/api/0/import", document), "the import"));
      assert.equal(new Set((await inTime(answers, "the others")).map((answer) => answer?.status)), new Set([503]));
      for (const { write } of stalled) write(" ");
      json(await inTime(send("POST", "/api/0/import", document), "another one"));
    } finally {
      performance.now = now;
      for (const { socket } of stalled) socket.destroy();
    }
  }));

test("eight requests over whole buckets are carried out at a time, the others wait, and heartbeats do not", async () => {
  const inner = memory();
  await fill(inner, "b", 10);
  const gate = door();
  const storage = watched(inner, { beforeBatch: () => gate.opened });
  await withServer({ storage }, async ({ port, send }) => {
    const clients = Array.from({ length: 12 }, () => sender(port));
    const deletion = { start: "1970-01-01T00:00:00Z", preview: true };
    const asked = clients.map((client, index) =>
      index < 5
        ? client.send("GET", `/api/0/buckets/b/timeline?bins=${index + 1}`)
        : client.send("POST", "/api/0/buckets/b/events/delete", deletion),
    );
    await until(() => storage.reads.begun === 8, "eight are carried out");
    const beat = await send("POST", "/api/0/buckets/b/heartbeat?pulsetime=5", event(0));
    assert.is(beat.status, 200);
    assert.is(storage.reads.begun, 8);
    gate.open();
    assert.equal(new Set((await Promise.all(asked)).map(({ status }) => status)), new Set([200]));
    assert.is(storage.reads.begun, 12);
    for (const client of clients) client.close();
  });
});

test("requests over whole buckets whose bodies stall do not keep others out", () =>
  withServer({ buckets: ["b"] }, async ({ port, send }) => {
    const stalled = await stalledAt(port, "POST /api/0/buckets/b/events/delete", 1000, 8);
    try {
      json(await inTime(send("GET", "/api/0/buckets/b/timeline?bins=1"), "a timeline", 10));
    } finally {
      for (const { socket } of stalled) socket.destroy();
    }
  }));

test.run();
