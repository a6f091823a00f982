// long: 2400 s
import "./memory-disk.js";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import type { Launched, Workshop } from "../cli/launcher.js";
import { playRounds } from "./rounds.js";
import { sizeOf } from "./sizes.js";

const test = suite("kill -9 on unstorage");

const ROUNDS = sizeOf("KILL_ROUNDS", { short: 1, long: 50 });
const SERVER = fileURLToPath(new URL("./unstorage-server.mjs", import.meta.url));

function spawn(workshop: Workshop): Launched {
  return workshop.spawn([workshop.path("data")], {}, SERVER);
}

test(`fs-lite, rounds: ${ROUNDS}: what was acknowledged is there, and nothing is half there`, () =>
  playRounds({
    rounds: ROUNDS,
    spawn,
    async start(workshop) {
      const launched = spawn(workshop);
      return { ...launched, url: await launched.line((text) => text.startsWith("http:")) };
    },
  }));

test.run();
