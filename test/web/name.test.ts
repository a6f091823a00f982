import { suite } from "uvu";
import * as assert from "uvu/assert";
import { pathParts, shortNames } from "../../src/web/parts/name.js";

const test = suite("names in the dashboard");

test("a path or an address has its last part apart, with the slash in front", () => {
  for (const [text, end] of [
    ["/home/dev/report", "/report"],
    ["/home/dev/report/", "/report/"],
    ["~/notes/week.md", "/week.md"],
    ["./src/index.ts", "/index.ts"],
    ["C:\\Users\\dev\\Report 2024.docx", "\\Report 2024.docx"],
    ["https://docs.example.com/guide/search", "/search"],
  ] as const) {
    assert.equal(pathParts(text), [text.slice(0, -end.length), end], text);
  }
});

test("what is no path stays whole", () => {
  for (const text of ["", "/", "/etc", "Code", "and/or", "week.py - report", "https://example.com", "a: b/c"]) {
    assert.is(pathParts(text), undefined, text);
  }
});

test("projects have the shortest names that tell them apart", () => {
  const short = (...names: readonly string[]) => [...shortNames(names).values()];
  assert.equal(short("/home/me/acme/shop", "C:\\work\\site\\"), ["shop", "site"]);
  assert.equal(short("/home/me/acme/shop", "/home/me/old/shop", "/srv/api"), ["api", "acme/shop", "old/shop"]);
  assert.equal(short("/a/shop", "/b/a/shop"), ["/a/shop", "/b/a/shop"], "one is the end of the other");
  assert.equal(short("thesis", "a/b", "", "/"), ["thesis", "a/b", "", "/"]);
  assert.equal(short("/x/shop", "shop"), ["shop", "/x/shop"], "a name without a path");
});

test.run();
