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
  const short = (...names: readonly string[]) => {
    const found = shortNames(names);
    return names.map((name) => found.get(name));
  };
  assert.equal(short("/home/me/acme/shop", "C:\\work\\site\\"), ["shop", "site"]);
  assert.equal(short("/home/me/acme/shop", "/home/me/old/shop", "/srv/api"), ["acme/shop", "old/shop", "api"]);
  assert.equal(short("/a/shop", "/b/a/shop"), ["/a/shop", "/b/a/shop"], "one is the end of the other");
  assert.equal(short("thesis", "a/b", "", "/"), ["thesis", "a/b", "", "/"]);
  assert.equal(short("/x/shop", "shop"), ["/x/shop", "shop"], "a name without a path");
  const homes = ["/home/me/dev/x", "/Users/me/dev/x/", "C:\\Users\\me\\dev\\x", "/mnt/c/Users/me/dev/x", "~/dev/x"];
  assert.equal(short(...homes), ["x", "x", "x", "x", "x"], "one project in several home folders");
  assert.equal(short("/home/me/dev/x", "D:\\Users\\me\\dev\\x", "/home/me/old/x"), ["dev/x", "dev/x", "old/x"]);
  assert.equal(
    short("/home/me/x", "/home/me/old/x", "/home/me"),
    ["~/x", "old/x", "me"],
    "one is the end of the other",
  );
});

test.run();
