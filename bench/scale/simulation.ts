// node --import tsx bench/scale/simulation.ts: what one node and one PostgreSQL on this machine take from many users, and
// what 1,000, 100,000 and 10 million users would need. After a build.
import { parseArgs } from "node:util";
import pg from "pg";
import { startPostgres } from "../../test/postgres/server.js";
import { Child } from "../children.js";
import { quantile } from "../client/load.js";
import { positive, runCommand } from "../command.js";
import { machineFacts } from "../table.js";
import { ASSUMPTIONS, type Assumptions, type Cost, costOf, type Measured } from "./costs.js";
import { databaseCpu } from "./database-cpu.js";

const NAMES = Object.keys(ASSUMPTIONS) as (keyof Assumptions)[];
const SIZES = [1_000, 100_000, 10_000_000];
const FIRST_RATE = 200;
const GROWTH = 1.4;
const USAGE = `node --import tsx bench/scale/simulation.ts [--users N] [--seconds S] [--p99 MILLIS]
assumptions: ${NAMES.map((name) => `[--${name} ${ASSUMPTIONS[name]}]`).join(" ")}`;

interface Command {
  readonly users: number;
  readonly seconds: number;
  /** Milliseconds that the slowest of a hundred beats may wait. */
  readonly p99: number;
  readonly assumed: Assumptions;
}

/** @throws TypeError for arguments that cannot be meant */
function parseCommand(): Command {
  const string = { type: "string" } as const;
  const known = {
    users: string,
    seconds: string,
    p99: string,
    ...Object.fromEntries(NAMES.map((name) => [name, string])),
  };
  const values = parseArgs({ options: known }).values as Readonly<Record<string, string | undefined>>;
  const number = (name: string, byDefault: number): number => positive(name, values[name] ?? String(byDefault));
  const assumed = Object.fromEntries(NAMES.map((name) => [name, number(name, ASSUMPTIONS[name])]));
  return {
    users: number("users", 500),
    seconds: number("seconds", 2),
    p99: number("p99", 100),
    assumed: { ...ASSUMPTIONS, ...assumed },
  };
}

interface Step extends Omit<Measured, "eventBytes"> {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

interface Driven {
  readonly seconds: number;
  readonly latencies: Float64Array;
  readonly cpuMicros: number;
}

/** One stretch of load. */
async function step(node: Child, admin: pg.Client, beatsPerSecond: number, seconds: number): Promise<Step> {
  const before = await databaseCpu(admin);
  const { latencies, seconds: took, cpuMicros } = await node.ask<Driven>("drive", { beatsPerSecond, seconds });
  return {
    rate: latencies.length / took,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    nodeMicros: cpuMicros / latencies.length,
    databaseMicros: ((await databaseCpu(admin)) - before) / latencies.length,
  };
}

/** Raises the rate until beats wait too long. @returns the highest one at which they did not */
async function highest(node: Child, admin: pg.Client, { seconds, p99 }: Command): Promise<Step> {
  let best = await step(node, admin, FIRST_RATE, seconds);
  for (let rate = FIRST_RATE * GROWTH; ; rate *= GROWTH) {
    const next = await step(node, admin, rate, seconds);
    console.error(`${rate.toFixed(0)} beats/s were sent: ${line(next)}`);
    if (next.p99 > p99) return best;
    best = next;
  }
}

function line({ rate, p50, p99, nodeMicros, databaseMicros }: Step): string {
  const cpu = `node ${nodeMicros.toFixed(0)} us, database ${databaseMicros.toFixed(0)} us of CPU each`;
  return `${rate.toFixed(0)} beats/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${cpu}`;
}

function stepLine(name: string, { rate, nodeMicros, databaseMicros }: Step): string {
  const beats = Math.round(rate).toLocaleString("en-US");
  return `| ${name} | ${beats} | ${nodeMicros.toFixed(0)} µs | ${databaseMicros.toFixed(0)} µs |`;
}

/** Bytes of an event, its share of the indexes included. */
async function eventBytes(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query(`
    select pg_total_relation_size('activity_server.events') / count(*)::float8 as bytes from activity_server.events`);
  return Number(rows[0].bytes);
}

function costLine(cost: Cost): string {
  const cells = [cost.beatsPerSecond, cost.nodeCores, cost.databaseCores, cost.databases, cost.gigabytes, cost.price];
  const words = [cost.users, ...cells].map((value) => Math.round(value).toLocaleString("en-US"));
  return `| ${[...words, `${(cost.price / cost.users).toFixed(3)}`].join(" | ")} |`;
}

async function simulate(command: Command): Promise<void> {
  const server = await startPostgres({ fsync: true });
  if (server === undefined) return;
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  const node = await Child.start({ script: "scale/users.mjs", args: [server.url] });
  try {
    const seen = new Map<string, Step>();
    for (const [name, isShared] of [
      ["one namespace", true],
      ["a namespace each", false],
    ] as const) {
      await node.ask("prepare", { count: command.users, isShared, name });
      // Compiles, and lets autovacuum see the tables.
      await step(node, admin, FIRST_RATE, command.seconds);
      seen.set(name, await highest(node, admin, command));
    }
    console.log(`${machineFacts()}; ${command.users} users, p99 at most ${command.p99} ms\n`);
    for (const [name, each] of seen) console.log(`${name}: ${line(each)}`);
    console.log("\n| all users in | beats/s | CPU of the node for a beat | CPU of the database for a beat |");
    console.log("|---|---|---|---|");
    for (const [name, each] of seen) console.log(stepLine(name, each));
    const each = seen.get("a namespace each") as Step;
    const measured = { ...each, eventBytes: await eventBytes(admin) };
    console.log(`\nan event takes ${measured.eventBytes.toFixed(0)} bytes\n`);
    console.log(`assumed: ${JSON.stringify(command.assumed)}\n`);
    console.log(
      "| users | beats/s at the peak | node cores | database cores | databases | GB after a year | a month | per user |",
    );
    console.log("|---|---|---|---|---|---|---|---|");
    for (const users of SIZES) console.log(costLine(costOf(users, measured, command.assumed)));
  } finally {
    await node.stop();
    await admin.end();
    await server.remove();
  }
}

await runCommand(parseCommand, USAGE, simulate);
