// A measured server that answers queries: plain JavaScript on the built package, started by bench/children.ts.
// node bench/query/server.mjs memory | leveldb FOLDER | postgres URL
import { createActivityServer } from "activity-server";
import { answerParent } from "../probe.mjs";

const [kind, place] = process.argv.slice(2);
const OPEN = {
  memory: async () => (await import("activity-server/memory")).memory(),
  leveldb: async () => (await import("activity-server/leveldb")).leveldb({ path: place }),
  postgres: async () => (await import("activity-server/postgres")).postgres({ connectionString: place }),
};
const storage = await OPEN[kind]();
const server = createActivityServer({ storage });
const listener = await server.listen({ port: 0, host: "127.0.0.1" });

answerParent(
  {
    /** Milliseconds that reading and decoding ranges takes: the least that any query over them has to do. */
    async read(ranges) {
      const started = performance.now();
      let count = 0;
      for (const { bucketId, start, end } of ranges) {
        const { batches } = await storage.read(bucketId, { start, end, order: "oldest" });
        for await (const batch of batches) count += batch.length;
      }
      if (count === 0) throw new Error("nothing was read");
      return performance.now() - started;
    },
    close: () => server.close(),
  },
  listener.port,
);
