// The pages under docs/embedding: each shows the files of an example as they are, and each framework that is tried has
// one. That they work is what `npm run test:frameworks` tries.
import fs from "node:fs";
import path from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ROOT, readPage } from "./readme/markdown.js";

const test = suite("pages of frameworks");

const FOLDER = "docs/embedding";
const names = fs.readdirSync(path.join(ROOT, FOLDER));

/** A file as a page shows it: its path in the example alone on a line, then a block. */
const SHOWN = /^`([^`\n]+)`\n\n```\w+\n(.*?)^```$/gms;

for (const name of names) {
  test(`${name} shows files as they are`, () => {
    const page = readPage(`${FOLDER}/${name}`);
    const [, example] = /\]\(\.\.\/examples\/([\w-]+)\)/.exec(page) ?? [];
    const shown = [...page.matchAll(SHOWN)];
    assert.is(shown.length, page.match(/^```\w+$/gm)?.length ?? 0, "each block is below the path of its file");
    assert.ok(shown.length > 0 || name === "serverless.md");
    for (const [, file = "", text] of shown) {
      assert.is(text, fs.readFileSync(path.join(ROOT, "docs/examples", example ?? "", file), "utf8"), file);
    }
  });
}

test("programs keep data over a restart, and do the hourly work", () => {
  let programs = 0;
  for (const name of names) {
    for (const [, file = "", text = ""] of readPage(`${FOLDER}/${name}`).matchAll(SHOWN)) {
      if (!text.includes("createActivityServer(")) continue;
      programs++;
      assert.match(text, "maintain: true", `${name}: ${file}`);
      assert.not.match(text, "memory()", `${name}: ${file}`);
    }
  }
  assert.ok(programs >= 15);
});

test("every framework that is tried has a page, and the page on embedding leads there", () => {
  const list = fs.readFileSync(path.join(ROOT, "test/frameworks/list.mjs"), "utf8");
  const tried = [...list.matchAll(/^ {2}program\("([\w-]+)"/gm)].map(([, name]) => `${name}.md`);
  assert.equal([...tried, "serverless.md"].sort(), [...names].sort());
  const page = readPage("docs/guides/embedding.md");
  for (const name of names) assert.match(page, `](../embedding/${name})`);
});

test.run();
