import type { Measurement, Summary } from "../bench.js";
import { Child } from "../children.js";
import { type Sample, sample } from "../data.js";
import { type Entrant, median, summarise, takeTurns } from "../rounds.js";
import { Launched, type LauncherOptions } from "../scale/launched.js";
import { type LoadedServer, measureHttp } from "../servers.js";
import { beatClock } from "../workloads/heartbeats.js";
import { Contender, once } from "./contender.js";
import { FIXTURES, type FixtureName } from "./fixtures.js";
import type { LoadContext, SmokeRow } from "./rows.js";

export interface RunSettings {
  readonly rounds: number;
  /** Length of one measurement. */
  readonly seconds: number;
  /** A new folder that is removed at the end. */
  temporaryFolder(): string;
}

/** What a row showed. */
export interface RowResult {
  readonly id: string;
  readonly unit: string;
  readonly ours: Summary;
  readonly other: Summary;
  /** Rate of ours over that of the other: the median over the rounds, the lowest and the highest. */
  readonly ratio: number;
  readonly lowest: number;
  readonly highest: number;
}

/** What ours is measured against: another launcher, or a plain `node:http` server that sends the same answers. */
export type Opponent = LauncherOptions | "floor";

/**
 * Times that both sides are started anew in a comparison. One process is up to 5 % faster than another one of the same
 * code for as long as it runs, whatever the number of rounds. An even number, as the two take turns at starting first:
 * who does waits until the other one is filled, and is slower for it.
 */
const STARTS = 4;

/** Measures rows, the two sides in turn, and hands each result over as soon as it is known. */
export async function measureRows(
  rows: readonly SmokeRow[],
  ours: LauncherOptions,
  opponent: Opponent,
  settings: RunSettings,
  report: (result: RowResult) => void,
): Promise<void> {
  const events = sample();
  const starts = opponent === "floor" ? 1 : Math.min(STARTS, settings.rounds);
  const rounds = Math.ceil(settings.rounds / starts);
  for (const fixture of new Set(rows.map((row) => row.fixture))) {
    const own = rows.filter((row) => row.fixture === fixture);
    const seen = own.map((): Sides => ({ ours: [], other: [] }));
    for (let start = 1; start <= starts; start++) {
      const stops: (() => Promise<void>)[] = [];
      try {
        const startOurs = async (): Promise<Contender> => {
          const contender = await startContender(fixture, ours, settings, events);
          stops.push(() => contender.stop());
          return contender;
        };
        const startOther = async (): Promise<Contender | Child> => {
          const other =
            opponent === "floor"
              ? await Child.start({ script: "server.mjs", args: ["floor"] })
              : await startContender(fixture, opponent, settings, events);
          stops.push(() => other.stop());
          return other;
        };
        const isOursLate = start % 2 === 0;
        const early = isOursLate ? await startOther() : undefined;
        const first = await startOurs();
        const second = early ?? (await startOther());
        for (const [index, row] of own.entries()) {
          const sides = seen[index] as Sides;
          await measureRow(row, sides, first, second, { ...settings, rounds }, events);
          if (start === starts) report(resultOf(row, sides));
        }
      } finally {
        for (const stop of stops) await stop();
      }
    }
  }
}

/** The measurements of both sides, in the order of the rounds. */
interface Sides {
  readonly ours: Measurement[];
  readonly other: Measurement[];
}

function startContender(
  fixture: FixtureName,
  options: LauncherOptions,
  settings: RunSettings,
  events: Sample,
): Promise<Contender> {
  return Contender.start(settings.temporaryFolder(), options, ({ port }) => FIXTURES[fixture](port, events));
}

async function measureRow(
  row: SmokeRow,
  sides: Sides,
  ours: Contender,
  other: Contender | Child,
  settings: RunSettings,
  events: Sample,
): Promise<void> {
  const contextOf = ({ port, clock }: Contender): LoadContext => ({ port, clock, sample: events });
  await row.prepare?.(ours.port);
  const entrants = new Map([["ours", entrantOf(row, ours, contextOf(ours), settings)]]);
  if (other instanceof Contender) {
    await row.prepare?.(other.port);
    entrants.set("other", entrantOf(row, other, contextOf(other), settings));
  } else {
    const answers = await row.answers?.(contextOf(ours));
    if (answers !== undefined) await other.ask("answers", answers);
    entrants.set("other", floorOf(row, other, events, settings));
  }
  const seen = await takeTurns(settings.rounds, entrants);
  sides.ours.push(...(seen.get("ours") ?? []));
  sides.other.push(...(seen.get("other") ?? []));
}

function resultOf(row: SmokeRow, sides: Sides): RowResult {
  const [mine, theirs] = [summarise(sides.ours), summarise(sides.other)];
  const ratios = mine.rates.map((rate, round) => rate / (theirs.rates[round] ?? Number.NaN));
  return {
    id: row.id,
    unit: row.unit,
    ours: mine,
    other: theirs,
    ratio: median(ratios),
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
  };
}

function entrantOf(row: SmokeRow, contender: Contender, context: LoadContext, settings: RunSettings): Entrant {
  const { measure } = row;
  return measure === undefined ? loadOf(row, contender, context, settings) : () => measure(contender);
}

/** A start has a plain server that is started in the same way as its floor. */
function floorOf(row: SmokeRow, floor: Child, events: Sample, settings: RunSettings): Entrant {
  if (row.load === undefined) return plainStart;
  return loadOf(row, floor, { port: floor.port, clock: beatClock(), sample: events }, settings);
}

function loadOf(row: SmokeRow, server: LoadedServer, context: LoadContext, settings: RunSettings): Entrant {
  const load = row.load?.(context);
  if (load === undefined) throw new TypeError(`${row.id} has neither a load nor a measurement`);
  const seconds = load.isSingle === true ? 0 : settings.seconds;
  return () => measureHttp(server, { ...load, seconds });
}

async function plainStart(): Promise<Measurement> {
  const plain = await Launched.plain();
  await plain.stop();
  return once(plain.firstAnswerMillis, Number.NaN);
}
