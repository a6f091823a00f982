// The log on a disk that fails, tears, and forgets what was not forced.
// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Wal } from "../../adapters/leveldb/wal.js";
import { silentLogger } from "../../src/logger.js";
import { intOf, randomOf } from "../contract/case.js";
import { sizeOf } from "../faults/sizes.js";
import { door } from "../http/storages.js";
import { type Fault, SimulatedFiles } from "./simulated-files.js";

const test = suite("write-ahead log");

type Mode = "process-crash" | "power-loss";

/** Of a disk that works; twice as many of one that fails. */
const SEEDS = sizeOf("LOG_SEEDS", { short: 60, long: 300 });
const FAULTS: readonly Fault[] = ["fails", "tears", "confirms nothing"];
/** Long enough that records and snapshots cross sectors. */
const PADDING = "x".repeat(150);

/** A log of numbers. A snapshot holds all those that count, each batch one more. */
class Play {
  readonly acknowledged: number[] = [];
  /** Refused, but the message said that they may be there after a restart. */
  readonly doubtful: Set<number> = new Set();
  files: SimulatedFiles;
  readonly #mode: Mode;
  #wal: Wal;
  #sequence = 0;
  #next = 1;
  #mustBegin = true;
  /** Up to where everything was forced. */
  forced = 0;

  constructor(files: SimulatedFiles, mode: Mode) {
    this.files = files;
    this.#mode = mode;
    this.#wal = this.#open();
  }

  #open(): Wal {
    const options = { folder: "/wal", damagedFolder: "/damaged", durability: this.#mode, flushMillis: 1e9 };
    const wal = new Wal({ ...options, files: this.files, logger: silentLogger });
    wal.onFailed = () => {
      this.#mustBegin = true;
    };
    return wal;
  }

  async append(): Promise<void> {
    const number = this.#next++;
    const sequence = this.#sequence + 1;
    const isNew = this.#mustBegin;
    const numbers = isNew ? [...this.acknowledged, number] : [number];
    const batch = { sequence, text: JSON.stringify([numbers, PADDING]) };
    try {
      await (isNew ? this.#wal.startFile(batch) : this.#wal.append(batch));
    } catch (thrown) {
      this.#mustBegin = true;
      if ((thrown as { mayBeStored?: boolean }).mayBeStored) this.doubtful.add(number);
      return;
    }
    this.#sequence = sequence;
    this.acknowledged.push(number);
    // A new log holds none of what was refused before.
    if (isNew) {
      this.doubtful.clear();
      this.forced = this.acknowledged.length;
    }
    if (this.#mode === "power-loss") this.forced = this.acknowledged.length;
    this.#mustBegin = false;
  }

  async force(): Promise<void> {
    const { length } = this.acknowledged;
    await this.#wal.force().then(
      () => {
        if (!this.#mustBegin) this.forced = Math.max(this.forced, length);
      },
      () => undefined,
    );
  }

  renew(): void {
    this.#mustBegin = true;
  }

  /** What another opening of some files finds. */
  read(files: SimulatedFiles): number[] {
    this.files = files;
    this.#wal = this.#open();
    const batches = this.#wal.read() ?? [];
    this.#sequence = Math.max(this.#sequence, batches.at(-1)?.sequence ?? 0);
    this.#mustBegin = true;
    return [...new Set(batches.flatMap(({ text }) => (JSON.parse(text) as [number[], string])[0]))];
  }

  get problems(): readonly unknown[] {
    return this.#wal.problems;
  }

  /** Goes on from what was found. */
  accept(found: readonly number[]): void {
    this.acknowledged.splice(0, this.acknowledged.length, ...found);
    this.doubtful.clear();
    this.forced = found.length;
  }
}

async function play(mode: Mode, seed: number, faultRate: number): Promise<void> {
  const random = randomOf(seed);
  const game = new Play(new SimulatedFiles(random), mode);
  for (let round = 0; round < 6; round++) {
    game.files.fault = () =>
      random() < faultRate ? (FAULTS[intOf(random, 0, FAULTS.length - 1)] as Fault) : "nothing";
    for (let steps = intOf(random, 1, 25); steps > 0; steps--) {
      const kind = random();
      if (kind < 0.08) game.renew();
      else if (kind < 0.2) await game.force();
      else await game.append();
    }
    const isKill = random() < 0.4;
    const what = `${mode}, seed ${seed}, round ${round}, ${isKill ? "kill" : "power cut"}`;
    const { acknowledged, forced } = game;
    const expected = [...acknowledged];
    const doubtful = new Set(game.doubtful);
    const found = game.read(isKill ? game.files.afterKill() : game.files.afterPowerCut());
    const kept = isKill ? expected.length : forced;
    assert.equal(found.slice(0, kept), expected.slice(0, kept), `${what}: what was promised is there`);
    // Behind it come, without a gap, what was acknowledged and what may be there.
    const rest = found.slice(kept);
    const sure = rest.filter((number) => !doubtful.has(number));
    assert.equal(sure, expected.slice(kept, kept + sure.length), `${what}: and nothing that was refused`);
    game.accept(found);
  }
}

for (const mode of ["process-crash", "power-loss"] as const) {
  test(`${mode}: on a disk that works, kills and power cuts lose nothing that was promised`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) await play(mode, seed, 0);
  });

  test(`${mode}: on a disk that fails every now and then, too`, async () => {
    for (let seed = 1; seed <= 2 * SEEDS; seed++) await play(mode, seed, [0.02, 0.1, 0.4][seed % 3] as number);
  });
}

test("the salt of a file is new: a record of another file does not continue it", async () => {
  const random = randomOf(1);
  const files = new SimulatedFiles(random);
  const options = { folder: "/wal", damagedFolder: "/damaged", durability: "process-crash", flushMillis: 1e9 } as const;
  const write = async (texts: readonly string[]): Promise<Buffer> => {
    const wal = new Wal({ ...options, files, logger: silentLogger });
    await wal.startFile({ sequence: 1, text: "[]" });
    for (const [index, text] of texts.entries()) await wal.append({ sequence: 2 + index, text });
    const [name] = files.list("/wal");
    return files.readFile(`/wal/${name}`);
  };
  const older = await write(['["a"]', '["phantom"]']);
  const newer = await write(['["b"]']);
  // A power cut brings back, behind the new file's end, what the blocks held before.
  const mixed = new SimulatedFiles(random);
  const descriptor = mixed.open("/wal/00000009.wal");
  mixed.writeNow(descriptor, Buffer.concat([newer, older.subarray(newer.length)]), 0);
  const wal = new Wal({ ...options, files: mixed, logger: silentLogger });
  assert.equal(
    wal.read()?.map(({ text }) => text),
    ["[]", '["b"]'],
  );
});

test("a whole record behind damage is reported, and the file is set aside", async () => {
  const random = randomOf(2);
  const files = new SimulatedFiles(random);
  const options = { folder: "/wal", damagedFolder: "/damaged", durability: "power-loss", flushMillis: 1e9 } as const;
  const wal = new Wal({ ...options, files, logger: silentLogger });
  await wal.startFile({ sequence: 1, text: "[]" });
  for (let sequence = 2; sequence <= 5; sequence++) await wal.append({ sequence, text: `[${sequence}]` });
  const [name] = files.list("/wal") as [string];
  const bytes = files.readFile(`/wal/${name}`);
  // The second of the four records behind the snapshot.
  const at = bytes.indexOf("[3]");
  bytes[at + 1] = "9".charCodeAt(0);
  const damaged = new SimulatedFiles(random);
  damaged.writeNow(damaged.open(`/wal/${name}`), bytes, 0);
  const again = new Wal({ ...options, files: damaged, logger: silentLogger });
  assert.equal(
    again.read()?.map(({ text }) => text),
    ["[]", "[2]"],
  );
  assert.is(again.problems.length, 1);
  assert.match(again.problems[0]?.message ?? "", /3 records were dropped/);
  await again.startFile({ sequence: 6, text: "[]" });
  assert.equal(damaged.list("/damaged"), [name]);
});

test("a last record with a flipped bit is reported; one that is cut off is not", async () => {
  const random = randomOf(4);
  const files = new SimulatedFiles(random);
  const options = { folder: "/wal", damagedFolder: "/damaged", durability: "power-loss", flushMillis: 1e9 } as const;
  const wal = new Wal({ ...options, files, logger: silentLogger });
  await wal.startFile({ sequence: 1, text: "[]" });
  const [name] = files.list("/wal") as [string];
  const start = files.readFile(`/wal/${name}`).length;
  await wal.append({ sequence: 2, text: '["last"]' });
  const bytes = files.readFile(`/wal/${name}`);
  const problemsOf = (content: Buffer): number => {
    const found = new SimulatedFiles(random);
    found.writeNow(found.open(`/wal/${name}`), content, 0);
    const again = new Wal({ ...options, files: found, logger: silentLogger });
    assert.is(again.read()?.length, 1);
    return again.problems.length;
  };
  for (let bit = start * 8; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
    assert.is(problemsOf(changed), 1, `bit ${bit}`);
  }
  for (let length = start; length < bytes.length; length++) {
    assert.is(problemsOf(bytes.subarray(0, length)), 0, `cut at ${length}`);
    const zeroed = Buffer.concat([bytes.subarray(0, start), Buffer.alloc(length - start)]);
    assert.is(problemsOf(zeroed), 0, `${length - start} zeros`);
  }
});

test("a snapshot with a flipped bit is damage, never an older state", async () => {
  const random = randomOf(3);
  const files = new SimulatedFiles(random);
  const options = { folder: "/wal", damagedFolder: "/damaged", durability: "power-loss", flushMillis: 1e9 } as const;
  const wal = new Wal({ ...options, files, logger: silentLogger });
  await wal.startFile({ sequence: 1, text: '["old"]' });
  files.fault = (call) => (call === "remove" ? "fails" : "nothing");
  await wal.startFile({ sequence: 2, text: '["new"]' });
  assert.is(files.list("/wal").length, 2, "the old file could not be removed");
  const name = files.list("/wal").sort().at(-1) as string;
  const bytes = files.readFile(`/wal/${name}`);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const damaged = files.afterKill();
    await damaged.remove(`/wal/${name}`);
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
    damaged.writeNow(damaged.open(`/wal/${name}`), changed, 0);
    const again = new Wal({ ...options, files: damaged, logger: silentLogger });
    // The header alone is not needed to read the rest.
    if (bit < 32 * 8) assert.equal(again.read(), [{ sequence: 2, text: '["new"]' }]);
    else assert.throws(() => again.read(), /damaged/, `bit ${bit}`);
  }
});

test("a replaced file that takes long to remove delays no write, but closing", async () => {
  const files = new SimulatedFiles(randomOf(4));
  const gate = door();
  const remove = files.remove;
  files.remove = (file) => gate.opened.then(() => remove(file));
  const options = { folder: "/wal", damagedFolder: "/damaged", durability: "power-loss", flushMillis: 1e9 } as const;
  const wal = new Wal({ ...options, files, logger: silentLogger });
  await wal.startFile({ sequence: 1, text: '["old"]' });
  await wal.startFile({ sequence: 2, text: '["new"]' });
  await wal.append({ sequence: 3, text: '["more"]' });
  const closing = wal.close();
  assert.is(files.list("/wal").length, 2);
  gate.open();
  await closing;
  assert.is(files.list("/wal").length, 1);
});

test.run();
