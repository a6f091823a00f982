import { backups } from "./backups.js";
import { buckets } from "./buckets.js";
import { bind, type ContractCase, type ContractOptions, type Scenario } from "./case.js";
import { changes } from "./changes.js";
import { creations } from "./creations.js";
import { erasures } from "./erasures.js";
import { events } from "./events.js";
import { heartbeats } from "./heartbeats.js";
import { ids } from "./ids.js";
import { kinds } from "./kinds.js";
import { lateBeats } from "./late-beats.js";
import { lifecycle } from "./lifecycle.js";
import { mergeTargets } from "./merge-targets.js";
import { merges } from "./merges.js";
import { openings } from "./openings.js";
import { puts } from "./puts.js";
import { ranges } from "./ranges.js";
import { reads } from "./reads.js";
import { records } from "./records.js";
import { settings } from "./settings.js";
import { spaces } from "./spaces.js";
import { summaries } from "./summaries.js";
import { transactionRefusals } from "./transaction-refusals.js";
import { transactionTurns } from "./transaction-turns.js";
import { transactionViews } from "./transaction-views.js";
import { transactions } from "./transactions.js";
import { verifications } from "./verifications.js";
import { versions } from "./versions.js";
import { volume } from "./volume.js";

export type { ContractCase, ContractOptions } from "./case.js";

const SCENARIOS: readonly Scenario[] = [
  openings,
  lifecycle,
  buckets,
  creations,
  summaries,
  puts,
  merges,
  events,
  ids,
  ranges,
  reads,
  versions,
  changes,
  heartbeats,
  mergeTargets,
  lateBeats,
  settings,
  records,
  transactions,
  transactionViews,
  transactionRefusals,
  transactionTurns,
  spaces,
  erasures,
  backups,
  verifications,
  kinds,
  volume,
].flat();

/** What is read in these cases is read again as JSON texts. */
const READING: readonly Scenario[] = [events, ranges, reads, kinds].flat();

/**
 * Every promise of the `Storage` interface as a case that any test runner can run. A case opens its own storage,
 * closes it, and rejects with an `AssertionError` whose message names the broken promise, also when a call rejects that
 * should not, answers something of another kind or never ends. Cases share nothing.
 *
 * ```ts
 * // node:test
 * import test from "node:test";
 * import { storageContract } from "activity-server/contract";
 * for (const { name, run } of storageContract({ create: () => openMine() })) test(name, run);
 *
 * // uvu
 * const test = suite("my adapter");
 * for (const { name, run } of storageContract({ create: () => openMine() })) test(name, run);
 * test.run();
 *
 * // vitest
 * for (const { name, run } of storageContract({ create: () => openMine() })) test(name, run, 60_000);
 * ```
 *
 * `storage.traits` decide what is demanded: reads are checked for being snapshots only where `snapshotReads`, and data
 * for outliving a reopening only where `durability` is not `nothing`; then `options.reopen` must be given. Where
 * `multiProcess`, `options.second` must be given, and all cases run once more with two storages in turn.
 *
 * @example
 * storageContract({
 *   create: async () => leveldb({ path: await mkdtemp(join(tmpdir(), "contract-")) }),
 *   reopen: async (storage) => { await storage.close(); return leveldb({ path: pathOf(storage) }); },
 * });
 */
export function storageContract(options: ContractOptions): readonly ContractCase[] {
  const fits = ({ needs }: Scenario): boolean => needs !== "reopen" || options.reopen !== undefined;
  const scenarios = SCENARIOS.filter(fits);
  return [
    ...scenarios.map((scenario) => bind(scenario, options)),
    ...READING.filter(fits).map((scenario) => bind(scenario, options, "texts")),
    ...(options.second === undefined ? [] : scenarios.map((scenario) => bind(scenario, options, "two processes"))),
  ];
}
