// Compares this build with other servers of the ActivityWatch API: bench/README.md, "Other servers".
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LoadedServer, measureHttp } from "./client/load.js";
import { positive, runCommand } from "./command.js";
import { sample as sampleOf } from "./data.js";
import { FIXTURES } from "./fixtures.js";
import {
  amount,
  type Entrant,
  type Measurement,
  machineFacts,
  numberText,
  summarize,
  table,
  takeTurns,
} from "./measure.js";
import { command, type Program, Server } from "./process.js";
import { writePeers } from "./results.js";
import { isMeant, ROWS, type Row } from "./rows.js";
import { readDays } from "./sets/readings.js";

/** Rows that every server can do, of which some run only if they are named. */
const PEER_ROWS = ROWS.filter(
  ({ id, measureStart, onDemand }) => !measureStart && !onDemand && !isMeant(["import"], id),
);
/** Measured on processes of its own, after all others. */
const MEMORY_ROW = "memory/reads";
const IDS = [...PEER_ROWS.map(({ id }) => id), MEMORY_ROW];
const NAMED_ONLY = ["heartbeats/mixed", "watchers/months", "watchers/days-and-months", "watchers/hostile"];
const SLOW = ["query/month", "query/browser-month", "query/categories"];

const USAGE = `node --import tsx bench/peers.ts NAME=COMMAND ... [ROW ...] [--rounds 3] [--seconds 1] [--write]

Measures this build, which must exist, and other servers in turns. A COMMAND starts one. It gets a free port in the place of
{port}, and an empty folder in the place of {folder}. A number is the port of a server that already listens, with an empty
data folder. Without rows, it leaves out those that take minutes on some servers. --write changes bench/RESULTS.md.
rows: the start of an ID, such as heartbeats/merge; all of them are
  ${IDS.map((id) => (isNamedOnly(id) ? `${id} (only if it is named)` : id)).join("\n  ")}`;

/** A measured server. */
interface Peer extends LoadedServer {
  memory(): { readonly resident: number };
  stop(): Promise<void>;
}

/** A server that something else started. */
class Listening implements Peer {
  readonly isWatched: boolean = false;
  readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  warmUpSeconds(seconds: number): number {
    return seconds / 2;
  }

  cpu(): number {
    return Number.NaN;
  }

  memory(): { readonly resident: number } {
    return { resident: Number.NaN };
  }

  async stop(): Promise<void> {}

  ask<Value>(): Promise<Value> {
    throw new TypeError("a server of another program takes no commands");
  }
}

/** How to get a server. */
interface Contestant {
  readonly name: string;
  start(folder: string): Promise<Peer>;
}

const OURS: Contestant = { name: "ours", start: (folder) => Server.start(command(folder)) };

interface Command {
  readonly contestants: readonly Contestant[];
  readonly rows: readonly Row[];
  readonly measuresMemory: boolean;
  readonly rounds: number;
  readonly seconds: number;
  readonly write: boolean;
}

function isNamedOnly(id: string): boolean {
  return isMeant([...NAMED_ONLY, ...SLOW], id);
}

/** @throws TypeError for invalid arguments */
function parse(): Command {
  const words = process.argv.slice(2);
  const take = (flag: string, fallback: string): number => {
    const at = words.indexOf(`--${flag}`);
    return positive(flag, at < 0 ? fallback : (words.splice(at, 2)[1] ?? ""));
  };
  const [rounds, seconds] = [take("rounds", "3"), take("seconds", "1")];
  const write = words.includes("--write");
  const others = words.filter((word) => word.includes("=")).map(contestantOf);
  if (others.length === 0) throw new TypeError("name a server, such as other=5666");
  const names = words.filter((word) => !word.includes("=") && word !== "--write");
  const unknown = names.find((name) => !IDS.some((id) => isMeant([name], id)));
  if (unknown !== undefined) throw new TypeError(`no row has an ID that begins with '${unknown}'`);
  const rows = PEER_ROWS.filter(({ id }) => (names.length === 0 ? !isNamedOnly(id) : isMeant(names, id)));
  return { contestants: [OURS, ...others], rows, measuresMemory: isMeant(names, MEMORY_ROW), rounds, seconds, write };
}

/** @throws TypeError for a port that is not a number above 0 */
function contestantOf(word: string): Contestant {
  const at = word.indexOf("=");
  const [name, value] = [word.slice(0, at), word.slice(at + 1)];
  if (!value.includes("{port}")) {
    const port = positive(name, value);
    return { name, start: async () => new Listening(port) };
  }
  const program = (folder: string): Program => ({
    executable: "sh",
    // The shell becomes the server, so that its memory and its end are the server's.
    args: (port) => ["-c", `exec ${value.replaceAll("{port}", String(port)).replaceAll("{folder}", folder)}`],
  });
  return { name, start: (folder) => Server.start(program(folder)) };
}

async function run({ contestants, rows, measuresMemory, rounds, seconds, write }: Command): Promise<void> {
  const sample = sampleOf();
  const root = mkdtempSync(join(tmpdir(), "activity-peers-"));
  const cells: string[][] = [];
  const report = (id: string, unit: string, measured: readonly (readonly Measurement[])[]): void => {
    cells.push([id, unit, ...cellsOf(measured)]);
    console.error(cells.at(-1)?.join("  "));
  };
  const peers: Peer[] = [];
  const startAll = async (): Promise<void> => {
    for (const { start } of contestants) peers.push(await start(mkdtempSync(join(root, "db-"))));
  };
  const stopAll = async (): Promise<void> => {
    for (const peer of peers.splice(0)) await peer.stop();
  };
  try {
    await startAll();
    for (const fixture of new Set(rows.map((row) => row.fixture))) {
      console.error(`filling ${fixture}`);
      for (const { port } of peers) await FIXTURES[fixture](port, sample);
      for (const row of rows.filter((each) => each.fixture === fixture)) {
        for (const { port } of peers) await row.prepare?.(port);
        const entrants = peers.map((peer): Entrant => {
          const load = row.load?.({ port: peer.port, sample, isOurs: true });
          if (load !== undefined) return () => measureHttp(peer, load, seconds);
          return () => (row.measure as NonNullable<Row["measure"]>)(peer, seconds);
        });
        report(row.id, row.unit, await takeTurns(rounds, entrants));
      }
    }
    if (measuresMemory) {
      await stopAll();
      await startAll();
      report(MEMORY_ROW, "MB", await measureMemory(peers, sample));
    }
  } finally {
    await stopAll();
    rmSync(root, { recursive: true, force: true });
  }
  const headings = contestants.flatMap(({ name }, at) => [name, "p50 ms", "p99 ms", ...(at > 0 ? ["ratios"] : [])]);
  const facts = `${machineFacts()}; medians of ${rounds} rounds of ${seconds} s; ratios of rate, p50 and p99`;
  const text = `${table(["row", "unit", ...headings], cells, 2)}\n\n${facts}`;
  console.log(text);
  if (write) writePeers(text);
}

/** Resident memory after reads and queries. */
async function measureMemory(peers: readonly Peer[], sample: ReturnType<typeof sampleOf>): Promise<Measurement[][]> {
  const measured: Measurement[][] = [];
  for (const peer of peers) {
    await FIXTURES["200k"](peer.port, sample);
    await readDays(peer.port);
    measured.push([amount(peer.memory().resident / 1e6)]);
  }
  return measured;
}

/** For each server: rate, p50 and p99, and how many times better the first server is in each. */
function cellsOf(measured: readonly (readonly Measurement[])[]): string[] {
  const [first, ...others] = measured.map(summarize);
  if (first === undefined) return [];
  // What has no times is an amount of memory, of which less is better.
  const isRate = !Number.isNaN(first.p50Millis);
  const numbers = (each: typeof first): string[] => [each.rate, each.p50Millis, each.p99Millis].map(numberText);
  const ratios = (each: typeof first): string =>
    (isRate
      ? [first.rate / each.rate, each.p50Millis / first.p50Millis, each.p99Millis / first.p99Millis]
      : [each.rate / first.rate]
    )
      .map((ratio) => ratio.toFixed(2))
      .join(" ");
  return [...numbers(first), ...others.flatMap((each) => [...numbers(each), ratios(each)])];
}

await runCommand(parse, USAGE, run);
