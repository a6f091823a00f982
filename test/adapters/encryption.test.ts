// Encryption at rest: keys, their rotation, and what is refused before anything is changed.
// long: 300 s
import { randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { loadEngine } from "../../adapters/leveldb/engine.js";
import { FolderStore } from "../../adapters/leveldb/folder-store.js";
import { type EncryptionOptions, encryptionKeyId, leveldb, rotateKey } from "../../adapters/leveldb/index.js";
import { createKeySource } from "../../adapters/segments/encryption.js";
import { Opener, Sealer } from "../../adapters/segments/sealer.js";
import { type KeyGate, Vault } from "../../adapters/segments/vault.js";
import { ActivityError } from "../../src/errors.js";
import { silentLogger } from "../../src/logger.js";
import { restoreBackup } from "../../src/storage/backup.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { sizeOf } from "../faults/sizes.js";
import { listing, MOVING_FILES, withFolder } from "./folder.js";
import { opened, refuses } from "./opening.js";

const test = suite("encryption");

/** No multiple of eight: all bits of a byte have their turn. */
const EVERY_BIT = sizeOf("EVERY_KEY_BIT", { short: 111, long: 37 });

const [KEY, OTHER, THIRD] = [randomBytes(32), randomBytes(32), randomBytes(32)];

async function write(folder: string, encryption: EncryptionOptions | undefined, events = 2_000): Promise<void> {
  const storage = leveldb({ path: folder, ...(encryption && { encryption }) });
  await storage.createBucket(bucketOf("window"));
  await storage.putEvents(
    "window",
    Array.from({ length: events }, (_, index) => draftOf(index, 1)),
  );
  await storage.putEvents("window", [draftOf(events)]);
  await storage.settings.put("theme", { dark: true });
  await storage.close();
}

async function countIn(storage: Storage): Promise<number> {
  try {
    return (await read(storage, "window")).length;
  } finally {
    await storage.close();
  }
}

/** Demands that an opening is refused and changes nothing. */
async function refusesUntouched(
  folder: string,
  encryption: EncryptionOptions | undefined,
  way: RegExp,
  code: "STORAGE_UNUSABLE" | "STORAGE_CORRUPT" = "STORAGE_UNUSABLE",
): Promise<void> {
  const before = await listing(folder, MOVING_FILES);
  await refuses(leveldb({ path: folder, ...(encryption && { encryption }) }), { code, names: folder, way });
  assert.equal(await listing(folder, MOVING_FILES), before);
}

test("what was written comes back with the key, in whatever form it is given", () =>
  withFolder(async (folder) => {
    await write(folder, { key: KEY });
    const forms: EncryptionOptions[] = [
      { key: KEY },
      { key: KEY.toString("hex") },
      { key: KEY.toString("base64") },
      { key: `${KEY.toString("base64url")}\n` },
      { keyProvider: () => KEY },
      { keyProvider: async () => KEY.toString("hex") },
    ];
    for (const encryption of forms) assert.is(await countIn(await opened({ path: folder, encryption })), 2_001);
    const storage = leveldb({ path: folder, encryption: { key: KEY } });
    assert.equal(await storage.settings.list(), new Map([["theme", { dark: true }]]));
    assert.equal((await storage.verify()).problems, []);
    assert.is((await storage.health?.())?.encrypted, true);
    await storage.close();
  }));

const BAD_OPTIONS: readonly (readonly [options: unknown, message: RegExp])[] = [
  [{}, /must have either key or keyProvider/],
  [{ key: KEY, keyProvider: () => KEY }, /must have either key or keyProvider/],
  [{ key: randomBytes(16) }, /encryption\.key must be 32 bytes/],
  [{ key: "correct horse battery staple" }, /encryption\.key must be 32 bytes/],
  [{ key: KEY, previousKeys: ["no"] }, /encryption\.previousKeys\[0\] must be 32 bytes/],
  [{ key: KEY, previousKeys: KEY.toString("hex") }, /previousKeys must be a list/],
  [{ keyProvider: KEY }, /keyProvider must be a function/],
  [{ keyProvider: () => KEY, previousKeys: [KEY] }, /previousKeys can only be used with key/],
  [{ key: KEY, cipher: "none" }, /no option "cipher"/],
  ["secret", /encryption must be an object of options/],
];

test("options that cannot work are refused at once, and no message shows a key", () => {
  for (const [encryption, message] of BAD_OPTIONS) {
    try {
      leveldb({ path: "unused", encryption: encryption as EncryptionOptions });
      assert.unreachable(String(message));
    } catch (thrown) {
      assert.ok(thrown instanceof TypeError, String(thrown));
      assert.match(thrown.message, message);
      assert.not.match(thrown.message, /horse/);
    }
  }
});

test("without its key, and with another one, an encrypted folder is refused and left as it is", () =>
  withFolder(async (folder) => {
    await write(folder, { key: KEY });
    await refusesUntouched(folder, undefined, /is encrypted: pass its key .*--encryption-key-file/);
    await refusesUntouched(folder, { key: OTHER }, /the key does not match .*nothing was changed/);
    await refusesUntouched(folder, { key: OTHER, previousKeys: [THIRD] }, /the key does not match/);
    await refusesUntouched(folder, { keyProvider: () => OTHER }, /the key does not match/);
    await refusesUntouched(folder, { key: randomBytes(32) }, /the key does not match/);
    assert.is(await countIn(await opened({ path: folder, encryption: { key: KEY } })), 2_001);
  }));

test("a folder with plain data is refused when a key is given, and left as it is", () =>
  withFolder(async (folder) => {
    await write(folder, undefined);
    await refusesUntouched(folder, { key: KEY }, /not encrypted, but a key was passed: .*activity-server encrypt/);
    assert.is(await countIn(await opened({ path: folder })), 2_001);
  }));

test("a provider that fails, or has no key, is named and nothing is changed", () =>
  withFolder(async (folder) => {
    await write(folder, { key: KEY });
    const fails = (): never => {
      throw new Error("the vault is sealed");
    };
    const refusal = { code: "STORAGE_UNUSABLE" } as const;
    await refuses(leveldb({ path: folder, encryption: { keyProvider: fails } }), {
      ...refusal,
      way: /vault is sealed/,
    });
    const none = { keyProvider: () => undefined };
    await refuses(leveldb({ path: folder, encryption: none }), { ...refusal, way: /keyProvider returned none/ });
    await refuses(leveldb({ path: folder, encryption: { keyProvider: () => "short" } }), {
      ...refusal,
      way: /must be 32 bytes/,
    });
  }));

test("another key with the one before it rotates: from then on only the new one opens", () =>
  withFolder(async (folder) => {
    await write(folder, { key: KEY });
    assert.is(
      await countIn(await opened({ path: folder, encryption: { key: OTHER, previousKeys: [THIRD, KEY] } })),
      2_001,
    );
    await refusesUntouched(folder, { key: KEY }, /the key does not match/);
    assert.is(await countIn(await opened({ path: folder, encryption: { key: OTHER } })), 2_001);
    for (const file of ["KEYS", "KEYS.copy"]) {
      assert.ok((await fs.readFile(path.join(folder, file), "utf8")).includes(encryptionKeyId(OTHER)));
    }
  }));

test("a provider is asked for the key before by its id", () =>
  withFolder(async (folder) => {
    await write(folder, { key: KEY });
    const asked: (string | undefined)[] = [];
    const keyProvider = (keyId?: string): Uint8Array | undefined => {
      asked.push(keyId);
      return keyId === undefined ? OTHER : [KEY, THIRD].find((each) => encryptionKeyId(each) === keyId);
    };
    assert.is(await countIn(await opened({ path: folder, encryption: { keyProvider } })), 2_001);
    assert.equal(asked, [undefined, encryptionKeyId(KEY)]);
    assert.is(await countIn(await opened({ path: folder, encryption: { key: OTHER } })), 2_001);
  }));

test("a rotation that was cut off between the two copies of the keys leaves one that opens, and is finished", () =>
  withFolder(async (folder) => {
    await write(folder, { key: KEY });
    const before = await fs.readFile(path.join(folder, "KEYS"));
    await countIn(await opened({ path: folder, encryption: { key: OTHER, previousKeys: [KEY] } }));
    const after = await fs.readFile(path.join(folder, "KEYS"));
    await fs.writeFile(path.join(folder, "KEYS.copy"), before);
    assert.is(await countIn(await opened({ path: folder, encryption: { key: OTHER } })), 2_001);
    assert.equal(await fs.readFile(path.join(folder, "KEYS.copy")), after);
  }));

test("rotateKey that is cut off at any step leaves a folder that one of the two keys opens, and can be repeated", () =>
  withFolder(async (home) => {
    const folder = path.join(home, "data");
    await write(folder, { key: KEY }, 1);
    const files = ["KEYS", "KEYS.copy"].map((name) => path.join(folder, name)) as [string, string];
    const before = await fs.readFile(files[0]);
    const { keyId } = await rotateKey({ path: folder, key: KEY, newKey: OTHER });
    assert.is(keyId, encryptionKeyId(OTHER));
    const after = await fs.readFile(files[0]);
    assert.equal(await fs.readFile(files[1]), after, "both copies");
    // What stands in both files and in the one that is being written, and who opens it.
    const steps: readonly (readonly [Buffer, Buffer, string | undefined, Uint8Array])[] = [
      [before, before, "KEYS.new", KEY],
      [after, before, undefined, OTHER],
      [after, before, "KEYS.copy.new", OTHER],
      [after, after, undefined, OTHER],
    ];
    for (const [first, copy, partial, key] of steps) {
      await fs.writeFile(files[0], first);
      await fs.writeFile(files[1], copy);
      if (partial !== undefined) await fs.writeFile(path.join(folder, partial), after.subarray(0, 50));
      assert.is(await countIn(await opened({ path: folder, encryption: { key } })), 2);
      await rotateKey({ path: folder, key: KEY, newKey: OTHER });
      assert.is(await countIn(await opened({ path: folder, encryption: { key: OTHER } })), 2);
    }
  }));

test("rotateKey refuses what it cannot do and changes nothing", () =>
  withFolder(async (home) => {
    const [sealed, plain] = [path.join(home, "sealed"), path.join(home, "plain")];
    await write(sealed, { key: KEY }, 1);
    await write(plain, undefined, 1);
    const codeOf = (options: Parameters<typeof rotateKey>[0]): Promise<string> =>
      rotateKey(options).then(
        () => "done",
        (error) => error.code ?? error.name,
      );
    const before = await listing(home);
    assert.is(await codeOf({ path: sealed, key: OTHER, newKey: THIRD }), "STORAGE_UNUSABLE");
    assert.is(await codeOf({ path: plain, key: KEY, newKey: OTHER }), "STORAGE_UNUSABLE");
    assert.is(await codeOf({ path: path.join(home, "none"), key: KEY, newKey: OTHER }), "STORAGE_UNUSABLE");
    assert.is(await codeOf({ path: sealed, key: KEY, newKey: "short" }), "TypeError");
    assert.equal(await listing(home), before);
  }));

test("of two that make the same folder at once with other keys, the later one is refused, and takes no keys", () =>
  withFolder(async (home) => {
    const folder = path.join(home, "data");
    const vault = new Vault(createKeySource({ key: KEY }));
    const gate: KeyGate = {
      async pass(ring, place) {
        assert.ok(place.isNew);
        const later: unknown = await write(folder, { key: OTHER }, 1).catch((error: unknown) => error);
        assert.ok(ActivityError.is(later) && later.code === "STORAGE_LOCKED", String(later));
        return vault.pass(ring, place);
      },
    };
    const common = { folder, durability: "process-crash", flushMillis: 0, minFreeBytes: 0 } as const;
    const first = new FolderStore({ ...common, logger: silentLogger, engine: await loadEngine(), gate });
    await first.open();
    await first.close();
    await write(folder, { key: KEY }, 1);
    assert.is(await countIn(await opened({ path: folder, encryption: { key: KEY } })), 2);
  }));

test("a backup fills an encrypted storage from a plain one, and a plain one from an encrypted one", () =>
  withFolder(async (home) => {
    await write(path.join(home, "1"), undefined);
    const keys = [undefined, KEY, OTHER, undefined];
    for (const [index, key] of keys.entries()) {
      if (index === 0) continue;
      const from = keys[index - 1];
      const source = leveldb({ path: path.join(home, `${index}`), ...(from && { encryption: { key: from } }) });
      const target = leveldb({ path: path.join(home, `${index + 1}`), ...(key && { encryption: { key } }) });
      await restoreBackup(target, () => (source.backup as NonNullable<Storage["backup"]>)());
      await source.close();
      assert.is(await countIn(target), 2_001);
    }
  }));

test("each bit of the keys and of FORMAT may flip: the folder opens all the same, or says what is damaged", () =>
  withFolder(async (folder) => {
    await write(folder, { key: KEY }, 10);
    for (const file of ["KEYS", "KEYS.copy", "FORMAT"]) {
      const sound = await fs.readFile(path.join(folder, file));
      for (let bit = 0; bit < sound.length * 8; bit += EVERY_BIT) {
        const flipped = Buffer.from(sound);
        flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
        await fs.writeFile(path.join(folder, file), flipped);
        const storage = await opened({ path: folder, encryption: { key: KEY } });
        const { problems } = (await storage.health?.()) ?? { problems: [] };
        assert.is(problems.length, file === "FORMAT" ? 0 : 1, `${file}, bit ${bit}`);
        assert.is(await countIn(storage), 11);
      }
    }
    assert.is(await countIn(await opened({ path: folder, encryption: { key: KEY } })), 11);
  }));

test("without any whole copy of the keys the folder is damaged, with the key and without it", () =>
  withFolder(async (folder) => {
    await write(folder, { key: KEY }, 10);
    await fs.rm(path.join(folder, "KEYS.copy"));
    await fs.writeFile(path.join(folder, "KEYS"), "activity-server keys 1");
    for (const encryption of [{ key: KEY }, undefined]) {
      await refusesUntouched(folder, encryption, /keys are damaged or missing/, "STORAGE_CORRUPT");
    }
    await fs.rm(path.join(folder, "KEYS"));
    for (const encryption of [{ key: KEY }, undefined]) {
      await refusesUntouched(folder, encryption, /keys are damaged or missing/, "STORAGE_CORRUPT");
    }
  }));

test("damage in the log or in a record is damage, not a wrong key", () =>
  withFolder(async (folder) => {
    await write(folder, { key: KEY }, 10);
    const [wal] = (await fs.readdir(path.join(folder, "wal"))).map((name) => path.join(folder, "wal", name));
    const bytes = await fs.readFile(wal as string);
    bytes[70] = (bytes[70] as number) ^ 1;
    await fs.writeFile(wal as string, bytes);
    await refuses(leveldb({ path: folder, encryption: { key: KEY } }), { code: "STORAGE_CORRUPT", way: /damaged/ });
  }));

test("a first start that was cut off behind its keys is begun again, with or without a key", () =>
  withFolder(async (folder) => {
    for (const encryption of [{ key: OTHER }, undefined]) {
      const data = path.join(folder, String(encryption !== undefined));
      await write(data, { key: KEY }, 1);
      for (const name of ["FORMAT", "db", "wal", "clean"]) await fs.rm(path.join(data, name), { recursive: true });
      await write(data, encryption, 1);
      assert.is(await countIn(await opened({ path: data, ...(encryption && { encryption }) })), 2);
    }
  }));

test("a folder that is open is not opened with another key, nor without one", () =>
  withFolder(async (folder) => {
    const storage = await opened({ path: folder, encryption: { key: KEY } });
    const again = await opened({ path: folder, encryption: { key: KEY.toString("hex") } });
    await refuses(leveldb({ path: folder, encryption: { key: OTHER } }), { code: "STORAGE_LOCKED" });
    await refuses(leveldb({ path: folder }), { code: "STORAGE_LOCKED" });
    await again.close();
    await storage.close();
  }));

test("a database of the embedder keeps, refuses and rotates like a folder", async () => {
  const db = new MemoryLevel<string, string>() as never;
  const first = leveldb({ db, encryption: { key: KEY } });
  await first.createBucket(bucketOf("window"), [draftOf(1)]);
  await first.close();
  await refuses(leveldb({ db }), { code: "STORAGE_UNUSABLE", way: /is encrypted/ });
  await refuses(leveldb({ db, encryption: { key: OTHER } }), { code: "STORAGE_UNUSABLE", way: /does not match/ });
  assert.is(await countIn(await opened({ db, encryption: { key: OTHER, previousKeys: [KEY] } })), 1);
  await refuses(leveldb({ db, encryption: { key: KEY } }), { code: "STORAGE_UNUSABLE", way: /does not match/ });
  const plain = new MemoryLevel<string, string>() as never;
  await (await opened({ db: plain })).close();
  const written = leveldb({ db: plain });
  await written.createBucket(bucketOf("window"));
  await written.close();
  await refuses(leveldb({ db: plain, encryption: { key: KEY } }), { code: "STORAGE_UNUSABLE", way: /not encrypted/ });
});

test("no two values share key and nonce, and a value opens in its own place only", () => {
  const text = Buffer.from("a value");
  const sealers = Array.from({ length: 20 }, () => new Sealer(KEY, 1));
  const sealed = sealers.flatMap((sealer) => Array.from({ length: 20 }, () => sealer.seal("d/1/1", text)));
  assert.is(new Set(sealed.map((bytes) => bytes.toString("hex", 0, 28))).size, sealed.length);
  assert.is(new Set(sealed.map((bytes) => bytes.toString("hex", 28))).size, sealed.length);
  const opener = new Opener([KEY]);
  const [first] = sealed as [Buffer];
  assert.equal(opener.open("d/1/1", first), text);
  assert.throws(() => opener.open("d/1/2", first), /cannot be decrypted/);
  assert.throws(() => new Opener([OTHER]).open("d/1/1", first), /cannot be decrypted/);
  for (let bit = 0; bit < first.length * 8; bit++) {
    const flipped = Buffer.from(first);
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    assert.throws(() => opener.open("d/1/1", flipped), /cannot be decrypted/, `bit ${bit}`);
  }
});

test.run();
