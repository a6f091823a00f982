// Memory of idle tenants: node bench/scale/tenants.mjs [memory|leveldb|postgres]. Uses the build in dist.
// Each tenant creates a bucket, reports a heartbeat and runs a query, then does nothing. For postgres, set DATABASE_URL.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createTenants } from "activity-server";

const COUNT = 500;
const WARM = 20;
const [kind = "memory"] = process.argv.slice(2);

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
const folder = mkdtempSync(path.join(tmpdir(), "tenants-"));

/** Returns a function that creates a tenant's storage. */
async function storages() {
  if (kind === "leveldb") {
    const { leveldb } = await import("activity-server/leveldb");
    return (id) => leveldb({ path: path.join(folder, id) });
  }
  if (kind === "postgres") {
    const { postgres } = await import("activity-server/postgres");
    const { default: pg } = await import("pg");
    const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
    return (id) => postgres({ pool, namespace: `tenants-bench ${process.pid} ${id}` });
  }
  const { memory } = await import("activity-server/memory");
  return () => memory();
}

const storageOf = await storages();
const tenants = createTenants({
  open: (id) => ({ storage: storageOf(id), quota: { events: 1_000_000 } }),
  max: COUNT + WARM,
  idleMillis: 3_600_000,
});

async function use(from, to) {
  for (let index = from; index < to; index++) {
    await tenants.use(`tenant-${index}`, async (server) => {
      await server.buckets.create("window", { type: "currentwindow", client: "bench", hostname: "bench" });
      await server.heartbeat("window", { timestamp: new Date(), data: { app: "a", title: "b" } }, "60s");
      await server.query({ timeperiods: ["2024-03-01/2024-03-02"], query: ['RETURN = query_bucket("window");'] });
    });
  }
}

async function used() {
  for (let round = 0; round < 3; round++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}

try {
  await use(0, WARM);
  const before = await used();
  await use(WARM, WARM + COUNT);
  const after = await used();
  const each = (name) => `${((after[name] - before[name]) / COUNT / 1000).toFixed(1)} kB`;
  console.log(`${kind}: ${each("heap")} of heap and ${each("rss")} of the process for each idle tenant`);
} finally {
  await tenants.close();
  rmSync(folder, { recursive: true });
}
process.exit();
