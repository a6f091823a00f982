// Wrong credentials are answered slowly, right ones at once.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { RefusalPace } from "../../src/http/refusal-pace.js";
import { json, withServer } from "./client.js";

const test = suite("wrong credentials");

test("answers to wrong credentials go out one after another, each after a wait", async () => {
  const waits: number[] = [];
  const ends: (() => void)[] = [];
  const pace = new RefusalPace((millis) => {
    waits.push(millis);
    return new Promise((resolve) => ends.push(resolve));
  });
  const answered: number[] = [];
  const turns = [0, 1, 2].map((number) => pace.turn().then(() => answered.push(number)));
  for (let number = 0; number < 3; number++) {
    await new Promise((resolve) => setImmediate(resolve));
    assert.is(waits.length, number + 1, "nobody waits beside another one");
    assert.is(answered.length, number);
    ends[number]?.();
    await turns[number];
  }
  assert.equal(answered, [0, 1, 2]);
  assert.ok(waits.every((millis) => millis >= 100));
});

test("a right key is answered while wrong ones wait", () =>
  withServer({ apiKey: "secret" }, async ({ send, server }) => {
    const wrong = Array.from({ length: 20 }, (_, index) =>
      server.fetch("/api/0/buckets", { headers: { authorization: `Bearer wrong ${index}` } }),
    );
    let isAnswered = false;
    const all = Promise.all(wrong).then((answers) => {
      isAnswered = true;
      return answers;
    });
    json(await send("GET", "/api/0/buckets", undefined, { Authorization: "Bearer secret" }));
    assert.not(isAnswered);
    for (const answer of await all) assert.is(answer.status, 401);
  }));

test("open routes that tell more with a key are no way to try keys quickly", () =>
  withServer({ apiKey: "secret" }, async ({ server }) => {
    const order: string[] = [];
    const ask = async (path: string): Promise<void> => {
      await server.fetch(path, { headers: { authorization: "Bearer wrong" } });
      order.push(path);
    };
    const paths = ["/api/0/buckets", "/api/0/buckets", "/api/0/health", "/api/0/buckets"];
    await Promise.all(paths.map(ask));
    assert.equal(order, paths);
  }));

test.run();
