import { startPostgres } from "../../test/postgres/server.js";
import type { Bench } from "../bench.js";
import { beats } from "../postgres/beats.js";
import { exports } from "../postgres/exports.js";
import { months } from "../postgres/months.js";
import { nodes } from "../postgres/nodes.js";

/** PostgreSQL on the same machine, which forces writes to the disk. Left out where it is not installed. */
export async function postgres(bench: Bench): Promise<void> {
  const server = await startPostgres({ fsync: true });
  if (server === undefined) return;
  try {
    for (const part of [beats, months, exports, nodes]) await part(bench, server.url);
  } finally {
    await server.remove();
  }
}
