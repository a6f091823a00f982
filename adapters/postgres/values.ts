import type { JsonValue } from "../../src/domain/json.js";
import type { RecordStore } from "../../src/storage/records.js";
import type { SettingsStore } from "../../src/storage/storage.js";
import type { StorageContext } from "./context.js";
import type { RunRead } from "./database.js";
import { hashOf, jsonHash, readableCopy, toStorable } from "./encoding.js";
import type { Row } from "./pool.js";

const SETTING = 'select value_text from :"schema".settings where namespace = $1 and key_hash = $2';
const SETTINGS = 'select key_text, value_text from :"schema".settings where namespace = $1';
const RECORD = 'select value_text from :"schema".records where namespace = $1 and kind_hash = $2 and key_hash = $3';
const RECORDS = 'select key_text, value_text from :"schema".records where namespace = $1 and kind_hash = $2';

/** Settings, and the server's records. Writes to one key keep their order. */
export function valueMethods({ database, namespace, writer, queue }: StorageContext): {
  readonly settings: SettingsStore;
  records(kind: string): RecordStore;
} {
  async function readAll(statement: string, hashes: readonly string[]): Promise<Map<string, JsonValue>> {
    const entries = ([key, value]: Row): [string, JsonValue] => [
      JSON.parse(key as string) as string,
      JSON.parse(value as string) as JsonValue,
    ];
    return new Map((await database.read(statement, [namespace, ...hashes])).map(entries));
  }

  /** Writes a key, after earlier writes to it. */
  async function write(key: string, name: string, args: readonly unknown[]): Promise<boolean> {
    database.assertOpen();
    return (await queue.run(key, () => writer.write(name, args))) === true;
  }

  const settings: SettingsStore = {
    get: async (key) => readValue(database.read, SETTING, [namespace, hashOf(key)]),
    list: async () => readAll(SETTINGS, []),
    async put(key, value) {
      const text = JSON.stringify(value);
      const args = [hashOf(key), JSON.stringify(key), text, toStorable(key), readableCopy(text) ?? text];
      await write(`setting ${key}`, "put_setting", args);
    },
    delete: async (key) => write(`setting ${key}`, "delete_setting", [hashOf(key)]),
  };

  function records(kind: string): RecordStore {
    const kindHash = hashOf(kind);
    return {
      get: async (key) => readRecord(database.read, namespace, kind, key),
      list: async () => readAll(RECORDS, [kindHash]),
      async compareAndSet(key, expected, value) {
        const args = setRecordArguments(kind, key, expected, value);
        return write(`record ${JSON.stringify([kind, key])}`, "set_record", args);
      },
    };
  }

  return { settings, records };
}

/** One record. @param ask may use the connection of a transaction */
export function readRecord(ask: RunRead, namespace: string, kind: string, key: string): Promise<JsonValue | undefined> {
  return readValue(ask, RECORD, [namespace, hashOf(kind), hashOf(key)]);
}

async function readValue(ask: RunRead, statement: string, values: readonly string[]): Promise<JsonValue | undefined> {
  const [row] = await ask(statement, values);
  return row === undefined ? undefined : (JSON.parse(row[0] as string) as JsonValue);
}

/** The arguments of `set_record`. */
export function setRecordArguments(
  kind: string,
  key: string,
  expected: JsonValue | undefined,
  value: JsonValue | undefined,
): unknown[] {
  const [wanted, hash] = [expected, value].map((each) => (each === undefined ? null : jsonHash(each)));
  const texts = [JSON.stringify(kind), JSON.stringify(key)];
  const text = value === undefined ? null : JSON.stringify(value);
  return [hashOf(kind), hashOf(key), ...texts, wanted, hash, text];
}
