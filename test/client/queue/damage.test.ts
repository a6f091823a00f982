import fs from "node:fs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { deliver, inFolder, leave, own } from "./files.js";
import { BUCKET_ID, beat, codes, plain } from "./scene.js";

const test = suite("heartbeat queue: damaged files");

/** What happens to a file with three beats, and which of them are still there. */
const DAMAGES: Readonly<
  Record<string, readonly [damage: (file: string, lines: string[]) => void, kept: readonly number[], reason: RegExp]>
> = {
  "a line of garbage": [
    (file, [head = "", ...rest]) => fs.writeFileSync(file, [head, "garbage", ...rest].join("\n")),
    [0, 1, 2],
    /1 of its \d+ lines cannot be read; 3 beats of it are kept/,
  ],
  "a line that is cut": [
    (file, lines) => fs.writeFileSync(file, lines.map((line, n) => (n === 1 ? line.slice(0, 30) : line)).join("\n")),
    [1, 2],
    /1 of its \d+ lines cannot be read; 2 beats of it are kept/,
  ],
  "a byte that is no UTF-8": [
    (file, lines) => {
      const bytes = Buffer.from(lines.join("\n"));
      bytes[bytes.indexOf("app 1") + 1] = 0xff;
      fs.writeFileSync(file, bytes);
    },
    [0, 2],
    /2 beats of it are kept/,
  ],
  "a hole of zeros, as a power failure leaves it": [
    (file, lines) => fs.writeFileSync(file, `${lines.join("\n")}${"\0".repeat(50)}\n`),
    [0, 1, 2],
    /3 beats of it are kept/,
  ],
  "a head that is gone": [
    (file, lines) => fs.writeFileSync(file, lines.slice(1).join("\n")),
    [0, 1, 2],
    /it is not a file of a heartbeat queue; 3 beats of it are kept/,
  ],
  "a version that is not known yet": [
    (file, lines) => fs.writeFileSync(file, lines.join("\n").replace('"queue":1', '"queue":2')),
    [0, 1, 2],
    /3 beats of it are kept/,
  ],
  "numbers that go back": [
    (file, lines) => fs.writeFileSync(file, [...lines.slice(0, -1), lines[1], ""].join("\n")),
    [0, 1, 2],
    /3 beats of it are kept/,
  ],
  "a beat that nests too deeply": [
    (file, lines) => {
      const deep = `{"a":`.repeat(20_000) + 1 + "}".repeat(20_000);
      fs.writeFileSync(
        file,
        lines.map((line, n) => (n === 1 ? line.replace(/"data":.*$/, `"data":${deep}}`) : line)).join("\n"),
      );
    },
    [1, 2],
    /1 of its \d+ lines cannot be read; 2 beats of it are kept/,
  ],
  "a beat that ends behind all times": [
    (file, lines) => fs.writeFileSync(file, lines.join("\n").replace('"duration":0', '"duration":1e12')),
    [1, 2],
    /1 of its \d+ lines cannot be read; 2 beats of it are kept/,
  ],
  "a number beyond all counts": [
    (file, lines) => fs.writeFileSync(file, lines.join("\n").replace('"beat":3', `"beat":${Number.MAX_SAFE_INTEGER}`)),
    [0, 1],
    /1 of its \d+ lines cannot be read; 2 beats of it are kept/,
  ],
  "lines that end more than was begun": [
    (file, lines) =>
      fs.writeFileSync(file, [...lines.slice(0, 2), '{"done":77}', '{"dropped":[1,88]}', ...lines.slice(2)].join("\n")),
    [0, 1, 2],
    /2 of its \d+ lines cannot be read; 3 beats of it are kept/,
  ],
  "a beat of another bucket": [
    (file, lines) =>
      fs.writeFileSync(file, lines.map((line, n) => (n === 1 ? line.replace('"editor"', '"other"') : line)).join("\n")),
    [1, 2],
    /1 of its beats is for the bucket 'other'; 2 beats of it are kept/,
  ],
  "a head that names another bucket": [
    (file, lines) =>
      fs.writeFileSync(file, lines.map((line, n) => (n === 0 ? line.replace('"editor"', '"edito"') : line)).join("\n")),
    [0, 1, 2],
    /its first line names the bucket 'edito'; 3 beats of it are kept/,
  ],
  "no content": [(file) => fs.writeFileSync(file, ""), [], /it is not a file of a heartbeat queue; 0 beats/],
  "other content": [(file) => fs.writeFileSync(file, "hello"), [], /it is not a file of a heartbeat queue; 0 beats/],
  "JSON of another kind": [(file) => fs.writeFileSync(file, '[1]\n{"a":1}\nnull\n'), [], /3 of its 3 lines/],
  "bytes of another kind": [
    (file) => fs.writeFileSync(file, Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 256))),
    [],
    /lines cannot be read; 0 beats/,
  ],
  "a folder": [
    (file) => {
      fs.rmSync(file);
      fs.mkdirSync(file);
    },
    [],
    /it is a folder; 0 beats/,
  ],
};

for (const [name, [damage, kept, reason]] of Object.entries(DAMAGES)) {
  test(`${name}: the file is set aside with a warning, and what could be read is sent`, () =>
    inFolder(async (scene, file, folder) => {
      await leave(scene, file, [0, 1, 2]);
      damage(file, fs.readFileSync(file, "utf8").split("\n"));
      const damaged = fs.statSync(file).isFile() ? fs.readFileSync(file) : undefined;
      fs.writeFileSync(`${file}.damaged-1`, "of before");
      await deliver(scene, file);
      assert.equal(await scene.events().catch(() => []), own(kept));
      assert.equal(codes(scene), ["DAMAGED"]);
      assert.match(scene.warnings[0]?.message ?? "", reason);
      assert.match(scene.warnings[0]?.message ?? "", `${file}.damaged-2`);
      if (damaged !== undefined) assert.equal(fs.readFileSync(`${file}.damaged-2`), damaged);
      assert.is(fs.readFileSync(`${file}.damaged-1`, "utf8"), "of before");
      await deliver(scene, file);
      assert.equal(codes(scene), ["DAMAGED"], "the next time all is well");
      assert.equal(fs.readdirSync(folder).sort(), ["queue", "queue.damaged-1", "queue.damaged-2"]);
    }));
}

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
