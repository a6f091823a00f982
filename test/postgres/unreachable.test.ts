import { createServer } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { postgres } from "../../adapters/postgres/index.js";
import { type ActivityError, createActivityServer } from "../../src/index.js";
import { withShortSeconds } from "./short-seconds.js";

const test = suite("postgres that cannot be reached");

/** A pool whose connections fail with this. */
const poolThat = (fails: () => Promise<never>) => ({ connect: fails, on() {}, options: { max: 2 } });

async function failureOf(work: Promise<unknown>): Promise<ActivityError> {
  return work.then(
    () => assert.unreachable("it fails"),
    (thrown) => thrown,
  ) as Promise<ActivityError>;
}

/** A port of this machine at which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("listen() reports why, and its cause is the failure itself", async () => {
  const port = await freePort();
  await withShortSeconds(async () => {
    const storage = postgres({ connectionString: `postgres://name:secret@127.0.0.1:${port}/none` });
    const server = createActivityServer({ storage });
    const error = await failureOf(server.listen({ port: 0 }));
    assert.is(error.message, "the database cannot be reached (ECONNREFUSED); try again");
    assert.is((error.cause as Error).message, `connect ECONNREFUSED 127.0.0.1:${port}`);
    await server.close();
  });
});

const aggregate = new AggregateError(["::1", "127.0.0.1"].map((host) => coded("ECONNREFUSED", host)));
for (const [what, failure, shown] of [
  ["an unknown host", coded("ENOTFOUND", "db.example"), "ENOTFOUND"],
  ["a name with two addresses", aggregate, "ECONNREFUSED"],
  ["no connection in time", new Error("timeout exceeded when trying to connect"), "no response in time"],
] as const) {
  test(`${what}: reads and writes report it`, () =>
    withShortSeconds(async () => {
      const storage = postgres({ pool: poolThat(() => Promise.reject(failure)) });
      for (const work of [storage.ready(), storage.listBuckets()]) {
        const error = await failureOf(work);
        assert.match(error.message, new RegExp(`^the database cannot be reached \\(${shown}\\); `));
        assert.is(error.cause, failure);
        assert.is(error.reason, "the database cannot be reached");
      }
      await storage.close();
    }));
}

function coded(code: string, where: string): Error {
  return Object.assign(new Error(`${code} ${where}`), { code });
}

test.run();
