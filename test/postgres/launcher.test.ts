// The launcher on PostgreSQL. Uses the build in dist, too, which the runner makes.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { inside } from "../cli/inside.js";
import { call } from "../cli/launcher.js";
import { newDatabase } from "./database.js";

const test = suite("postgres launcher");

const url = await newDatabase();
const secret = "postgres://somebody:secret@127.0.0.1:1/base";

if (url === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  const env = { ACTIVITY_SERVER_DATABASE_URL: url, ACTIVITY_SERVER_STORAGE: "postgres" };

  test(`two nodes serve one namespace, and a third one another`, () =>
    inside(async (workshop) => {
      const [one, two] = [await workshop.program.start([], env), await workshop.start([], env)];
      const other = await workshop.start(["--namespace", "other"], env);
      assert.equal([one.facts.storage, one.facts.durability, one.facts.data], ["postgres", "power-loss", null]);
      const bucket = { client: "c", type: "t", hostname: "h" };
      assert.is((await call(`${one.url}/api/0/buckets/window`, "POST", bucket)).status, 200);
      const beat = (at: number) => ({ timestamp: new Date(at).toISOString(), duration: 0, data: { a: 1 } });
      for (const [index, { url }] of [one, two, one].entries()) {
        const path = `${url}/api/0/buckets/window/heartbeat?pulsetime=5`;
        assert.is((await call(path, "POST", beat(index * 2_000))).status, 200);
      }
      const { body } = await call(`${two.url}/api/0/buckets/window/events`);
      assert.equal(body, [{ id: 1, timestamp: "1970-01-01T00:00:00+00:00", duration: 4, data: { a: 1 } }]);
      assert.equal((await call(`${other.url}/api/0/buckets/`)).body, {});
      one.kill("SIGTERM");
      assert.is((await one.ended).code, 0);
    }));

  test("a database that cannot be reached ends the start, and the message has no password", () =>
    inside(async (workshop) => {
      const { code, stdout, stderr } = await workshop.run(["--port", "0", "--verbose"], {
        ...env,
        ACTIVITY_SERVER_DATABASE_URL: secret,
      });
      assert.is(code, 1);
      assert.match(stderr, "the database cannot be reached");
      assert.not.match(stdout + stderr, "secret");
    }));
}

test.run();
