// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { intOf, randomOf } from "../contract/case.js";
import { IS_LONG, sizeOf } from "../faults/sizes.js";
import { naive, read } from "./documents.js";

const test = suite("document splitter");

const SIGNS = [
  ...'{}[]",:\\ 1e-.\n',
  ...["true", "null", '"events"', '"buckets"', '\\"', "\\u0022", "[]", "{}", "ü", "\ufeff"],
];

const SEEDS = [
  '{"buckets":{"a":{"type":"t","client":"c","hostname":"h","events":[{"timestamp":"2024-03-01","data":{"x":"]}\\""}},5]}}}',
  ' { "buckets" : { "a" : { "events" : [ ] , "type" : "" , "client" : "" , "hostname" : "" , "data":{"events":[1]}} } , "events":[2] } ',
  '{"buckets":{"events":{"type":"t","client":"c","hostname":"h","\\u0065vents":[{"timestamp":"2024-03-01"}],"events":[[],{}]}}}',
  '{"x":{"y":{"events":[1]}},"buckets":{"b":{"type":"t","client":"c","hostname":"h","events":null}}}',
];

const FAULTS = sizeOf("SPLITTER_FAULTS", { short: 5_000, long: 20_000 });

test("a text with random faults is read, or refused, as the parser of the language does", async () => {
  const random = randomOf(7);
  let accepted = 0;
  for (let round = 0; round < FAULTS; round++) {
    let text = SEEDS[round % SEEDS.length] as string;
    for (let faults = intOf(random, 0, 2); faults > 0; faults--) {
      const at = intOf(random, 0, text.length);
      const sign = SIGNS[intOf(random, 0, SIGNS.length - 1)] as string;
      const gone = intOf(random, 0, 2);
      text = text.slice(0, at) + (random() < 0.3 ? "" : sign) + text.slice(at + gone);
    }
    const cuts = [intOf(random, 0, text.length), intOf(random, 0, text.length)].sort((a, b) => a - b);
    let wanted: unknown;
    try {
      wanted = naive(text.startsWith("\ufeff") ? text.slice(1) : text);
      accepted++;
    } catch {
      wanted = undefined;
    }
    const found = await read(text, ...cuts).catch(() => undefined);
    assert.is(JSON.stringify(found), JSON.stringify(wanted), `round ${round}: ${text}`);
  }
  assert.ok(accepted > FAULTS / 10, `${accepted} texts were sound`);
});

test("long lists come out in several batches, and an element missing between two of them is noticed", async () => {
  const event = `{"timestamp":"2024-03-01","data":{"title":"${"x".repeat(500)}"}}`;
  const bucket = (events: string): string =>
    `{"buckets":{"a":{"type":"t","client":"c","hostname":"h","events":[${events}]}}}`;
  const many = Array.from({ length: 500 }, () => event);
  const { buckets } = await read(bucket(many.join(" ,\n")));
  assert.is(buckets[0]?.events.length, 500);
  for (let place = 0; place <= many.length; place += IS_LONG ? 1 : 5) {
    const holed = [...many.slice(0, place), " ", ...many.slice(place)].join(",");
    const found = await read(bucket(holed)).catch(() => undefined);
    assert.is(found, undefined, `a hole before element ${place}`);
  }
});

test.run();
