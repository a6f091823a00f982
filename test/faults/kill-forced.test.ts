// long: 2400 s
import "./memory-disk.js";
import { suite } from "uvu";
import { killLauncher } from "./kill-launcher.js";
import { sizeOf } from "./sizes.js";

const test = suite("kill -9, power-loss");

const ROUNDS = sizeOf("KILL_ROUNDS", { short: 1, long: 50 });

test(`every write forced, rounds: ${ROUNDS}: what was acknowledged is there, and nothing is half there`, () =>
  killLauncher(ROUNDS, ["--durability", "power-loss"]));

test.run();
