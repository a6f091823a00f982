// long: 300 s
// The adapter of docs/examples/json-file-adapter with one mistake at a time: the contract suite has to say which
// promise the mistake breaks, and what it saw.
import fs from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Storage } from "../src/storage/storage.js";
import { withFolder } from "./adapters/folder.js";
import { IDS } from "./adapters/mistakes/ids.js";
import { BUCKETS, LIFE } from "./adapters/mistakes/life.js";
import type { Mistake } from "./adapters/mistakes/mistake.js";
import { READS } from "./adapters/mistakes/reads.js";
import { RECORDS, VALUES, WHOLE } from "./adapters/mistakes/values.js";
import { HEARTBEATS, MERGES, PUTS } from "./adapters/mistakes/writes.js";
import { storageContract } from "./contract/index.js";
import { promiseOf } from "./contract/promises.js";
import { sampleOf } from "./faults/sizes.js";
import { programOf } from "./program.js";
import { blocksOf, readPage } from "./readme/markdown.js";

const MISTAKES: readonly Mistake[] = [
  BUCKETS,
  IDS,
  PUTS,
  MERGES,
  READS,
  HEARTBEATS,
  VALUES,
  RECORDS,
  WHOLE,
  LIFE,
].flat();
const ADAPTER = new URL("../docs/examples/json-file-adapter/", import.meta.url);
const FILES = ["json-file.js", "state.js", "file.js"];
const PACKAGE = pathToFileURL(programOf(new URL("../src/storage/index.ts", import.meta.url)).file).href;

type Failing = Pick<Mistake, "caught" | "edits" | "told">;
type Open = (file: string) => Storage;

const test = suite("the contract suite names the promise");

/** The adapter with texts replaced, over the sources of this project, and without the wait for the disk. */
async function adapterWith(edits: Mistake["edits"], folder: string): Promise<Open> {
  const sources = new Map<string, string>();
  for (const name of FILES) {
    const source = await fs.readFile(new URL(name, ADAPTER), "utf8");
    sources.set(
      name,
      source.replace('"activity-server/adapter";', () => `"${PACKAGE}";`),
    );
  }
  for (const [text, instead] of [...edits, ["flush: true", "flush: false"]] as const) {
    const found = [...sources].filter(([, source]) => source.includes(text));
    const [name = "", source = ""] = found[0] ?? [];
    const times = found.length === 1 ? source.split(text).length - 1 : found.length;
    assert.is(times, 1, `how often the adapter says: ${text}`);
    sources.set(
      name,
      source.replace(text, () => instead),
    );
  }
  await fs.writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
  for (const [name, source] of sources) await fs.writeFile(path.join(folder, name), source);
  return (await import(pathToFileURL(path.join(folder, "json-file.js")).href)).jsonFile;
}

/** Runs one case and gives the message of its failure. */
async function failureOf({ caught, edits, told }: Failing): Promise<string | undefined> {
  return withFolder(async (folder) => {
    const open = await adapterWith(edits, folder);
    const files = new Map<Storage, string>();
    const openAt = (file: string): Storage => {
      const storage = open(file);
      files.set(storage, file);
      return storage;
    };
    const cases = storageContract({
      create: () => openAt(path.join(folder, `data-${files.size}.json`)),
      reopen: async (storage) => {
        await storage.close();
        return openAt(files.get(storage) as string);
      },
      callLimitMillis: /neither/.test(told) ? 1_000 : 60_000,
    });
    const found = cases.find(({ name }) => name === caught);
    assert.ok(found, `no case is called: ${caught}`);
    return found.run().then(
      () => undefined,
      (error: Error) => error.message,
    );
  });
}

for (const { mistake, caught, promise, told, edits } of sampleOf(MISTAKES, 2)) {
  test(mistake, async () => {
    const message = await failureOf({ caught, edits, told });
    assert.ok(message, "no failure");
    const [first, ...others] = message.split("\n");
    assert.is(first, `broken promise: ${promiseOf(promise)}`);
    assert.match(others.join("\n"), told);
  });
}

test("without a mistake the same cases pass", async () => {
  for (const caught of sampleOf([...new Set(MISTAKES.map((each) => each.caught))], 4)) {
    assert.is(await failureOf({ caught, edits: [], told: "" }), undefined, caught);
  }
});

test("the guide has every mistake, with the beginning of what the suite says", () => {
  const page = readPage("docs/reference/adapter.md");
  const rows = [...page.matchAll(/^\| ([a-z`].*) \| \*(.*)\* \|$/gm)].map(([, mistake, said]) => ({ mistake, said }));
  assert.equal(
    rows.map(({ mistake }) => mistake),
    MISTAKES.map(({ mistake }) => mistake),
  );
  for (const [index, { said = "" }] of rows.entries()) {
    const sentence = promiseOf((MISTAKES[index] as Mistake).promise);
    assert.ok(sentence === said || (said.endsWith("…") && sentence.startsWith(said.slice(0, -1))), said);
  }
});

test("the failure that the guide prints is what the suite says", async () => {
  const [block] = blocksOf("docs/guides/writing-an-adapter.md", "text");
  assert.is(block?.text.trimEnd(), await failureOf(IDS[0] as Mistake));
});

test.run();
