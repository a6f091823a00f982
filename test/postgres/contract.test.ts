// long: 900 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { storageContract } from "../contract/index.js";
import { rotatingSampleOf } from "../faults/sizes.js";
import { postgresGround } from "./ground.js";

const test = suite("postgres");

const ground = await postgresGround();

if (ground === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  for (const { name, run } of rotatingSampleOf(storageContract(ground.contract), 36)) test(name, run);

  test("the connections of the suite end", () => ground.finish());
}

test.run();
