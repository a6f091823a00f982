import type { JsonValue } from "../../src/domain/json.js";
import { isExpected, type RecordStore } from "../../src/storage/records.js";
import type { SettingsStore } from "../../src/storage/storage.js";
import type { Engine } from "./engine.js";
import { recordKey, recordPrefix, SETTING_PREFIX, settingKey } from "./keys.js";
import { recordLine } from "./log-codec.js";
import { withReserve } from "./with-reserve.js";

/** Changes and lists settings and private records. They are few and small, so all of them are in memory. */
class Values {
  protected readonly engine: Engine;
  readonly #prefix: string;

  constructor(engine: Engine, prefix: string) {
    this.engine = engine;
    this.#prefix = prefix;
  }

  async list(): Promise<Map<string, JsonValue>> {
    this.engine.assertOpen();
    const found = new Map<string, JsonValue>();
    for (const [key, value] of this.engine.state.values) {
      if (key.startsWith(this.#prefix)) found.set(JSON.parse(key.slice(this.#prefix.length)) as string, value);
    }
    return found;
  }

  protected set(key: string, value: JsonValue | undefined): Promise<void> {
    const before = this.engine.state.values.get(key);
    const line = recordLine(key, value);
    this.#assign(key, value, line);
    return this.engine.log.append([line], () => this.#assign(key, before, recordLine(key, before)));
  }

  #assign(key: string, value: JsonValue | undefined, line: string): void {
    const { values, dirty } = this.engine.state;
    if (value === undefined) values.delete(key);
    else values.set(key, value);
    dirty.add(key, line);
  }
}

export class Settings extends Values implements SettingsStore {
  constructor(engine: Engine) {
    super(engine, SETTING_PREFIX);
  }

  async get(key: string): Promise<JsonValue | undefined> {
    this.engine.assertOpen();
    return this.engine.state.values.get(settingKey(key));
  }

  async put(key: string, value: JsonValue): Promise<void> {
    this.engine.assertWritable();
    await this.set(settingKey(key), value);
  }

  async delete(key: string): Promise<boolean> {
    const { engine } = this;
    engine.assertOpen();
    return withReserve(engine, async () => {
      const isThere = engine.state.values.has(settingKey(key));
      await (isThere ? this.set(settingKey(key), undefined) : engine.log.awaitDurable());
      return isThere;
    });
  }
}

/** The private records of one kind. */
export class Records extends Values implements RecordStore {
  readonly #kind: string;

  constructor(engine: Engine, kind: string) {
    super(engine, recordPrefix(kind));
    this.#kind = kind;
  }

  async get(key: string): Promise<JsonValue | undefined> {
    this.engine.assertOpen();
    return this.engine.state.values.get(recordKey(this.#kind, key));
  }

  async compareAndSet(key: string, expected: JsonValue | undefined, value: JsonValue | undefined): Promise<boolean> {
    this.engine.assertOpen();
    if (value === undefined) return withReserve(this.engine, () => this.#replace(key, expected, value));
    this.engine.assertWritable();
    return this.#replace(key, expected, value);
  }

  async #replace(name: string, expected: JsonValue | undefined, value: JsonValue | undefined): Promise<boolean> {
    const { engine } = this;
    const key = recordKey(this.#kind, name);
    const free = engine.awaitUnreserved(key);
    if (free !== undefined) {
      await free;
      engine.assertNotClosed();
    }
    const fits = isExpected(engine.state.values.get(key), expected);
    await (fits ? this.set(key, value) : engine.log.awaitDurable());
    return fits;
  }
}
