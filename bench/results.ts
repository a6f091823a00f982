import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { judge, reasonOf } from "./goals.js";
import { machineFacts, numberText, type Result, table } from "./measure.js";

const FILE = new URL("RESULTS.md", import.meta.url);
const PEERS_HEADING = "\n## Other servers";
const HEADINGS = ["row", "one request", "unit", "ours", "floor", "ratio %", "cpu µs", "floor µs", "p50 ms", "p99 ms"];

interface Lengths {
  readonly rounds: number;
  readonly seconds: number;
}

/** A result in a few words, for the progress. */
export function summaryLine(result: Result): string {
  const { ours, unit, ratio } = result;
  const missed = judge(result).filter(({ met }) => !met);
  const text = `${numberText(ours.rate)} ${unit}${ratio === undefined ? "" : `, ${numberText(100 * ratio)} %`}`;
  return [text, ...missed.map(({ of, limit, value }) => `${of} ${numberText(value)} misses ${limit}`)].join("; ");
}

export function resultsTable(results: readonly Result[], { rounds, seconds }: Lengths): string {
  const lines = table([...HEADINGS, "goals and notes"], results.map(cellsOf), 3);
  return `${lines}\n\n${machineFacts()}; medians of ${rounds} rounds of ${seconds} s`;
}

/** Writes `bench/RESULTS.md` from one run. Its sections after the table stay. */
export function writeResults(results: readonly Result[], lengths: Lengths): void {
  const before = readFileSync(FILE, "utf8");
  const sections = before.indexOf("\n## ");
  const verdicts = results.flatMap((result) => judge(result).map(({ met }) => ({ id: result.id, met })));
  const missed = verdicts.filter(({ met }) => !met).map(({ id }) => `\`${id}\``);
  const text = `# Results

\`npm run bench -- --write\` wrote this table in one run ${runFacts()}. [ROWS.md](ROWS.md) describes
the rows.

${resultsTable(results, lengths)}

${verdicts.length - missed.length} of ${verdicts.length} goals are met. Rows that miss one: ${[...new Set(missed)].join(", ") || "none"}.
`;
  writeFileSync(FILE, text + (sections < 0 ? "" : before.slice(sections)));
}

/** Date and commit of a run. */
function runFacts(): string {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8", cwd: new URL(".", FILE) });
  return `on ${new Date().toISOString().slice(0, 10)} at commit ${commit.trim()}`;
}

/** Writes the section of `bench/RESULTS.md` about other servers, its last one. */
export function writePeers(text: string): void {
  const before = readFileSync(FILE, "utf8");
  const at = before.indexOf(PEERS_HEADING);
  const section = `${PEERS_HEADING}

\`bench/peers.ts --write\` wrote this table in one run ${runFacts()}. Above 1, our server is better.

${text}
`;
  writeFileSync(FILE, (at < 0 ? before : before.slice(0, at)) + section);
}

function cellsOf(result: Result): string[] {
  const { id, what, unit, ours, other, ratio } = result;
  const goals = judge(result).map(({ of, limit, value, met }) => {
    return `${of} ${limit}: ${numberText(value)} ${met ? "met" : "MISSED"}`;
  });
  const reason = [reasonOf(result)].filter((text) => text !== undefined);
  const notes = Object.entries(ours.notes ?? {}).map(([name, value]) => `${name} ${numberText(value)}`);
  return [
    ...[`\`${id}\``, what, unit],
    ...[ours.rate, other?.rate, ratio && 100 * ratio, ours.cpuMicros, other?.cpuMicros].map((each) => numberText(each)),
    ...[ours.p50Millis, ours.p99Millis].map((each) => numberText(each)),
    [...goals, ...reason.map((text) => `reason: ${text}`), ...notes].join("; "),
  ];
}
