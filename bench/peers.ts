// Compares running servers of the ActivityWatch API with each other: bench/README.md, "Other servers".
import { type LoadedServer, measureHttp } from "./client/load.js";
import { positive, runCommand } from "./command.js";
import { sample as sampleOf } from "./data.js";
import { FIXTURES } from "./fixtures.js";
import { type Entrant, machineFacts, numberText, summarize, table, takeTurns } from "./measure.js";
import { isMeant, ROWS, type Row } from "./rows.js";

/** Rows that every server can do, of which some run only if they are named. */
const PEER_ROWS = ROWS.filter(
  ({ id, measureStart, onDemand }) => !measureStart && !onDemand && !isMeant(["import"], id),
);
const NAMED_ONLY = ["heartbeats/mixed", "watchers/months", "watchers/days-and-months", "watchers/hostile"];
const SLOW = ["query/month", "query/browser-month", "query/categories"];

const USAGE = `node --import tsx bench/peers.ts NAME=PORT NAME=PORT ... [ROW ...] [--rounds 3] [--seconds 1]

Measures servers that listen on this machine, in turns. It creates buckets and events, so start each with an empty data
folder. Without rows, it leaves out those that take minutes on some servers.
rows: the start of an ID, such as heartbeats/merge; all of them are
  ${PEER_ROWS.map(({ id }) => (isNamedOnly(id) ? `${id} (only if it is named)` : id)).join("\n  ")}`;

/** A server that something else started. */
class Peer implements LoadedServer {
  readonly isWatched: boolean = false;
  readonly name: string;
  readonly port: number;

  constructor(name: string, port: number) {
    this.name = name;
    this.port = port;
  }

  warmUpSeconds(seconds: number): number {
    return seconds / 2;
  }

  cpu(): number {
    return Number.NaN;
  }

  ask<Value>(): Promise<Value> {
    throw new TypeError("a server of another program takes no commands");
  }
}

interface Command {
  readonly peers: readonly Peer[];
  readonly rows: readonly Row[];
  readonly rounds: number;
  readonly seconds: number;
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
  const peers = words
    .filter((word) => word.includes("="))
    .map((word) => {
      const [name = "", port = ""] = word.split("=");
      return new Peer(name, positive(name, port));
    });
  if (peers.length === 0) throw new TypeError("name a server, such as ours=5600");
  const names = words.filter((word) => !word.includes("="));
  const unknown = names.find((name) => !PEER_ROWS.some(({ id }) => isMeant([name], id)));
  if (unknown !== undefined) throw new TypeError(`no row has an ID that begins with '${unknown}'`);
  const rows = PEER_ROWS.filter(({ id }) => (names.length === 0 ? !isNamedOnly(id) : isMeant(names, id)));
  return { peers, rows, rounds, seconds };
}

async function run({ peers, rows, rounds, seconds }: Command): Promise<void> {
  const sample = sampleOf();
  const cells: string[][] = [];
  for (const fixture of new Set(rows.map((row) => row.fixture))) {
    for (const { name, port } of peers) {
      console.error(`filling ${name}: ${fixture}`);
      await FIXTURES[fixture](port, sample);
    }
    for (const row of rows.filter((each) => each.fixture === fixture)) {
      for (const { port } of peers) await row.prepare?.(port);
      const entrants = peers.map((peer): Entrant => {
        const load = row.load?.({ port: peer.port, sample, isOurs: true });
        if (load !== undefined) return () => measureHttp(peer, load, seconds);
        return () => (row.measure as NonNullable<Row["measure"]>)(peer, seconds);
      });
      cells.push([row.id, row.unit, ...(await cellsOf(rounds, entrants))]);
      console.error(cells.at(-1)?.join("  "));
    }
  }
  const headings = peers.flatMap(({ name }, at) => [
    name,
    "p50 ms",
    "p99 ms",
    ...(at > 0 ? ["ratios of the first"] : []),
  ]);
  console.log(table(["row", "unit", ...headings], cells, 2));
  console.log(`\n${machineFacts()}; medians of ${rounds} rounds of ${seconds} s; ratios of rate, p50 and p99`);
}

/** For each server: rate, p50 and p99, and how many times better the first server is in each. */
async function cellsOf(rounds: number, entrants: readonly Entrant[]): Promise<string[]> {
  const [first, ...others] = (await takeTurns(rounds, entrants)).map(summarize);
  if (first === undefined) return [];
  const numbers = (each: typeof first): string[] => [each.rate, each.p50Millis, each.p99Millis].map(numberText);
  const ratios = (each: typeof first): string =>
    [first.rate / each.rate, each.p50Millis / first.p50Millis, each.p99Millis / first.p99Millis]
      .map((ratio) => ratio.toFixed(2))
      .join(" ");
  return [...numbers(first), ...others.flatMap((each) => [...numbers(each), ratios(each)])];
}

await runCommand(parse, USAGE, run);
