// Measures rows on two sides in turns.
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { measureHttp } from "./client/load.js";
import type { Sample } from "./data.js";
import { FIXTURES, type FixtureName } from "./fixtures.js";
import { type Entrant, type Measurement, type Result, resultOf, takeTurns } from "./measure.js";
import { floor, type Program, Server } from "./process.js";
import type { Row } from "./rows.js";

/** Background work that a fixture leaves has this long. */
const SETTLE_MILLIS = 1000;

/** One of the two sides of a contest: a server on a folder, or a floor with the responses of our side. */
export interface Side {
  program(folder: string, fixture: FixtureName): Program;
  /** A new folder, if it is not empty. */
  folder?(): Promise<string>;
  readonly isFloor?: boolean;
}

export const FLOOR: Side = { isFloor: true, program: () => floor() };

export interface RunSettings {
  readonly rounds: number;
  /** Length of one measurement. */
  readonly seconds: number;
  readonly sample: Sample;
  /** A folder that is removed at the end. */
  readonly root: string;
}

export function temporaryFolder({ root }: Pick<RunSettings, "root">): string {
  return mkdtempSync(join(root, "db-"));
}

/**
 * Measures rows and reports each result.
 *
 * @param starts how often both sides start again. Two processes of the same code can differ by 5 % for all of their
 *   life. The sides take turns to start first, because the first one waits for the other's fixture.
 */
export async function compareRows(
  rows: readonly Row[],
  sides: readonly [ours: Side, other: Side],
  settings: RunSettings,
  report: (result: Result) => void,
  starts = 1,
): Promise<void> {
  const rounds = Math.ceil(settings.rounds / starts);
  for (const fixture of new Set(rows.map((row) => row.fixture))) {
    const own = rows.filter((row) => row.fixture === fixture);
    const seen = own.map((): Measurement[][] => [[], []]);
    for (let turn = 0; turn < starts; turn++) {
      const servers: Server[] = [];
      try {
        const order = turn % 2 === 0 ? [0, 1] : [1, 0];
        for (const at of order) servers[at] = await startSide(sides[at] as Side, fixture, settings);
        for (const [index, row] of own.entries()) {
          const measured = await measureRow(row, sides, servers, { ...settings, rounds });
          measured.forEach((list, at) => void seen[index]?.[at]?.push(...list));
          if (turn === starts - 1) report(resultOf(row, seen[index]?.[0] ?? [], seen[index]?.[1]));
        }
      } finally {
        for (const server of servers) await server?.stop();
      }
    }
  }
}

async function startSide(side: Side, fixture: FixtureName, settings: RunSettings): Promise<Server> {
  const folder = (await side.folder?.()) ?? temporaryFolder(settings);
  const server = await Server.start(side.program(folder, fixture));
  if (side.isFloor) return server;
  try {
    await FIXTURES[fixture](server.port, settings.sample);
    // What the inserts left in memory would hide the growth of the first rows.
    if (server.isWatched) await server.restart();
    await pause(SETTLE_MILLIS);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function measureRow(
  row: Row,
  sides: readonly Side[],
  servers: readonly Server[],
  { rounds, seconds, sample }: RunSettings,
): Promise<Measurement[][]> {
  const [ours, other] = servers as readonly [Server, Server];
  const entrants: Entrant[] = [];
  for (const [at, server] of servers.entries()) {
    const target = { port: server.port, sample, isOurs: at === 0 };
    if (sides[at]?.isFloor) {
      const answers = await row.answers?.({ ...target, port: ours.port, isOurs: true });
      // No floor can do this.
      if (answers === undefined) continue;
      if (answers.size > 0) await other.ask("answers", answers);
    } else await row.prepare?.(server.port);
    const load = row.load?.(target);
    entrants.push(async () => {
      if (load !== undefined) return measureHttp(server, load, load.isSingle ? 0 : seconds);
      const measured = row.measureStart?.(server) ?? row.measure?.(server, seconds);
      if (measured === undefined) throw new TypeError(`${row.id} measures nothing`);
      return measured;
    });
  }
  return takeTurns(rounds, entrants);
}
