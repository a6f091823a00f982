// The format of encrypted folders, read by what docs/reference/format-leveldb.md says of it and none of the adapter's
// code.
import { createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { crc32 } from "node:zlib";
import { ClassicLevel } from "classic-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { bucketOf, draftOf } from "../contract/case.js";
import { withFolder } from "./folder.js";

const test = suite("encryption: format");

const KEY = randomBytes(32);

interface Keys {
  readonly names: Buffer;
  readonly data: readonly Buffer[];
}

function decrypted(key: ArrayBuffer, nonce: Buffer, place: string, sealed: Buffer): Buffer {
  const cipher = createDecipheriv("aes-256-gcm", Buffer.from(key), nonce);
  cipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(-16));
  return Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
}

/** The wrapped keys of a folder. */
function unwrapped(line: string): Keys {
  const [, said = "", head = "", keyId, base64 = "", crc] =
    /^((activity-server keys 1 ([0-9a-f]{16})) (\S+)) checksum ([0-9a-f]{8})\n$/.exec(line) ?? [];
  assert.is(crc, crc32(said).toString(16).padStart(8, "0"));
  assert.is(keyId, createHmac("sha256", KEY).update("activity-server key id").digest("hex").slice(0, 16));
  const bytes = Buffer.from(base64, "base64");
  const wrapping = hkdfSync("sha256", KEY, bytes.subarray(0, 32), "activity-server key wrap", 32);
  const keys = decrypted(wrapping, bytes.subarray(32, 44), head, bytes.subarray(44));
  assert.is(keys.length, 64, "a key for names, and one for data");
  return { names: keys.subarray(0, 32), data: [keys.subarray(32)] };
}

/** A sealed value. */
function openedWith({ data }: Keys, place: string, sealed: Buffer): Buffer {
  assert.equal([sealed[0], sealed[1]], [2, 1], place);
  const dataKey = data[sealed.readUInt32LE(2) - 1] as Buffer;
  const key = hkdfSync("sha256", dataKey, sealed.subarray(6, 22), "activity-server values", 32);
  return decrypted(key, Buffer.concat([sealed.subarray(22, 28), Buffer.alloc(6)]), place, sealed.subarray(28));
}

function textOf(keys: Keys, place: string, sealed: Buffer): string {
  return openedWith(keys, place, Buffer.from(sealed.toString(), "base64")).toString();
}

test("root, records, entries, segments and log are what the page says", () =>
  withFolder(async (folder) => {
    const storage = leveldb({ path: folder, encryption: { key: KEY } });
    await storage.createBucket(bucketOf("window"));
    await storage.putEvents(
      "window",
      Array.from({ length: 600 }, (_, index) => draftOf(index, 1)),
    );
    await storage.settings.put("theme", "dark");
    await storage.close();
    const again = leveldb({ path: folder, encryption: { key: KEY } });
    await again.putEvents("window", [draftOf(700)]);
    await again.close();

    assert.match(await fs.readFile(path.join(folder, "FORMAT"), "utf8"), /^activity-server format 2 cipher 1 key 0 /);
    const line = await fs.readFile(path.join(folder, "KEYS"), "latin1");
    assert.is(await fs.readFile(path.join(folder, "KEYS.copy"), "latin1"), line);
    const keys = unwrapped(line);

    const level = new ClassicLevel<string, Buffer>(path.join(folder, "db"), { valueEncoding: "buffer" });
    const values = new Map(await level.iterator().all());
    await level.close();
    const found: string[] = [];
    for (const [key, value] of values) {
      const [kind = "", ...names] = key.split("!");
      const numbers = names.map((name) => Number.parseInt(name, 36)).join("/");
      if (key === "m!root") assert.match(textOf(keys, "root", value), /^[0-9a-f]{8} \{"format":2,/);
      else if (kind === "g") assert.match(textOf(keys, `g/${numbers}`, value), /^[0-9a-f]{8} \[\d+,\[/);
      else if (kind === "d") {
        const segment = openedWith(keys, `d/${numbers}`, value);
        const sum = crc32(segment.subarray(0, -4), crc32(`d/${numbers}`));
        assert.is(segment.readUInt32LE(segment.length - 4), sum);
      } else if (kind === "r") {
        const name = key.slice(2);
        const [plain = "", text = ""] = textOf(keys, `r/${name}`, value).split("\n");
        assert.is(createHmac("sha256", keys.names).update(plain).digest("base64url"), name);
        assert.is(
          text.slice(0, 8),
          crc32(`${plain}\n${text.slice(9)}`)
            .toString(16)
            .padStart(8, "0"),
        );
        if (plain === 's/"theme"') assert.is(text.slice(9), '"dark"');
      } else assert.is(key, "m!number");
      found.push(key.startsWith("r!") ? "r" : kind);
    }
    assert.equal([...new Set(found)].sort(), ["d", "g", "m", "r"]);

    const [wal = ""] = await fs.readdir(path.join(folder, "wal"));
    const log = await fs.readFile(path.join(folder, "wal", wal));
    const salts = new Set<string>();
    const kinds: string[] = [];
    for (let at = 32; at < log.length; ) {
      const length = log.readUInt32LE(at + 4);
      const sequence = log.readDoubleLE(at + 16);
      const [kind, base64] = JSON.parse(log.toString("utf8", at + 24, at + 24 + length)) as [string, string];
      const sealed = Buffer.from(base64, "base64");
      const text = openedWith(keys, `l/${kind}/${sequence}`, sealed).toString();
      for (const each of text.split("\n")) assert.ok(Array.isArray(JSON.parse(each)));
      salts.add(sealed.toString("hex", 6, 22));
      kinds.push(kind);
      at += 24 + length;
    }
    assert.is(salts.size, 1, "one salt for the log");
    assert.is(kinds.join(""), `S${"A".repeat(kinds.length - 1)}`);
  }));

test.run();
