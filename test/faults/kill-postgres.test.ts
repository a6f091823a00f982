// long: 1200 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Launched, Workshop } from "../cli/launcher.js";
import { newDatabase } from "../postgres/database.js";
import { listening } from "./kill-launcher.js";
import { LAUNCHER } from "./package-under-test.js";
import { playRounds } from "./rounds.js";
import { sizeOf } from "./sizes.js";

const test = suite("kill -9 on postgres");

const ROUNDS = sizeOf("KILL_ROUNDS", { short: 1, long: 20 });
const url = await newDatabase();

if (url === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  const env = { ACTIVITY_SERVER_DATABASE_URL: url, ACTIVITY_SERVER_NAMESPACE: "killed" };
  const spawn = (workshop: Workshop): Launched =>
    workshop.spawn(["--json", "--port", "0", "--storage", "postgres"], env, LAUNCHER);

  test(`a node, rounds: ${ROUNDS}: what was acknowledged is there, and nothing is half there`, () =>
    // Longer lives than elsewhere: a node begins by connecting.
    playRounds({ rounds: ROUNDS, lifeMillis: 3_000, spawn, start: (workshop) => listening(spawn(workshop)) }));
}

test.run();
