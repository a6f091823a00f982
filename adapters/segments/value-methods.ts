import type { JsonValue } from "../../src/domain/json.js";
import { isExpected, type RecordStore } from "../../src/storage/records.js";
import type { SettingsStore } from "../../src/storage/storage.js";
import type { Engine } from "./engine.js";
import { recordKey, recordPrefix, SETTING_PREFIX, settingKey } from "./keys.js";
import { recordLine } from "./log-codec.js";
import { withReserve } from "./with-reserve.js";

/** Settings and private records. They are few and small, so all of them are in memory. */
export function valueMethods(engine: Engine): {
  readonly settings: SettingsStore;
  records(kind: string): RecordStore;
} {
  const { values, dirty } = engine.state;

  function set(key: string, value: JsonValue | undefined): Promise<void> {
    const before = values.get(key);
    const line = recordLine(key, value);
    assign(key, value, line);
    return engine.log.append([line], () => assign(key, before, recordLine(key, before)));
  }

  function assign(key: string, value: JsonValue | undefined, line: string): void {
    if (value === undefined) values.delete(key);
    else values.set(key, value);
    dirty.add(key, line);
  }

  function listByPrefix(prefix: string): Map<string, JsonValue> {
    const found = new Map<string, JsonValue>();
    for (const [key, value] of values) {
      if (key.startsWith(prefix)) found.set(JSON.parse(key.slice(prefix.length)) as string, value);
    }
    return found;
  }

  async function replace(key: string, expected: JsonValue | undefined, value: JsonValue | undefined): Promise<boolean> {
    const free = engine.awaitUnreserved(key);
    if (free !== undefined) {
      await free;
      engine.assertNotClosed();
    }
    const fits = isExpected(values.get(key), expected);
    await (fits ? set(key, value) : engine.log.awaitDurable());
    return fits;
  }

  return {
    settings: {
      async get(key) {
        engine.assertOpen();
        return values.get(settingKey(key));
      },
      async list() {
        engine.assertOpen();
        return listByPrefix(SETTING_PREFIX);
      },
      async put(key, value) {
        engine.assertWritable();
        await set(settingKey(key), value);
      },
      async delete(key) {
        engine.assertOpen();
        return withReserve(engine, async () => {
          const isThere = values.has(settingKey(key));
          await (isThere ? set(settingKey(key), undefined) : engine.log.awaitDurable());
          return isThere;
        });
      },
    },

    records(kind) {
      const prefix = recordPrefix(kind);
      const keyOf = (key: string): string => recordKey(kind, key);
      return {
        async get(key) {
          engine.assertOpen();
          return values.get(keyOf(key));
        },
        async list() {
          engine.assertOpen();
          return listByPrefix(prefix);
        },
        async compareAndSet(key, expected, value) {
          engine.assertOpen();
          if (value === undefined) return withReserve(engine, () => replace(keyOf(key), expected, value));
          engine.assertWritable();
          return replace(keyOf(key), expected, value);
        },
      };
    },
  };
}
