import fs from "node:fs";
import type pg from "pg";

/** What the kernel counts in, on Linux. */
const TICKS_PER_SECOND = 100;

/** Microseconds of CPU that all processes of a PostgreSQL on this machine have used; NaN where that cannot be seen. */
export async function databaseCpu(client: pg.Client): Promise<number> {
  if (process.platform !== "linux") return Number.NaN;
  const { rows } = await client.query("select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid");
  const first = Number(rows[0].pid);
  const ticks = fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ticksOf(Number(name), first));
  return (ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND) * 1e6;
}

/** Those of one process, if it is the first one of the server, with the children that have ended, or a child of it. */
function ticksOf(pid: number, first: number): number {
  let text: string;
  try {
    text = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return 0;
  }
  // Behind the name, which may hold anything: state, parent, and from the 12th field on the times.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [own, withChildren] = [fields.slice(11, 13), fields.slice(11, 15)];
  const counted = pid === first ? withChildren : Number(fields[1]) === first ? own : [];
  return counted.reduce((sum, field) => sum + Number(field), 0);
}
