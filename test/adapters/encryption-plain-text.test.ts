// Nothing that somebody could look for stands anywhere in an encrypted folder: raw, or in decompressed tables.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { ClassicLevel } from "classic-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { readTable } from "../../adapters/leveldb/maintenance/salvage-table.js";
import { programOf } from "../program.js";
import { fillWithSecrets, SECRETS, TELLTALES } from "./encrypted-desk.js";
import { newDataFolder, withFolder } from "./folder.js";

const test = suite("encryption: no plain text");

const KEY = randomBytes(32);
const WORDS = [...Object.values(SECRETS), ...TELLTALES, KEY.toString("hex"), KEY.toString("base64")];

/** A word in every form in which a file could hold it. */
function formsOf(word: string): Buffer[] {
  const utf8 = Buffer.from(word);
  // Base64 of it stands there in one of three forms, by what comes before; their middles do not depend on that.
  const base64 = [0, 1, 2]
    .map((before) =>
      Buffer.concat([Buffer.alloc(before), utf8])
        .toString("base64")
        .slice(4, -4),
    )
    // Fewer signs stand anywhere by chance.
    .filter((middle) => middle.length >= 8)
    .map((middle) => Buffer.from(middle));
  return [utf8, Buffer.from(word, "utf16le"), Buffer.from(utf8.toString("hex")), ...base64];
}

const FORMS = WORDS.map((word) => [word, formsOf(word).filter((form) => form.length > 4)] as const);

function wordsIn(bytes: Buffer): string[] {
  return FORMS.flatMap(([word, forms]) => (forms.some((form) => bytes.includes(form)) ? word : []));
}

/** Every place of a folder in which one of the words stands. */
async function found(folder: string): Promise<string[]> {
  const places: string[] = [];
  for (const name of await fs.readdir(folder, { recursive: true })) {
    const file = path.join(folder, name);
    if (!(await fs.stat(file)).isFile()) continue;
    const bytes = await fs.readFile(file);
    const contents = [bytes];
    if (name.endsWith(".ldb")) {
      for (const { key, value } of readTable(bytes)) contents.push(Buffer.from(key), Buffer.from(value ?? []));
    }
    places.push(...contents.flatMap(wordsIn).map((word) => `${word} in ${name}`), ...wordsIn(Buffer.from(name)));
  }
  return [...new Set(places)];
}

/** Copies a folder that is open, as it would be found after a kill. */
async function foundNow(folder: string): Promise<string[]> {
  const copy = `${folder}.copy`;
  await fs.cp(folder, copy, { recursive: true });
  try {
    return await found(copy);
  } finally {
    await fs.rm(copy, { recursive: true });
  }
}

async function compact(folder: string): Promise<void> {
  const level = new ClassicLevel(path.join(folder, "db"));
  await level.compactRange("", "~");
  await level.close();
}

test("the words are found where nothing is encrypted", () =>
  withFolder(async (folder) => {
    const data = await newDataFolder(path.join(folder, "data"));
    const storage = leveldb({ path: data });
    await fillWithSecrets(storage);
    const open = await foundNow(data);
    for (const word of Object.values(SECRETS))
      assert.ok(
        open.some((place) => place.startsWith(word)),
        word,
      );
    await storage.close();
    await compact(data);
    assert.ok((await found(folder)).some((place) => place.startsWith(SECRETS.title) && place.endsWith(".ldb")));
  }));

test("while the folder is open, when it was closed, and when it was compacted", () =>
  withFolder(async (folder) => {
    const data = await newDataFolder(path.join(folder, "data"));
    for (const round of [1, 2]) {
      const storage = leveldb({ path: data, encryption: { key: KEY } });
      if (round === 1) await fillWithSecrets(storage);
      await storage.settings.put("round", round);
      assert.equal(await foundNow(data), [], `open, round ${round}`);
      await storage.close();
      assert.equal(await found(data), [], `closed, round ${round}`);
    }
    await compact(data);
    assert.ok((await fs.readdir(path.join(data, "db"))).some((name) => name.endsWith(".ldb")));
    assert.equal(await found(data), [], "compacted");
  }));

test("when the process was killed, and when the folder was opened behind that", () =>
  withFolder(async (folder) => {
    await newDataFolder(folder);
    const { execArgv, file } = programOf(new URL("./encrypted-desk.ts", import.meta.url));
    const env = { ...process.env, ENCRYPTED_DESK: "1" };
    const args = [...execArgv, file, folder, KEY.toString("hex")];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"], env });
    const ended = new Promise((resolve) => child.once("close", resolve));
    child.stdout.once("data", () => child.kill("SIGKILL"));
    await ended;
    assert.equal(await found(folder), []);
    const storage = leveldb({ path: folder, encryption: { key: KEY } });
    assert.is(await storage.countEvents(SECRETS.bucketId), 3_001);
    assert.equal(await storage.settings.get(SECRETS.settingKey), { theme: SECRETS.settingValue });
    assert.equal((await storage.verify()).problems, []);
    await storage.close();
    assert.equal(await found(folder), []);
  }));

test.run();
