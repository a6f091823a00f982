import { get } from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createRequestGate } from "../../src/cli/request-gate.js";
import { listen } from "../../src/http/listen.js";
import { until } from "../adapters/until.js";

const test = suite("requests before the storage is open");

/** The bodies of two requests that waited, and of one behind them; what failed stands as its code. */
async function answersOf(open: Parameters<ReturnType<typeof createRequestGate>["open"]>[0]): Promise<string[]> {
  const gate = createRequestGate();
  let arrived = 0;
  const listener = await listen(
    (request, response) => {
      arrived++;
      gate.handler(request, response);
    },
    { port: 0 },
  );
  const ask = (path: string) =>
    new Promise<string>((resolve) => {
      const request = get(`${listener.url}${path}`, (response) => {
        response.setEncoding("utf8").on("data", resolve);
      });
      request.on("error", ({ code }: NodeJS.ErrnoException) => resolve(`${code}`));
    });
  const early = [ask("/1"), ask("/2")];
  await until(
    () => arrived === early.length,
    () => `${arrived} requests arrived`,
  );
  gate.open(open);
  const answers = [...(await Promise.all(early)), await ask("/3")];
  await listener.close();
  return answers;
}

test("they wait, and are answered once it is; so are those that come later", async () => {
  const answers = await answersOf(({ url }, response) => void response.end(`answer to ${url}`));
  assert.equal(answers, ["answer to /1", "answer to /2", "answer to /3"]);
});

test("they are cut when the start fails", async () => {
  const answers = await answersOf((_, response) => void response.destroy());
  assert.equal(answers, ["ECONNRESET", "ECONNRESET", "ECONNRESET"]);
});

test.run();
