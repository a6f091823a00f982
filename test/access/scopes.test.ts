import { suite } from "uvu";
import * as assert from "uvu/assert";
import { combineScopes, parseScopes, type Verb } from "../../src/service/access/grants.js";
import { createRandom } from "../../src/testing/random.js";
import { globTest } from "../../src/util/glob.js";

const test = suite("scopes");

/** The same as a pattern of JavaScript. */
function patternOf(glob: string): RegExp {
  const parts = glob.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^]*")}$`);
}

test("a star stands for any text, everything else for itself", () => {
  const cases: readonly (readonly [glob: string, yes: readonly string[], no: readonly string[]])[] = [
    ["window_desk", ["window_desk"], ["window_des", "window_desk2", "xwindow_desk", "WINDOW_DESK", ""]],
    ["*", ["", "a", "*", "a\nb"], []],
    ["window_*", ["window_", "window_desk"], ["window", "awindow_"]],
    ["*_desk", ["_desk", "a_desk"], ["a_desk_"]],
    ["a*a", ["aa", "aba", "aaa"], ["a", "ab", ""]],
    ["a*b*c", ["abc", "axbxc", "abcbc", "abbc"], ["acb", "ac", "abcx"]],
    ["*ab*ab", ["abab", "xabyab"], ["ab", "aab"]],
    ["**", ["", "x"], []],
    ["a.c", ["a.c"], ["abc"]],
    ["(a|b)", ["(a|b)"], ["a"]],
    ["é*", ["é", "éa"], ["e\u0301", "e"]],
  ];
  for (const [glob, yes, no] of cases) {
    for (const text of yes) assert.ok(globTest(glob)(text), `${glob} ${JSON.stringify(text)}`);
    for (const text of no) assert.not(globTest(glob)(text), `${glob} ${JSON.stringify(text)}`);
  }
});

test("random globs decide like a pattern of JavaScript", () => {
  const random = createRandom("globs");
  const textOf = (signs: string, most: number): string =>
    Array.from({ length: random.between(0, most) }, () => signs[random.between(0, signs.length - 1)]).join("");
  let matches = 0;
  for (let round = 0; round < 20_000; round++) {
    const [glob, text] = [textOf("ab*", 6), textOf("ab", 8)];
    const isMatch = patternOf(glob).test(text);
    assert.is(globTest(glob)(text), isMatch, `${glob} ${text}`);
    if (isMatch) matches++;
  }
  assert.ok(matches > 2000, String(matches));
});

const VERBS: readonly Verb[] = ["read", "append", "write"];

function verbsFor(scopes: readonly string[], bucketId: string): string {
  const grants = combineScopes(parseScopes(scopes));
  return VERBS.filter((verb) => grants.allows(verb, bucketId)).join(" ");
}

test("write holds read and append, these hold nothing else, and several scopes are a union", () => {
  assert.is(verbsFor(["read:a"], "a"), "read");
  assert.is(verbsFor(["append:a"], "a"), "append");
  assert.is(verbsFor(["write:a"], "a"), "read append write");
  assert.is(verbsFor(["admin"], "a"), "read append write");
  assert.is(verbsFor(["read:a", "append:a*"], "a"), "read append");
  assert.is(verbsFor(["read:a", "append:a*"], "ab"), "append");
  assert.is(verbsFor(["read:a", "write:b"], "b"), "read append write");
  for (const scope of ["read:a", "append:a", "write:a"]) assert.is(verbsFor([scope], "b"), "", scope);
  assert.is(verbsFor(["read:a:b"], "a:b"), "read");
  assert.is(verbsFor(["read:ADMIN"], "admin"), "");
});

test("a view shows what can be read, and is the same for equal scopes in any order", () => {
  const viewOf = (...scopes: string[]) => combineScopes(parseScopes(scopes)).view;
  assert.is(viewOf("admin"), undefined);
  assert.is(viewOf("read:a", "admin"), undefined);
  assert.is(viewOf("read:a", "write:b")?.key, viewOf("write:b", "read:a", "append:c")?.key);
  assert.is.not(viewOf("read:a")?.key, viewOf("read:b")?.key);
  assert.is.not(viewOf("read:a", "read:b")?.key, viewOf('read:a","b')?.key);
  assert.not(viewOf("append:a")?.sees("a"));
  assert.ok(viewOf("write:a")?.sees("a"));
});

test("what is no scope is refused with what there is", () => {
  const wrong = [
    ...["", "reed:a", "read", "read:", "Read:a", " read:a", "admin:*", "admin ", "delete:a", ":a", "read a", 1],
  ];
  for (const scope of [...wrong, null, {}]) {
    assert.throws(
      () => parseScopes(["read:a", scope]),
      (error: Error) => /^scopes\[1\] must be /.test(error.message),
      JSON.stringify(scope),
    );
  }
  for (const scopes of [undefined, null, "admin", {}, []]) {
    assert.throws(() => parseScopes(scopes), /^scopes must be /);
  }
  assert.throws(() => parseScopes([`read:${"x".repeat(400)}`]), /^scopes\[0\] must be /);
  assert.throws(() => parseScopes(Array.from({ length: 101 }, () => "admin")), /at most 100/);
  assert.equal(parseScopes(["read:a", "read:a"]), ["read:a"]);
});

test.run();
