// The floors of bench/inside/index.mjs: the least that the same work can cost, by the same names as in ours.mjs.
import { ClassicLevel } from "classic-level";

const BATCH = 1000;

export async function openFloor(kind, folder) {
  if (kind === "postgres-floor") return openUpdates(folder);
  if (kind === "memory-floor") return new Floor(new PlainArray());
  const db = new ClassicLevel(folder, { keyEncoding: "utf8", valueEncoding: "utf8" });
  await db.open();
  return new Floor(new RawLevel(db));
}

/** One prepared UPDATE by primary key for each beat, over a pool as large as that of ours. */
async function openUpdates(connectionString) {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({ connectionString, max: 10 });
  await pool.query(`create table if not exists bench_floor (id integer primary key, duration bigint not null)
    with (fillfactor = 50)`);
  await pool.query("truncate bench_floor");
  await pool.query("insert into bench_floor select id, 0 from generate_series(0, 99) id");
  await pool.query("vacuum analyze bench_floor");
  const text = "update bench_floor set duration = $2 where id = $1";
  return {
    heartbeat() {
      let turn = 0;
      return { work: (caller) => pool.query({ name: "beat", text, values: [caller, turn++] }).then(() => 0) };
    },
    close: () => pool.end(),
  };
}

class Floor {
  #bodies = [];
  #file = Buffer.alloc(0);
  /** The loaded events as they would be written, one JSON text each, in slices. */
  #slices = [];
  #answers = new Map();
  /** Number of the next new event; those below stand for buckets that are written again and again. */
  #next = 1000;
  #state;

  constructor(state) {
    this.#state = state;
  }

  load({ events = [], bodies = [], file = this.#file, answers = new Map() }) {
    const texts = events.map((event, index) => JSON.stringify({ id: index + 1, ...event }));
    this.#slices = Array.from({ length: Math.ceil(texts.length / BATCH) }, (_, index) =>
      texts.slice(index * BATCH, (index + 1) * BATCH),
    );
    this.#bodies = bodies;
    this.#file = file;
    this.#answers = new Map(Array.from(answers, ([path, bytes]) => [path, JSON.parse(bytes.toString())]));
  }

  heartbeat({ kind, buckets, data, firstSeconds }) {
    const texts = data.map((value, id) =>
      JSON.stringify({ id, timestamp: firstSeconds * 1e6, duration: 60_000_000, data: value }),
    );
    let turn = 0;
    const work = (caller) => {
      const at = kind === "buckets" ? turn % buckets : caller;
      const isNew = kind === "insert";
      const text = texts[isNew ? turn % texts.length : at];
      turn++;
      return this.#state.put(isNew ? this.#next++ : at, text);
    };
    return { work, end: () => this.#state.clear() };
  }

  putEvents() {
    return this.#inSlices(() => {});
  }

  insert() {
    return this.#inSlices((at) => JSON.parse(this.#bodies[at].toString()));
  }

  read({ paths }) {
    let turn = 0;
    const values = paths.map((path) => this.#answers.get(path));
    return { work: async () => Buffer.byteLength(JSON.stringify(values[turn++ % values.length])) };
  }

  stream({ path }) {
    return this.read({ paths: [path] });
  }

  importFile() {
    const work = async () => {
      JSON.parse(this.#file.toString());
      for (const slice of this.#slices) await this.#append(slice);
    };
    return { work, end: () => this.#state.clear() };
  }

  close() {
    return this.#state.close();
  }

  /** The loaded slices, over and over, each time as new events. */
  #inSlices(parse) {
    let turn = 0;
    const work = async () => {
      const at = turn++ % this.#slices.length;
      parse(at);
      await this.#append(this.#slices[at]);
    };
    return { work, end: () => this.#state.clear() };
  }

  #append(slice) {
    this.#next += slice.length;
    return this.#state.append(slice, this.#next - slice.length);
  }
}

/** Puts of the bytes and nothing else; what arrives while a batch is written goes into the next one. */
class RawLevel {
  #db;
  #waiting = [];
  #writing = false;

  constructor(db) {
    this.#db = db;
  }

  put(number, value) {
    return new Promise((resolve) => {
      this.#waiting.push({ operation: { type: "put", key: keyOf(number), value }, resolve });
      if (!this.#writing) this.#write();
    });
  }

  append(values, from) {
    return this.#db.batch(values.map((value, index) => ({ type: "put", key: keyOf(from + index), value })));
  }

  /** What was written stays: deleting it would keep LevelDB busy during the next row. */
  clear() {}

  close() {
    return this.#db.close();
  }

  async #write() {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#db.batch(batch.map((put) => put.operation));
      for (const put of batch) put.resolve();
    }
    this.#writing = false;
  }
}

function keyOf(number) {
  return `e!0001!${String(number).padStart(12, "0")}`;
}

/** An array, and a map by id. */
class PlainArray {
  #list = [];
  #byId = new Map();

  async put(number, value) {
    this.#place(number, value);
  }

  async append(values, from) {
    for (const [index, value] of values.entries()) this.#place(from + index, value);
  }

  clear() {
    this.#list = [];
    this.#byId = new Map();
  }

  close() {}

  #place(number, value) {
    const entry = { number, value };
    if (!this.#byId.has(number)) this.#list.push(entry);
    this.#byId.set(number, entry);
  }
}
