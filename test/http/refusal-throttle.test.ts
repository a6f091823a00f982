// Wrong credentials are answered slowly, right ones at once.
import { Agent, get } from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { RefusalThrottle } from "../../src/http/refusal-throttle.js";
import { proved } from "../access/proofs.js";
import { withServer } from "../harness.js";
import { json, until } from "./client.js";

const test = suite("wrong credentials");

/** A throttle whose waits end when the test says so. */
function throttleByHand(): {
  throttle: RefusalThrottle;
  waits: number[];
  tick: () => Promise<void>;
  isWaiting: () => boolean;
} {
  const waits: number[] = [];
  let due: (() => void) | undefined;
  const throttle = new RefusalThrottle((millis, done) => {
    assert.is(due, undefined, "nobody waits beside another one");
    waits.push(millis);
    due = done;
    return () => {
      due = undefined;
    };
  });
  const tick = async (): Promise<void> => {
    const done = due;
    due = undefined;
    done?.();
    await turn();
  };
  return { throttle, waits, tick, isWaiting: () => due !== undefined };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("answers to wrong credentials go out one after another, each after a wait", async () => {
  const { throttle, waits, tick, isWaiting } = throttleByHand();
  const answered: number[] = [];
  for (const number of [0, 1, 2]) void throttle.turn({}).then(() => answered.push(number));
  for (let number = 0; number < 3; number++) {
    await turn();
    assert.is(waits.length, number + 1);
    assert.is(answered.length, number);
    await tick();
  }
  assert.equal(answered, [0, 1, 2]);
  assert.ok(waits.every((millis) => millis >= 100));
  assert.not(isWaiting());
});

test("64 wait at most, and those whose clients are gone leave the line", async () => {
  const { throttle, waits, tick, isWaiting } = throttleByHand();
  const leave: (() => void)[] = [];
  const onGone = (listener: () => void): (() => void) => {
    leave.push(listener);
    return () => undefined;
  };
  const answered: number[] = [];
  for (let number = 0; number < 64; number++) void throttle.turn({ onGone }).then(() => answered.push(number));
  assert.not(await throttle.turn({ onGone }));
  assert.is(leave.length, 64, "who does not wait listens to nothing");
  leave[1]?.();
  await turn();
  assert.equal(answered, [1]);
  const next = throttle.turn({ onGone });
  assert.not(await throttle.turn({ onGone }));
  await tick();
  assert.equal(answered, [1, 0]);
  await tick();
  assert.equal(answered, [1, 0, 2]);
  for (const gone of leave) gone();
  assert.ok(await next);
  assert.is(answered.length, 64);
  assert.not(isWaiting(), "nothing keeps the process alive");
  assert.is(waits.length, 3);
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

/** Wrong requests of one kind, and what is answered meanwhile. */
const WRONG: readonly (readonly [kind: string, status: number, path: string, headers: object, body?: object])[] = [
  ["sessions", 401, "/api/0/buckets", { "x-activity-session": "wrong", cookie: "activity-server-session-80=wrong" }],
  ["sessions that are asked about", 200, "/api/0/session", { "x-activity-session": "wrong" }],
  ["links", 401, "/api/0/session", { origin: "http://localhost" }, { token: "wrong" }],
  ["secrets of pairing", 404, "/api/0/pairing/collect", {}, { secret: "wrong" }],
];

for (const [kind, status, path, headers, body] of WRONG) {
  test(`wrong ${kind} wait like wrong keys, and hold up no right one`, () =>
    withServer({ auth: "required", controlToken: "token" }, async ({ server }) => {
      const { token } = await server.sessions.createLink();
      const post = (address: string, sent: object, more: object = {}) =>
        server.fetch(address, {
          method: "POST",
          headers: { "content-type": "application/json", ...more },
          body: JSON.stringify(sent),
        });
      const answer = await post("/api/0/session", { token }, { origin: "http://localhost" });
      const { secret } = (await answer.json()) as { secret: string };
      const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
      let answered = 0;
      const wrong = Array.from({ length: 5 }, async () => {
        const given = await (body === undefined
          ? server.fetch(path, { headers: { ...headers } })
          : post(path, body, headers));
        answered++;
        return given.status;
      });
      for (let time = 0; time < 3; time++) {
        const shown = { cookie, "x-activity-session": secret };
        const page = proved(shown, "GET", "/api/0/buckets", Date.now(), "");
        assert.is((await server.fetch("/api/0/buckets", { headers: page })).status, 200);
      }
      assert.is(answered, 0);
      assert.equal([...new Set(await Promise.all(wrong))], [status]);
    }));
}

test("beyond those that wait wrong keys are refused at once, and their connections closed", () =>
  withServer({ apiKey: "secret" }, async ({ port, send }) => {
    const agent = new Agent({ keepAlive: true });
    const answers: string[] = [];
    for (let number = 0; number < 80; number++) {
      get({ port, path: "/api/0/buckets", agent, headers: { authorization: "Bearer wrong" } }, (response) => {
        answers.push(`${response.statusCode} ${response.headers.connection}`);
      }).on("error", () => undefined);
    }
    await until(() => answers.includes("401 close"), "a refusal without a wait");
    assert.ok(answers.length < 64, "the others wait");
    agent.destroy();
    json(await send("GET", "/api/0/buckets", undefined, { Authorization: "Bearer secret" }));
  }));

test("health waits for no turn, whatever header a probe of somebody else sends", () =>
  withServer({ apiKey: "secret" }, async ({ server }) => {
    const order: string[] = [];
    const ask = async (path: string): Promise<void> => {
      await server.fetch(path, { headers: { authorization: "Bearer wrong" } });
      order.push(path);
    };
    await Promise.all(["/api/0/buckets", "/api/0/health"].map(ask));
    assert.equal(order, ["/api/0/health", "/api/0/buckets"]);
  }));

test.run();
