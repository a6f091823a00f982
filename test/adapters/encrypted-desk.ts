import { leveldb } from "../../adapters/leveldb/index.js";
import type { Storage } from "../../src/storage/storage.js";

/** Words that stand nowhere else, one for each kind of thing that somebody could look for. */
export const SECRETS = {
  bucketId: "window-of-quokka",
  renamedId: "window-of-axolotl",
  type: "type-of-narwhal",
  client: "client-of-okapi",
  hostname: "desk-of-tapir",
  name: "name-of-civet",
  bucketData: "note-of-dugong",
  app: "app-of-gharial",
  title: "title-of-kakapo",
  unicode: "Straße-der-Ameisenbären",
  settingKey: "setting-of-numbat",
  settingValue: "value-of-pangolin",
  recordKind: "kind-of-saiga",
  recordKey: "key-of-zorilla",
  recordValue: "record-of-fossa",
  deleted: "deleted-of-bilby",
} as const;

/** What stands beside them in texts that are kept. */
export const TELLTALES: readonly string[] = ['"timestamp"', '"duration"', '"hostname"', '["P",', '["N",', '"theme"'];

/** Fills a storage with something of each kind: in the log, in segments, in records, and deleted again. */
export async function fillWithSecrets(storage: Storage): Promise<void> {
  const { bucketId, type, client, hostname, name, bucketData } = SECRETS;
  const bucket = { id: bucketId, type, client, hostname, created: 1_000_000, name, data: { note: bucketData } };
  await storage.createBucket(bucket);
  const data = { app: SECRETS.app, title: SECRETS.title, place: SECRETS.unicode };
  const drafts = Array.from({ length: 3_000 }, (_, index) => ({
    timestamp: index * 10_000_000,
    duration: 5_000_000,
    data: index % 3 === 0 ? data : { ...data, index },
  }));
  await storage.putEvents(bucketId, drafts);
  for (let beat = 0; beat < 20; beat++) {
    await storage.heartbeat(bucketId, { timestamp: 40_000_000_000 + beat * 1_000_000, duration: 0, data }, 5_000_000);
  }
  await storage.createBucket({ ...bucket, id: SECRETS.deleted }, drafts);
  await storage.deleteBucket(SECRETS.deleted);
  await storage.settings.put(SECRETS.settingKey, { theme: SECRETS.settingValue });
  await storage.settings.put("other", SECRETS.deleted);
  await storage.settings.delete("other");
  const records = storage.records(SECRETS.recordKind);
  await records.compareAndSet(SECRETS.recordKey, undefined, { text: SECRETS.recordValue });
  await storage.updateBucket(bucketId, { name: SECRETS.renamedId });
}

// As a program: fills the folder given with the key given, says so, and waits to be killed.
if (process.env["ENCRYPTED_DESK"] === "1") {
  const storage = leveldb({ path: process.argv[2] as string, encryption: { key: process.argv[3] as string } });
  await fillWithSecrets(storage);
  process.stdout.write("filled\n");
  setInterval(() => undefined, 1_000);
}
