import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type CommitQueue, createCommitQueue } from "../../adapters/leveldb/commit.js";
import type { Operation } from "../../adapters/leveldb/database.js";
import { intOf, randomOf } from "../contract/case.js";

const test = suite("leveldb commit");

function put(key: string, value = ""): Operation {
  return { type: "put", key, value, valueEncoding: "utf8" };
}

function del(key: string): Operation {
  return { type: "del", key };
}

/** A batch as it reached the database, which does not answer before it is told to. */
interface Write {
  readonly operations: readonly Operation[];
  land(): Promise<void>;
  fail(cause: unknown): Promise<void>;
}

interface Bench {
  readonly queue: CommitQueue;
  readonly writes: Write[];
  /** What callers heard, and when the queue told of a failure. */
  readonly log: string[];
  commit(name: string, ...operations: readonly Operation[]): Promise<void>;
}

/** The keys of each batch. */
function keysOf(writes: readonly Write[]): string[] {
  return writes.map(({ operations }) => operations.map(({ key }) => key).join());
}

/** Lets everything run that waits for promises only. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Notes how a promise settles. */
function noted(log: string[], name: string, promise: Promise<void>): Promise<void> {
  return promise.then(
    () => void log.push(`${name} landed`),
    (cause: unknown) => void log.push(`${name} rejected: ${cause}`),
  );
}

function benchOf(onFailure: (cause: unknown) => void = () => undefined): Bench {
  const writes: Write[] = [];
  const log: string[] = [];
  const write = (operations: readonly Operation[]): Promise<void> =>
    new Promise((resolve, reject) => {
      writes.push({
        operations,
        land() {
          resolve();
          return turn();
        },
        fail(cause) {
          reject(cause);
          return turn();
        },
      });
    });
  const queue = createCommitQueue(write, (cause) => {
    log.push(`failed: ${cause}`);
    onFailure(cause);
  });
  return {
    queue,
    writes,
    log,
    commit: (name, ...operations) => noted(log, name, queue.commit(operations)),
  };
}

test("the first commit is written at once", () => {
  const { writes, commit } = benchOf();
  void commit("first", put("a", "1"), del("b"));
  assert.equal(
    writes.map(({ operations }) => operations),
    [[put("a", "1"), del("b")]],
  );
});

test("what arrives while a batch is under way is written together, when that one has landed", async () => {
  const { writes, log, commit } = benchOf();
  void commit("first", put("a"));
  void commit("second", put("b"), del("c"));
  void commit("third", put("d"));
  await turn();
  assert.equal([keysOf(writes), log], [["a"], []]);
  await writes[0]?.land();
  assert.equal([keysOf(writes), log], [["a", "b,c,d"], ["first landed"]]);
  await writes[1]?.land();
  assert.equal(log, ["first landed", "second landed", "third landed"]);
});

test("of several operations on one key the last is written", async () => {
  const { writes, commit } = benchOf();
  void commit("first", put("a", "1"), put("a", "2"));
  void commit("second", put("b", "1"), put("c", "1"));
  void commit("third", del("b"), put("d"));
  void commit("fourth", put("c", "2"), put("b", "2"), del("d"));
  await writes[0]?.land();
  const batches = writes.map(({ operations }) => [...operations].sort((a, b) => (a.key < b.key ? -1 : 1)));
  assert.equal(batches, [[put("a", "2")], [put("b", "2"), put("c", "2"), del("d")]]);
});

test("a commit made in answer to another is written in its turn", async () => {
  const { writes, log, commit } = benchOf();
  void commit("first", put("a")).then(() => commit("second", put("b")));
  await writes[0]?.land();
  assert.equal([keysOf(writes), log], [["a", "b"], ["first landed"]]);
  await writes[1]?.land();
  assert.is(log.at(-1), "second landed");
});

test("a batch that fails is reported once, before anybody hears of it, and takes along what waited", async () => {
  const { writes, log, commit } = benchOf();
  void commit("first", put("a"));
  void commit("second", put("b"));
  void commit("third", put("c"));
  await writes[0]?.fail("full");
  assert.equal(log, ["failed: full", "first rejected: full", "second rejected: full", "third rejected: full"]);
  assert.equal(keysOf(writes), ["a"]);
});

test("a commit behind a failure is written like any other", async () => {
  const { writes, log, commit } = benchOf();
  void commit("first", put("a"));
  await writes[0]?.fail("no");
  void commit("second", put("b"));
  void commit("third", put("c"));
  await writes[1]?.land();
  await writes[2]?.land();
  assert.equal(log, ["failed: no", "first rejected: no", "second landed", "third landed"]);
  assert.equal(keysOf(writes), ["a", "b", "c"]);
});

test("a failure of a later batch leaves the earlier ones landed", async () => {
  const { writes, log, commit } = benchOf();
  void commit("first", put("a"));
  void commit("second", put("b"));
  await writes[0]?.land();
  void commit("third", put("c"));
  await writes[1]?.fail("no");
  assert.equal(log, ["first landed", "failed: no", "second rejected: no", "third rejected: no"]);
  assert.equal(keysOf(writes), ["a", "b"]);
});

test("what is committed in answer to the failure is kept, and written", async () => {
  let again: Promise<void> | undefined;
  const bench = benchOf(() => {
    again ??= bench.commit("again", put("x"));
  });
  void bench.commit("first", put("a"));
  void bench.commit("second", put("b"));
  await bench.writes[0]?.fail("no");
  assert.equal(keysOf(bench.writes), ["a", "x"]);
  await bench.writes[1]?.land();
  await again;
  assert.equal(bench.log, ["failed: no", "first rejected: no", "second rejected: no", "again landed"]);
});

test("nobody needs to listen to a commit that fails", async () => {
  const { queue, writes } = benchOf();
  // An unhandled rejection would end this process.
  void queue.commit([put("a")]);
  void queue.commit([put("b")]);
  void queue.landedSoFar();
  await writes[0]?.fail(new Error("no"));
  await queue.idle();
});

test("what landed so far waits for all that was handed over, and for nothing later", async () => {
  const { queue, writes, log } = benchOf();
  await queue.landedSoFar();
  void queue.commit([put("a")]);
  void noted(log, "in flight", queue.landedSoFar());
  void queue.commit([put("b")]);
  void noted(log, "waiting", queue.landedSoFar());
  await writes[0]?.land();
  void queue.commit([put("c")]);
  void noted(log, "waiting again", queue.landedSoFar());
  assert.equal([keysOf(writes), log], [["a", "b"], ["in flight landed"]]);
  await writes[1]?.land();
  assert.equal([keysOf(writes), log.slice(1)], [["a", "b", "c"], ["waiting landed"]]);
  await writes[2]?.land();
  assert.equal(log.slice(2), ["waiting again landed"]);
  await queue.landedSoFar();
});

test("what landed so far rejects with its batch", async () => {
  const { queue, writes, log } = benchOf();
  void queue.commit([put("a")]);
  void noted(log, "in flight", queue.landedSoFar());
  void queue.commit([put("b")]);
  void noted(log, "waiting", queue.landedSoFar());
  await writes[0]?.fail("no");
  assert.equal(log, ["failed: no", "in flight rejected: no", "waiting rejected: no"]);
  await queue.landedSoFar();
});

test("idle means that nothing is left to be written, and a failure is no reason to reject", async () => {
  const { queue, writes, log, commit } = benchOf();
  await queue.idle();
  void commit("first", put("a"));
  void noted(log, "idle", queue.idle());
  void commit("second", put("b"));
  await writes[0]?.land();
  void commit("third", put("c"));
  await writes[1]?.land();
  assert.not(log.includes("idle landed"));
  await writes[2]?.fail("no");
  assert.is(log.at(-1), "idle landed");
  void commit("fourth", put("d"));
  void noted(log, "idle again", queue.idle());
  await writes[3]?.land();
  assert.is(log.at(-1), "idle again landed");
});

test("idle also waits for what is committed in answer to a landing", async () => {
  const { queue, writes, log } = benchOf();
  void queue.commit([put("a")]).then(() => void queue.commit([put("b")]));
  void noted(log, "idle", queue.idle());
  await writes[0]?.land();
  assert.equal([keysOf(writes), log], [["a", "b"], []]);
  await writes[1]?.land();
  assert.equal(log, ["idle landed"]);
});

test("an empty commit lands like any other, behind those before it", async () => {
  const { writes, log, commit } = benchOf();
  void commit("first", put("a"));
  void commit("second");
  await writes[0]?.land();
  assert.equal(log, ["first landed"]);
  await writes[1]?.land();
  assert.equal(log, ["first landed", "second landed"]);
});

test("random commits leave a database as if each had been written alone, and failed ones leave nothing", async () => {
  for (let seed = 1; seed <= 30; seed++) await playRandom(randomOf(seed));
});

async function playRandom(random: () => number): Promise<void> {
  const database = new Map<string, string>();
  /** What callers see: every change at once, and after a failure what the database holds. */
  let memory = new Map<string, string>();
  let underWay = 0;
  const counts = { landed: 0, rejected: 0 };
  async function write(operations: readonly Operation[]): Promise<void> {
    underWay++;
    assert.is(underWay, 1, "one batch at a time");
    const fails = random() < 0.1;
    for (let turns = intOf(random, 0, 2); turns > 0; turns--) await turn();
    underWay--;
    if (fails) throw new Error("no");
    for (const operation of operations) applyTo(database, operation);
  }
  const queue = createCommitQueue(write, () => {
    memory = new Map(database);
  });
  const landings: Promise<unknown>[] = [];
  for (let step = 0; step < 150; step++) {
    // The key of its own tells at the landing whether the batch was really written.
    const mark = `mark ${step}`;
    const operations = Array.from({ length: intOf(random, 1, 4) }, (_, index) => {
      const key = `k${intOf(random, 0, 9)}`;
      return random() < 0.3 ? del(key) : put(key, `${step}.${index}`);
    });
    for (const operation of [...operations, put(mark)]) applyTo(memory, operation);
    const landing = queue.commit([...operations, put(mark)]).then(
      () => {
        counts.landed++;
        assert.ok(database.has(mark), "landed, but not written");
      },
      () => {
        counts.rejected++;
        assert.not(database.has(mark), "rejected, but written");
      },
    );
    landings.push(landing);
    if (random() < 0.3) await turn();
  }
  await queue.idle();
  await Promise.all(landings);
  assert.equal(database, memory);
  assert.is(counts.landed + counts.rejected, 150);
}

function applyTo(database: Map<string, string>, operation: Operation): void {
  if (operation.type === "del") database.delete(operation.key);
  else database.set(operation.key, String(operation.value));
}

test.run();
