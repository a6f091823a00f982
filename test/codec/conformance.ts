// The recorded REST cases as a suite: one test for each scenario, on a fresh server with an empty storage.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createActivityServer, type Storage } from "../../src/index.js";
import { sampleOf } from "../faults/sizes.js";
import { playScenario, type StepResult } from "./player.js";
import { loadScenarios, type Scenario } from "./scenario.js";

const MOST_DIFFERENCES_SHOWN = 8;

/** Steps that the contract has overruled since they were recorded, with what is the case now. */
const OVERRULED: Readonly<Record<string, string>> = {
  "cors-default#12":
    "an extension may create only buckets whose ID begins with aw-watcher-web-, as newer aw-server-rust",
};

/** Serves a storage on 127.0.0.1 as a scenario wants it. `close` closes the storage, too. */
export type StartServer = (
  scenario: Scenario,
  storage: Storage,
) => Promise<{ readonly port: number; close(): Promise<void> }>;

/**
 * Plays every scenario on a storage of its own.
 *
 * @param withStorage opens an empty storage for the time of `play`, which closes it
 * @param every of how many scenarios one is played in the short tests
 */
export function conformanceSuite(
  name: string,
  withStorage: (play: (storage: Storage) => Promise<void>) => Promise<void>,
  start: StartServer = startServer,
  every = 1,
): void {
  const test = suite(`recorded REST cases: ${name}`);
  const scenarios = sampleOf(loadScenarios(), every);
  for (const scenario of scenarios) {
    test(`${scenario.scenario} is answered as recorded`, () =>
      withStorage(async (storage) => {
        const faults = faultsOf(await playOnFreshServer(scenario, storage, start));
        if (faults.length > 0) assert.unreachable(printFaults(faults));
      }));
  }
  test.run();
}

async function playOnFreshServer(scenario: Scenario, storage: Storage, start: StartServer): Promise<StepResult[]> {
  const { port, close } = await start(scenario, storage);
  try {
    return await playScenario(scenario, port);
  } finally {
    await close();
  }
}

async function startServer(scenario: Scenario, storage: Storage): ReturnType<StartServer> {
  const { host = "127.0.0.1", ...options } = scenario.server;
  const server = createActivityServer({ storage, ...options });
  const { port } = await server.listen({ port: 0, host });
  return { port, close: () => server.close() };
}

/** What speaks against a green test, one text for each step. */
function faultsOf(results: readonly StepResult[]): string[] {
  return results.flatMap(({ name, difference }) => {
    const overruled = OVERRULED[name];
    if (overruled === undefined) return difference === undefined ? [] : [`${name} ${difference}`];
    return difference === undefined ? [`${name} is as recorded, though ${overruled}`] : [];
  });
}

function printFaults(faults: readonly string[]): string {
  const hidden = faults.length - MOST_DIFFERENCES_SHOWN;
  const shown = faults.slice(0, MOST_DIFFERENCES_SHOWN).join("\n    ");
  return hidden > 0 ? `${shown}\n    and ${hidden} more` : shown;
}
