// The adapter of docs/examples/json-file-adapter with one mistake at a time: the contract suite has to say which
// promise the mistake breaks, and what it saw.
import fs from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Storage } from "../src/storage.js";
import { withFolder } from "./adapters/folder.js";
import { IDS } from "./adapters/mistakes/ids.js";
import { BUCKETS, LIFE } from "./adapters/mistakes/life.js";
import type { Mistake } from "./adapters/mistakes/mistake.js";
import { READS } from "./adapters/mistakes/reads.js";
import { HEARTBEATS, PUTS, VALUES } from "./adapters/mistakes/writes.js";
import { storageContract } from "./contract/index.js";
import { promiseOf } from "./contract/promises.js";
import { blocksOf, readPage } from "./readme/markdown.js";

const MISTAKES: readonly Mistake[] = [BUCKETS, IDS, PUTS, READS, HEARTBEATS, VALUES, LIFE].flat();
const ADAPTER = fileURLToPath(new URL("../docs/examples/json-file-adapter/json-file.js", import.meta.url));
const PACKAGE = new URL("../src/index.ts", import.meta.url).href;

type Failing = Pick<Mistake, "caught" | "edits" | "told">;
type Open = (file: string) => Promise<Storage>;

const test = suite("the contract suite names the promise");

/** The adapter with texts replaced, over the sources of this project, and without the wait for the disk. */
async function adapterWith(edits: Mistake["edits"], folder: string): Promise<Open> {
  let source = await fs.readFile(ADAPTER, "utf8");
  for (const [text, instead] of [...edits, ['"activity-server";', `"${PACKAGE}";`], ["flush: true", "flush: false"]]) {
    assert.is(source.split(text as string).length - 1, 1, `how often the adapter says: ${text}`);
    source = source.replace(text as string, () => instead as string);
  }
  const file = path.join(folder, "adapter.mjs");
  await fs.writeFile(file, source);
  return (await import(pathToFileURL(file).href)).jsonFile;
}

/** Runs one case and gives the message of its failure. */
async function failureOf({ caught, edits, told }: Failing): Promise<string | undefined> {
  return withFolder(async (folder) => {
    const open = await adapterWith(edits, folder);
    const files = new Map<Storage, string>();
    const openAt = async (file: string): Promise<Storage> => {
      const storage = await open(file);
      files.set(storage, file);
      return storage;
    };
    const cases = storageContract({
      create: () => openAt(path.join(folder, `${files.size}.json`)),
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

for (const { mistake, caught, promise, told, edits } of MISTAKES) {
  test(mistake, async () => {
    const message = await failureOf({ caught, edits, told });
    assert.ok(message, "no failure");
    const [first, ...others] = message.split("\n");
    assert.is(first, `broken promise: ${promiseOf(promise)}`);
    assert.match(others.join("\n"), told);
  });
}

test("without a mistake the same cases pass", async () => {
  for (const caught of new Set(MISTAKES.map((each) => each.caught))) {
    assert.is(await failureOf({ caught, edits: [], told: "" }), undefined, caught);
  }
});

test("the guide has every mistake, with the beginning of what the suite says", () => {
  const page = readPage("docs/writing-an-adapter.md");
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
  const [block] = blocksOf("docs/writing-an-adapter.md", "text");
  assert.is(block?.text.trimEnd(), await failureOf(IDS[0] as Mistake));
});

test.run();
