import { randomOf } from "../contract/case.js";
import { openEmbedded } from "./embedded.js";
import type { Load } from "./load.js";
import { withRig } from "./rig.js";
import { freshOptions, lossesIn } from "./rounds.js";
import { OPERATIONS, type Operation } from "./shim.js";
import { sizeOf } from "./sizes.js";
import { playWaves, troubleLoads } from "./trouble.js";

/** Waves of requests before the start. */
const WAVES_BEFORE = sizeOf("WAVES_BEFORE", { short: 3, long: 8 });

/** A disk that fails while a server starts. */
export interface StartTrouble {
  readonly name: string;
  readonly operation: Operation;
  /** The one that fails, once. */
  readonly nth: number;
  /** Whether it is the first start of all, or one after `kill -9`. */
  readonly isFirst: boolean;
  readonly durability: "process-crash" | "power-loss";
}

/** All that a start does to files but reading; it truncates none. */
const AT_START: readonly Operation[] = OPERATIONS.filter(
  (operation) => operation !== "truncate" && operation !== "read",
);

/** The n-th operation of each kind fails, at the first start and at a later one. */
export function startTroubles(nth: readonly number[]): StartTrouble[] {
  return AT_START.flatMap((operation) =>
    nth.flatMap((n) =>
      [true, false].map((isFirst, index): StartTrouble => {
        const durability = (n + index) % 2 === 0 ? "power-loss" : "process-crash";
        const name = `${operation} ${n} fails at ${isFirst ? "the first" : "a later"} start, ${durability}`;
        return { name, operation, nth: n, isFirst, durability };
      }),
    ),
  );
}

/** Starts a server on a disk that fails. It may end; but the next one starts, and finds what was acknowledged. */
export async function playStart(trouble: StartTrouble): Promise<{ injected: number; defects: readonly string[] }> {
  const { operation, nth, isFirst, durability } = trouble;
  const words = ["--durability", durability];
  const defects: string[] = [];
  let injected = 0;
  await withRig(async (rig) => {
    const loads: Load[] = troubleLoads(freshOptions(randomOf(nth)));
    if (!isFirst) {
      const before = await rig.start(words);
      await playWaves(loads, before.api, WAVES_BEFORE);
      await before.kill();
    }
    await rig.shim.inject({ operations: [operation], first: nth, times: 1 });
    const server = await rig.start(words).catch((error: Error) => error);
    if (!(server instanceof Error)) {
      await playWaves(loads, server.api, WAVES_BEFORE >> 1);
      await server.kill();
    } else if (/permission/i.test(server.message)) {
      defects.push(`it ended with a wrong advice: ${server.message}`);
    }
    ({ failed: injected } = await rig.shim.counts());
    await rig.shim.heal();
    const after = await openEmbedded(rig.data, { durability }).catch((error: Error) => error);
    if (after instanceof Error) {
      defects.push(`it does not start any more: ${after.message}`);
      return;
    }
    defects.push(...(await lossesIn(loads, after.api, "afterwards")));
    await playWaves(loads, after.api, 2);
    if (after.api.failures > 0) defects.push("afterwards: writing fails");
    await after.close();
  });
  return { injected, defects };
}
