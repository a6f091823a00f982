import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, JsonValue } from "../../src/domain/json.js";
import { simplifyWindowTitles } from "../../src/transforms/simplify.js";
import { splitUrlEvents } from "../../src/transforms/split-url.js";
import { runSteps } from "../../src/transforms/steps.js";
import { apply, eventsOf, listOf } from "./lists.js";

const test = suite("split-url and simplify");

/** A URL, and its protocol, domain, path and parameters. */
const URLS: readonly (readonly [url: string, protocol: string, domain: string, path: string, params: string])[] = [
  ["https://github.com/a/b?c=d&e#f", "https", "github.com", "/a/b", "c=d&e"],
  ["http://www.example.com", "http", "example.com", "/", ""],
  ["http://www.www.example.com/", "http", "www.example.com", "/", ""],
  ["https://www./", "https", "", "/", ""],
  ["http://my.www.example.com/", "http", "my.www.example.com", "/", ""],
  ["http://wwwexample.com/", "http", "wwwexample.com", "/", ""],
  ["HTTPS://User:Secret@WWW.Example.COM:8080/Path;p?Q", "https", "example.com", "/Path;p", "Q"],
  ["http://127.0.0.1:5600/#/", "http", "127.0.0.1", "/", ""],
  ["http://[::1]:5600/api", "http", "[::1]", "/api", ""],
  ["https://münchen.de/ä", "https", "xn--mnchen-3ya.de", "/%C3%A4", ""],
  ["file:///home/me/a.txt", "file", "file", "/home/me/a.txt", ""],
  ["about:blank", "about", "about", "blank", ""],
  ["chrome-extension://abc/page.html?x", "chrome-extension", "abc", "/page.html", "x"],
  ["data:text/plain,hello?x", "data", "data", "text/plain,hello", "x"],
  ["  https://a.b/c  ", "https", "a.b", "/c", ""],
];

for (const [url, $protocol, $domain, $path, $params] of URLS) {
  test(`the parts of ${url}`, () => {
    const data = { url, title: "x" };
    const [event] = eventsOf(apply(splitUrlEvents, listOf([0, 1, data])));
    assert.equal(event?.data, { ...data, $protocol, $domain, $path, $params });
  });
}

const NO_URLS: readonly JsonValue[] = [
  "",
  "github.com/a",
  "/path",
  "https://",
  "http://a b/",
  5,
  null,
  ["https://a.b"],
];

test("what is no URL is left alone", () => {
  for (const url of NO_URLS) {
    const list = listOf([0, 1, { url }]);
    assert.is(runSteps(splitUrlEvents(list)), list, JSON.stringify(url));
  }
  const without = listOf([0, 1, { title: "https://a.b" }]);
  assert.is(runSteps(splitUrlEvents(without)), without);
});

test("splitting twice gives the same, and parts that stood there before are replaced", () => {
  const data = { url: "https://a.b/c?d", $domain: "old", $path: 5 };
  const once = runSteps(splitUrlEvents(listOf([0, 1, data])));
  assert.is(once.datas[0]?.["$domain"], "a.b");
  assert.equal(runSteps(splitUrlEvents(once)).datas, once.datas);
  assert.is(runSteps(splitUrlEvents(listOf([0, 1, data]))).datas[0], once.datas[0], "equal data share the result");
});

/** Data, the key, and what its text becomes; `undefined` = the event is left alone. */
const TITLES: readonly (readonly [data: JsonObject, key: string, simpler: string | undefined])[] = [
  [{ app: "A", title: "(2) Facebook" }, "title", "Facebook"],
  [{ app: "A", title: "(12)  YouTube" }, "title", "YouTube"],
  [{ app: "A", title: "(1)" }, "title", ""],
  [{ app: "A", title: "(1)(2) x" }, "title", "(2) x"],
  [{ app: "A", title: "( 2) x" }, "title", undefined],
  [{ app: "A", title: "x (2)" }, "title", undefined],
  [{ app: "A", title: "(٣) arabic" }, "title", undefined],
  [{ app: "A", title: "● file.ts" }, "title", "file.ts"],
  [{ app: "A", title: "*\u3000 gedit" }, "title", "gedit"],
  [{ app: "A", title: "● ● w" }, "title", "● w"],
  [{ app: "A", title: "(3) ● y" }, "title", "y"],
  [{ app: "A", title: "● (3) y" }, "title", "(3) y"],
  [{ app: "A", title: "Cemu - FPS: 59.2 - Zelda" }, "title", "Cemu - FPS: ... - Zelda"],
  [{ app: "A", title: "FPS:\t1.2.3 FPS:  6" }, "title", "FPS: ... FPS: ..."],
  [{ app: "A", title: "FPS:60" }, "title", undefined],
  [{ app: "A", title: "plain" }, "title", undefined],
  [{ app: "A", title: "" }, "title", undefined],
  [{ app: null, title: "* x" }, "title", "x"],
  [{ url: "u", title: "(2) ● FPS: 5" }, "title", "● FPS: 5"],
  [{ app: "(2) ● FPS: 5", title: "(2) x" }, "app", "● FPS: 5"],
  [{ app: "A", title: 5 }, "title", undefined],
  [{ app: "A", title: ["(2) x"] }, "title", undefined],
  [{ app: "A", title: "(2) x" }, "zzz", undefined],
  [{ app: "A", title: "(2) x" }, "toString", undefined],
];

for (const [data, key, simpler] of TITLES) {
  const outcome = simpler === undefined ? "stays" : `becomes ${JSON.stringify(simpler)}`;
  test(`${key} of ${JSON.stringify(data)} ${outcome}`, () => {
    const list = listOf([0, 1, data]);
    const result = apply((given) => simplifyWindowTitles(given, key), list);
    if (simpler === undefined) assert.is(result, list);
    else assert.equal(result.datas, [{ ...data, [key]: simpler }]);
  });
}

test.run();
