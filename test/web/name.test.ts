import { suite } from "uvu";
import * as assert from "uvu/assert";
import { pathParts } from "../../src/web/parts/name.js";

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

test.run();
