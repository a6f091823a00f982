import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { deliver, inFolder, leave, own } from "./files.js";
import { BUCKET_ID, beat, codes, plain, type Scene } from "./scene.js";

const test = suite("heartbeat queue: damaged files");

/** Makes other content of the lines of a file. */
type Damage = (lines: string[]) => readonly string[] | string | Buffer;

/** Changes the line of the first beat. */
const inFirst = (change: (line: string) => string): Damage => {
  return (lines) => lines.map((line, n) => (n === 1 ? change(line) : line));
};
const replaced = (found: string, by: string): Damage => {
  return (lines) => lines.join("\n").replace(found, by);
};
const DEEP = `{"a":`.repeat(20_000) + 1 + "}".repeat(20_000);

function withWrongByte(lines: string[]): Buffer {
  const bytes = Buffer.from(lines.join("\n"));
  bytes[bytes.indexOf("app 1") + 1] = 0xff;
  return bytes;
}

/** What happens to a file with three beats, and which of them are still there. */
const DAMAGES: Readonly<Record<string, readonly [damage: Damage, kept: readonly number[], reason: RegExp]>> = {
  "a line of garbage": [
    ([head = "", ...rest]) => [head, "garbage", ...rest],
    [0, 1, 2],
    /1 of its \d+ lines .*; 3 beats/,
  ],
  "a line that is cut": [inFirst((line) => line.slice(0, 30)), [1, 2], /1 of its \d+ lines cannot be read; 2 beats/],
  "a byte that is no UTF-8": [withWrongByte, [0, 2], /2 beats of it are kept/],
  "a hole of zeros, as a power failure leaves it": [
    (lines) => `${lines.join("\n")}${"\0".repeat(50)}\n`,
    [0, 1, 2],
    /3 beats of it are kept/,
  ],
  "a head that is gone": [(lines) => lines.slice(1), [0, 1, 2], /it is not a file of a heartbeat queue; 3 beats/],
  "a version that is not known yet": [replaced('"queue":1', '"queue":2'), [0, 1, 2], /3 beats of it are kept/],
  "numbers that go back": [
    (lines) => [...lines.slice(0, -1), String(lines[1]), ""],
    [0, 1, 2],
    /3 beats of it are kept/,
  ],
  "a beat that nests too deeply": [
    inFirst((line) => line.replace(/"data":.*$/, `"data":${DEEP}}`)),
    [1, 2],
    /1 of its \d+ lines cannot be read; 2 beats/,
  ],
  "a beat that ends behind all times": [
    replaced('"duration":0', '"duration":1e12'),
    [1, 2],
    /1 of its \d+ lines cannot be read; 2 beats/,
  ],
  "a number beyond all counts": [
    replaced('"beat":3', `"beat":${Number.MAX_SAFE_INTEGER}`),
    [0, 1],
    /1 of its \d+ lines cannot be read; 2 beats/,
  ],
  "lines that end more than was begun": [
    (lines) => lines.toSpliced(2, 0, '{"done":77}', '{"dropped":[1,88]}'),
    [0, 1, 2],
    /2 of its \d+ lines cannot be read; 3 beats/,
  ],
  "a beat of another bucket": [
    inFirst((line) => line.replace('"editor"', '"other"')),
    [1, 2],
    /1 of its beats is for the bucket 'other'; 2 beats/,
  ],
  "a head that names another bucket": [
    replaced('"editor"', '"edito"'),
    [0, 1, 2],
    /its first line names the bucket 'edito'; 3 beats/,
  ],
  "no content": [() => "", [], /it is not a file of a heartbeat queue; 0 beats/],
  "other content": [() => "hello", [], /it is not a file of a heartbeat queue; 0 beats/],
  "JSON of another kind": [() => '[1]\n{"a":1}\nnull\n', [], /3 of its 3 lines/],
  "bytes of another kind": [
    () => Buffer.from("\0\xcf\x9e\r\n\xff".repeat(800), "latin1"),
    [],
    /lines cannot be read; 0 beats/,
  ],
};

async function isSetAside(scene: Scene, file: string, kept: readonly number[], reason: RegExp): Promise<void> {
  await deliver(scene, file);
  assert.equal(await scene.events().catch(() => []), own(kept));
  assert.equal(codes(scene), ["DAMAGED"]);
  assert.match(scene.warnings[0]?.message ?? "", reason);
  assert.match(scene.warnings[0]?.message ?? "", `${file}.damaged-2`);
  assert.is(fs.readFileSync(`${file}.damaged-1`, "utf8"), "of before");
  await deliver(scene, file);
  assert.equal(codes(scene), ["DAMAGED"], "the next time all is well");
  const names = fs.readdirSync(path.dirname(file)).sort();
  assert.equal(names, ["queue", "queue.damaged-1", "queue.damaged-2"]);
}

for (const [name, [damage, kept, reason]] of Object.entries(DAMAGES)) {
  test(`${name}: the file is set aside with a warning, and what could be read is sent`, () =>
    inFolder(async (scene, file) => {
      await leave(scene, file, [0, 1, 2]);
      const content = damage(fs.readFileSync(file, "utf8").split("\n"));
      const damaged = Buffer.from(Array.isArray(content) ? content.join("\n") : (content as string));
      fs.writeFileSync(file, damaged);
      fs.writeFileSync(`${file}.damaged-1`, "of before");
      await isSetAside(scene, file, kept, reason);
      assert.equal(fs.readFileSync(`${file}.damaged-2`), damaged);
    }));
}

test("a folder in the place of the file is set aside, too", () =>
  inFolder(async (scene, file) => {
    fs.mkdirSync(file);
    fs.writeFileSync(`${file}.damaged-1`, "of before");
    await isSetAside(scene, file, [], /it is a folder; 0 beats/);
  }));

for (const [name, head] of Object.entries({ "is damaged": '{"queue":1,"buck', "is gone": undefined, "is whole": "" })) {
  test(`a damaged file of another bucket whose head ${name} is refused and left as it is`, () =>
    inFolder(async (scene, file, folder) => {
      await leave(scene, file, [0, 1]);
      const [first = "", ...rest] = fs.readFileSync(file, "utf8").split("\n");
      const lines = [head === "" ? first : head, "garbage", ...rest].filter((line) => line !== undefined);
      fs.writeFileSync(file, lines.join("\n"));
      assert.throws(
        () => scene.open({ path: file, bucketId: "other" }),
        (error: Error & { code: string }) =>
          error.code === "OTHER_BUCKET" && /2 beats of the bucket 'editor'/.test(error.message),
      );
      assert.is(fs.readFileSync(file, "utf8"), lines.join("\n"));
      assert.equal(fs.readdirSync(folder), ["queue"]);
      await deliver(scene, file);
      assert.equal(await scene.events(), own([0, 1]));
    }));
}

/** A line of a beat, as the file has it. */
function line(n: number, second: number, app: string): string {
  return JSON.stringify({ beat: n, bucket: BUCKET_ID, ...beat(second, app) });
}

const HEAD = JSON.stringify({ queue: 1, bucket: BUCKET_ID, next: 1, event: 0 });

for (const [name, app, second] of [
  ["other data", "b", 10],
  ["other data at once", "b", 0],
  ["the same data after a break", "a", 3_600],
] as const) {
  test(`the end of an event is damaged, and the next one, of ${name}, was under way: none swallows the other`, () =>
    inFolder(async (scene, file) => {
      const lines = [
        HEAD,
        line(1, 0, "a"),
        '{"sending":1}',
        '{"done":1,"ev#nt":',
        line(2, second, app),
        '{"sending":2}',
        "",
      ];
      fs.writeFileSync(file, lines.join("\n"));
      await deliver(scene, file);
      assert.equal(await scene.events(), [plain(0, 0, "a"), plain(second, 0, app)]);
      assert.equal(codes(scene), ["DAMAGED"]);
    }));
}

test("a file in which many beats were dropped one by one brings along the others", () =>
  inFolder(async (scene, file) => {
    const count = 3_000;
    const lines = [HEAD];
    for (let n = 1; n <= count; n++) lines.push(line(n, n, `app ${n}`));
    for (let n = 2; n < count - 1; n++) lines.push(JSON.stringify({ dropped: [n, n] }));
    fs.writeFileSync(file, `${lines.join("\n")}\n`);
    await deliver(scene, file);
    assert.equal(await scene.events(), own([1, count - 1, count]));
    assert.equal(scene.warnings, []);
  }));

test.run();
