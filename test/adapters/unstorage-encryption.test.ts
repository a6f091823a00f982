// Encryption on drivers of unstorage: the same promises as in a folder.
import { randomBytes } from "node:crypto";
import { createStorage } from "unstorage";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type EncryptionOptions, encryptionKeyId, unstorage } from "../../adapters/unstorage/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { fromBase64 } from "../../src/util/base64.js";
import { bucketOf, draftOf } from "../contract/case.js";
import { fillWithSecrets, SECRETS, TELLTALES } from "./encrypted-desk.js";
import { refuses } from "./opening.js";

const test = suite("unstorage: encryption");

const [KEY, OTHER] = [randomBytes(32), randomBytes(32)];

type Instance = ReturnType<typeof createStorage>;

function open(storage: Instance, encryption?: EncryptionOptions): Storage {
  return unstorage({ storage, durability: "process-crash", ...(encryption && { encryption }) });
}

async function valuesIn(storage: Instance): Promise<Map<string, string>> {
  const keys = (await storage.getKeys()).sort();
  return new Map(await Promise.all(keys.map(async (key) => [key, String(await storage.getItem(key))] as const)));
}

/** All texts that stand in a value: as it is, and of everything in it that could be Base64. */
function textsOf(value: string): string[] {
  const parts = value.match(/[\w+/=]{16,}/g) ?? [];
  return [value, ...parts.map((part) => Buffer.from(part, "base64").toString("latin1"))];
}

async function found(storage: Instance): Promise<string[]> {
  const words = [...Object.values(SECRETS), ...TELLTALES];
  return [...(await valuesIn(storage))].flatMap(([key, value]) =>
    words
      .filter((word) => [key, ...textsOf(value)].some((text) => text.includes(word)))
      .map((word) => `${word}: ${key}`),
  );
}

test("no value and no key shows what is kept, while it is open, closed, and opened again", async () => {
  const plain = createStorage();
  const shown = open(plain);
  await fillWithSecrets(shown);
  assert.ok((await found(plain)).length > 20, "what is plain is found");
  await shown.close();
  const storage = createStorage();
  for (const round of [1, 2]) {
    const encrypted = open(storage, { key: KEY });
    if (round === 1) await fillWithSecrets(encrypted);
    await encrypted.settings.put("round", round);
    assert.equal(await found(storage), []);
    assert.is(await encrypted.countEvents(SECRETS.bucketId), 3_001);
    assert.equal((await encrypted.verify?.())?.problems, []);
    await encrypted.close();
    assert.equal(await found(storage), []);
  }
});

test("a wrong key, none, and one for plain data are refused; nothing changes, and a writer goes on", async () => {
  const storage = createStorage();
  const writer = open(storage, { key: KEY });
  await writer.createBucket(bucketOf("window"), [draftOf(1)]);
  const before = await valuesIn(storage);
  await refuses(open(storage), { code: "STORAGE_UNUSABLE", way: /is encrypted: pass its key/ });
  await refuses(open(storage, { key: OTHER }), { code: "STORAGE_UNUSABLE", way: /the key does not match/ });
  assert.equal(await valuesIn(storage), before);
  await writer.putEvents("window", [draftOf(2)]);
  await writer.close();
  const plain = createStorage();
  const first = open(plain);
  await first.createBucket(bucketOf("window"));
  await refuses(open(plain, { key: KEY }), { code: "STORAGE_UNUSABLE", way: /not encrypted, but a key was passed/ });
  await first.putEvents("window", [draftOf(1)]);
  await first.close();
});

test("another key with the one before it rotates", async () => {
  const storage = createStorage();
  const first = open(storage, { key: KEY });
  await first.createBucket(bucketOf("window"), [draftOf(1)]);
  await first.close();
  const keyProvider = (keyId?: string): Uint8Array | undefined =>
    keyId === undefined ? OTHER : keyId === encryptionKeyId(KEY) ? KEY : undefined;
  const rotated = open(storage, { keyProvider });
  assert.is(await rotated.countEvents("window"), 1);
  await rotated.close();
  await refuses(open(storage, { key: KEY }), { code: "STORAGE_UNUSABLE", way: /the key does not match/ });
  const last = open(storage, { key: OTHER });
  assert.is(await last.countEvents("window"), 1);
  await last.close();
});

test("a changed segment is damage, whatever checksum the value around it has", async () => {
  const storage = createStorage();
  const first = open(storage, { key: KEY });
  await first.createBucket(
    bucketOf("window"),
    Array.from({ length: 2_000 }, (_, index) => draftOf(index, 1)),
  );
  await first.close();
  const [name = ""] = (await storage.getKeys()).filter((key) => key.includes(":segment-"));
  const [, body = ""] = /^activity \w+ \w+ (.*)$/s.exec(String(await storage.getItem(name))) ?? [];
  const bytes = fromBase64(body);
  bytes[100] = (bytes[100] as number) ^ 1;
  const { wrap } = await import("../../adapters/unstorage/blob-store.js");
  await storage.setItem(name, wrap(name.replace("activity:", ""), Buffer.from(bytes).toString("base64")));
  const again = open(storage, { key: KEY });
  const problems = (await again.verify?.())?.problems ?? [];
  assert.is(problems.length, 1);
  assert.match(problems[0]?.message ?? "", /events of bucket 'window' .* are damaged/);
  await again.close();
});

test("a runtime without Node's crypto is told so at once", () => {
  const { getBuiltinModule } = process;
  try {
    Object.assign(process, { getBuiltinModule: undefined });
    assert.throws(() => open(createStorage(), { key: KEY }), /encryption needs Node's module crypto/);
  } finally {
    Object.assign(process, { getBuiltinModule });
  }
});

test.run();
