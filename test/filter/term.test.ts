// The terms of a filter; docs/reference/filters.md
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ActivityError } from "../../src/errors.js";
import { formatTerm, parseTerm, type TermTest } from "../../src/filter/term.js";

const test = suite("terms of a filter");

/** What is written, what it means, and how it is written back where that differs. */
const TERMS: readonly [text: string, term: TermTest & { not?: true }, written?: string][] = [
  ["app=firefox", { kind: "equals", path: ["app"], value: "firefox" }],
  ["app=", { kind: "equals", path: ["app"], value: "" }],
  [" title = x ", { kind: "contains", text: "title = x" }, "title = x"],
  ["app= Code - OSS ", { kind: "equals", path: ["app"], value: "Code - OSS" }, "app=Code - OSS"],
  ["title=a=b~c", { kind: "equals", path: ["title"], value: "a=b~c" }],
  ['title=" a"', { kind: "equals", path: ["title"], value: " a" }],
  ['title="say \\"hi\\""', { kind: "equals", path: ["title"], value: 'say "hi"' }, 'title=say "hi"'],
  ['title="\\"hi\\""', { kind: "equals", path: ["title"], value: '"hi"' }],
  ["a.b.c=1", { kind: "equals", path: ["a", "b", "c"], value: "1" }],
  ['"a.b"."c d"=1', { kind: "equals", path: ["a.b", "c d"], value: "1" }],
  ["$tags=x", { kind: "equals", path: ["$tags"], value: "x" }],
  ["größe~x", { kind: "contains", path: ["größe"], text: "x" }],
  ["title~Thesis draft", { kind: "contains", path: ["title"], text: "Thesis draft" }],
  ['url~"/docs"', { kind: "contains", path: ["url"], text: "/docs" }],
  ["title~/^a.b/", { kind: "matches", path: ["title"], pattern: "^a.b", ignoreCase: false }],
  ["title~/a/b/i", { kind: "matches", path: ["title"], pattern: "a/b", ignoreCase: true }],
  ["title~/x\\//", { kind: "matches", path: ["title"], pattern: "x\\/", ignoreCase: false }],
  ["/a|b/i", { kind: "matches", pattern: "a|b", ignoreCase: true }],
  ["category:Work", { kind: "category", name: ["Work"] }],
  ["category: Work>Programming ", { kind: "category", name: ["Work", "Programming"] }, "category:Work > Programming"],
  ['category:"a > b" > c', { kind: "category", name: ["a > b", "c"] }],
  ['category:""', { kind: "category", name: [""] }],
  ["thesis chapter 3", { kind: "contains", text: "thesis chapter 3" }],
  ["E = mc²", { kind: "contains", text: "E = mc²" }],
  ["https://example.org/?a=b", { kind: "contains", text: "https://example.org/?a=b" }],
  ["/home/me/x", { kind: "contains", text: "/home/me/x" }],
  ['"a=b"', { kind: "contains", text: "a=b" }],
  ['"!"', { kind: "contains", text: "!" }],
  ['"category:x"', { kind: "contains", text: "category:x" }],
  ['"/x/"', { kind: "contains", text: "/x/" }],
  ['"\\"x"', { kind: "contains", text: '"x' }],
  ["!app=firefox", { kind: "equals", path: ["app"], value: "firefox", not: true }],
  ["! thesis", { kind: "contains", text: "thesis", not: true }, "!thesis"],
  ["!category:A > B", { kind: "category", name: ["A", "B"], not: true }],
];

for (const [text, term, written = text] of TERMS) {
  test(`reads and writes ${text}`, () => {
    const read = parseTerm(text);
    assert.equal(read, { not: false, ...term });
    assert.is(formatTerm(read), written);
    assert.equal(parseTerm(written), read);
  });
}

const MISTAKES: readonly [text: string, at: number, message: RegExp][] = [
  ["", 0, /KEY=VALUE/],
  ["  ", 2, /KEY=VALUE/],
  ["! ", 2, /KEY=VALUE/],
  ["!!x", 1, /in quotes/],
  ["title~", 6, /string to search/],
  ['title~""', 6, /string to search/],
  ["title~/abc", 6, /must end with \/ or \/i/],
  ["title~/abc/g", 6, /in quotes/],
  ['title="abc', 6, /must end with it/],
  ['  "abc" d', 2, /must end with it/],
  ["category:", 9, /name of a category/],
  ["category:A > ", 12, /name of a category/],
  ["category:A >> B", 12, /name of a category/],
];

for (const [text, at, message] of MISTAKES) {
  test(`refuses ${JSON.stringify(text)} at character ${at + 1}`, () => {
    try {
      parseTerm(text);
    } catch (thrown) {
      assert.ok(ActivityError.is(thrown) && thrown.code === "INVALID_INPUT");
      assert.match((thrown as Error).message, message);
      assert.match((thrown as Error).message, new RegExp(`at character ${at + 1}$`));
      assert.is((thrown as ActivityError & { at: number }).at, at);
      return;
    }
    assert.unreachable("it was read");
  });
}

test.run();
