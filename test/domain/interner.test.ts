import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Interner } from "../../src/domain/interner.js";
import { type JsonObject, serializeObject } from "../../src/domain/json.js";

const test = suite("interner");

const made = (text: string) => (): JsonObject => JSON.parse(text) as JsonObject;
const textOf = (no: number): string => JSON.stringify({ title: `title ${String(no).padStart(4, "0")}` });

test("equal texts have one object, which is serialized as the text", () => {
  const texts = new Interner();
  const [one, other] = ['{"a":1,"b":"ü 😀"}', '{"a":2}'];
  const object = texts.intern(one, made(one));
  assert.is(texts.intern(`${one.slice(0, 4)}${one.slice(4)}`, made(one)), object);
  assert.is.not(texts.intern(other, made(other)), object);
  assert.is(serializeObject(object), one);
});

test("what is in use stays known, whatever comes along", () => {
  const texts = new Interner(1000);
  const often = texts.intern(textOf(0), made(textOf(0)));
  for (let no = 1; no < 500; no++) {
    texts.intern(textOf(no), made(textOf(no)));
    assert.is(texts.intern(textOf(0), made(textOf(0))), often);
  }
});

test("no more is known than it may be", () => {
  const texts = new Interner(1000);
  const objects = Array.from({ length: 100 }, (_, no) => texts.intern(textOf(no), made(textOf(no))));
  const known = objects.filter((object, no) => texts.intern(textOf(no), () => ({})) === object);
  assert.ok(known.length * textOf(0).length <= 1000, `${known.length} are known`);
});

test.run();
