import { suite } from "uvu";
import { playRounds } from "./rounds.js";

const test = suite("kill -9");

/** `KILL_ROUNDS=500 node --import tsx test/crash/kill-9.test.ts` goes on for long. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 24);

test(`${ROUNDS} rounds on one folder: what was acknowledged is there, and nothing is half there`, () =>
  playRounds({
    rounds: ROUNDS,
    start: (workshop) => workshop.start(["--data", workshop.path("data")]),
    spawn: (workshop) => workshop.spawn(["--json", "--port", "0", "--data", workshop.path("data")]),
  }));

test.run();
