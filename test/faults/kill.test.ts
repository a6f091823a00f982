// long: 2400 s
import "./memory-disk.js";
import { suite } from "uvu";
import { killLauncher } from "./kill-launcher.js";
import { sizeOf } from "./sizes.js";

const test = suite("kill -9");

const ROUNDS = sizeOf("KILL_ROUNDS", { short: 2, long: 100 });

test(`${ROUNDS} rounds on one folder: what was acknowledged is there, and nothing is half there`, () =>
  killLauncher(ROUNDS));

test.run();
