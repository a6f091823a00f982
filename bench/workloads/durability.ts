import type { Bench } from "../bench.js";
import { type ServerName, withStarted } from "../servers.js";
import { type Choice, holdBeats } from "./heartbeats.js";

const CHOICES: readonly Choice[] = [
  { id: "durability/merge/http/1", kind: "merge", connections: 1 },
  { id: "durability/merge/http/64", kind: "merge", connections: 64 },
  { id: "durability/insert/http/64", kind: "insert", connections: 64 },
];

/**
 * How many heartbeats a second are taken when each is answered after its fsync. The floor is a `node:http` server that
 * puts the body into LevelDB with one fsync for all that arrived meanwhile.
 */
export async function durability(bench: Bench): Promise<void> {
  const wanted = CHOICES.filter(({ id }) => bench.wants(id));
  if (wanted.length === 0) return;
  const starts = new Map<ServerName, readonly string[]>([
    ["floor", ["synced-floor", bench.temporaryFolder()]],
    ["leveldb", ["leveldb", bench.temporaryFolder(), "power-loss"]],
  ]);
  await withStarted(bench, starts, (servers) => holdBeats(bench, servers, wanted));
}
