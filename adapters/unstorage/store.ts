import { ActivityError, storageClosed } from "../../src/errors.js";
import { type Logger, silentLogger } from "../../src/logger.js";
import type { StorageProblem } from "../../src/storage/health.js";
import { fromBase64, toBase64 } from "../../src/util/base64.js";
import { inTurns } from "../../src/util/time-slice.js";
import { describeSegment } from "../segments/keys.js";
import type { Commit, LogBatch, OpenedStore, SegmentName, SegmentStore } from "../segments/store.js";
import { type KeyGate, PLAIN_GATE } from "../segments/vault.js";
import { type BlobStore, inGroups, reasonOf } from "./blob-store.js";
import { type Epoch, startEpoch, takeOwnership } from "./epoch.js";
import { checkOwner } from "./fencing-token.js";
import { entriesIn, serializeManifest } from "./manifest.js";
import { isOurs, newEpoch, OWNER, parseName } from "./names.js";
import { valueAt } from "./recovered-state.js";

/** How often a value is read again if a concurrent write may have affected the read. */
const MAX_REREADS = 10;

/**
 * The byte store of the segment engine on a key-value store without order and without batches.
 *
 * One write decides: a commit first writes segments and manifests under unreferenced names, then the root. Then it
 * removes what the root no longer refers to. An append is one write of one value. Both are acknowledged if the fencing
 * token is still valid afterwards; see epoch.ts.
 */
export class BlobSegmentStore implements SegmentStore {
  readonly name: string;
  readonly #blobs: BlobStore;
  readonly #logger: Logger;
  readonly #gate: KeyGate;
  #epoch: Epoch | undefined;
  /** Epoch and number of each current segment's value, by `describeSegment`. */
  readonly #places: Map<string, string> = new Map();
  /** Number of the next segment or manifest of this epoch. */
  #nextNo = 0;
  /** Values of failed commits. A root in doubt may refer to them. */
  #orphans: string[] = [];

  constructor(blobs: BlobStore, logger: Logger = silentLogger, gate: KeyGate = PLAIN_GATE) {
    this.#gate = gate;
    this.name = blobs.title;
    this.#blobs = blobs;
    this.#logger = logger;
  }

  async open(): Promise<OpenedStore> {
    const { epoch, found } = await startEpoch(this.#blobs, this.#logger, this.#gate);
    const { root, manifests, batches, problems } = found;
    this.#places.clear();
    for (const [bucketNo, entries] of manifests) {
      for (const { segmentNo, place } of entries)
        if (place !== null) this.#places.set(describeSegment({ bucketNo, segmentNo }), place);
    }
    this.#epoch = epoch;
    this.#nextNo = 0;
    this.#orphans = [];
    return {
      root: root.text ?? undefined,
      records: root.records,
      entries: [...manifests].flatMap(([bucketNo, entries]) => entriesIn(bucketNo, entries)),
      log: batches,
      problems: () => problems,
    };
  }

  append(batch: LogBatch): Promise<void> {
    return this.#opened().log.append(batch);
  }

  /** An appended batch is already with the driver; there is no stronger guarantee. */
  force(): Promise<void> {
    return Promise.resolve();
  }

  beginLog(snapshot: LogBatch): Promise<void> {
    return this.#opened().log.begin(snapshot);
  }

  get logBytes(): number {
    return this.#epoch?.log.bytes ?? 0;
  }

  async commit(commit: Commit): Promise<void> {
    const { name, token, root, log, trash } = this.#opened();
    if (token.lost !== undefined) throw token.lost;
    const plan = await this.#plan(commit, name);
    this.#orphans.push(...plan.values.keys());
    await inGroups([...plan.values], ([each, serialize]) => this.#blobs.write(each, serialize()));
    const before = root.root;
    const { manifests, records } = plan;
    const begun = log.position && { log: log.position, nextLog: log.position.no + 1 };
    await root.write({ ...before, ...begun, commit: commit.number, text: commit.root, manifests, records });
    trash.add(this.#orphans.filter((orphan) => !plan.values.has(orphan)));
    this.#orphans = [];
    const replaced = [...before.manifests].filter(([bucketNo, place]) => manifests.get(bucketNo) !== place);
    trash.add(replaced.map(([, place]) => valueAt("manifest", place)));
    for (const [segment, place] of plan.segments) this.#places.set(segment, place);
    trash.add(commit.dropSegments.flatMap((segment) => this.#dropped(segment)));
  }

  /**
   * The failed commit does not apply. If its root is still in doubt, and the driver cannot override it now, the next
   * append or commit does so first: only a crash before that can make it current.
   */
  async recover(): Promise<number> {
    const { root, trash } = this.#opened();
    await root.settle().catch(() => undefined);
    if (!root.isInDoubt) trash.add(this.#orphans.splice(0));
    return root.root.commit;
  }

  async eraseDeleted(): Promise<void> {
    await this.#opened().trash.idle();
  }

  /** A shut-out writer can do nothing any more. */
  refusal(): Error | undefined {
    return this.#epoch?.token.lost;
  }

  async readSegment(segment: SegmentName): Promise<Uint8Array | undefined> {
    const { token } = this.#opened();
    const place = this.#places.get(describeSegment(segment));
    if (place === undefined) return undefined;
    const found = await this.#blobs.read(valueAt("segment", place));
    if (found.kind === "body") return fromBase64(found.body);
    // A shut-out writer must not report values as damaged that the next one has removed.
    await token.verify();
    if (found.kind === "missing") return undefined;
    // The engine detects damage with its own checksums.
    return found.kind === "foreign" ? new Uint8Array(0) : fromBase64(found.body);
  }

  async *segments(): AsyncGenerator<SegmentName> {
    this.#opened();
    for (const name of [...this.#places.keys()]) {
      const [bucketNo = 0, segmentNo = 0] = name.split("/").map(Number);
      yield { bucketNo, segmentNo };
    }
  }

  /** Reads owner, root, manifests and log again. */
  async check(): Promise<readonly StorageProblem[]> {
    const { token, log } = this.#opened();
    const problems: StorageProblem[] = [];
    await inGroups(this.#kept(), async (name) => {
      let found = await this.#blobs.read(name);
      // A read during a write of the same place may find half a value.
      for (let left = MAX_REREADS; found.kind !== "body" && left > 0; left--) {
        await log.written();
        const { version } = log;
        found = await this.#blobs.read(name);
        if (version % 2 === 0 && log.version === version) break;
      }
      // It was replaced since.
      if (found.kind === "body" || !this.#kept().includes(name)) return;
      await token.verify();
      const kind = found.kind === "missing" ? "missing" : "damaged";
      problems.push({ kind, message: `the value '${name}': ${reasonOf(found)}` });
    });
    return problems;
  }

  async close(): Promise<void> {
    const epoch = this.#epoch;
    if (epoch === undefined) return;
    const { root, log, trash, token } = epoch;
    if (token.lost === undefined) {
      await this.recover();
      if (log.isInDoubt) await root.write({ ...root.root, ...log.acknowledged }).catch(() => undefined);
    }
    await trash.idle();
    this.#epoch = undefined;
  }

  /**
   * Shuts out a running writer, then removes all values, the owner last. The roots go first, so that a crash leaves
   * nothing that can be opened.
   */
  async destroy(): Promise<void> {
    const blobs = this.#blobs;
    checkOwner(await blobs.read(OWNER), this.name);
    const left = async (): Promise<string[]> => (await blobs.names()).filter(isOurs);
    if ((await left()).length === 0) return;
    await takeOwnership(blobs, newEpoch());
    for (let names = await left(), count = Number.POSITIVE_INFINITY; names.length > 1; names = await left()) {
      if (names.length >= count)
        throw new ActivityError("STORAGE_FAILED", `the driver removes nothing of ${this.name}`);
      count = names.length;
      const roots = names.filter((name) => parseName(name)?.kind === "root");
      const others = names.filter((name) => name !== OWNER && !roots.includes(name));
      for (const each of [roots, others]) await inGroups(each, (name) => blobs.remove(name));
    }
    await blobs.remove(OWNER);
  }

  #opened(): Epoch {
    if (this.#epoch === undefined) throw storageClosed();
    return this.#epoch;
  }

  /** Names of all current values except segments. */
  #kept(): string[] {
    const { root, log } = this.#opened();
    const manifests = Array.from(root.root.manifests.values(), (place) => valueAt("manifest", place));
    return [OWNER, root.name, ...manifests, ...log.names];
  }

  #dropped(segment: SegmentName): string[] {
    const place = this.#places.get(describeSegment(segment));
    this.#places.delete(describeSegment(segment));
    return place === undefined ? [] : [valueAt("segment", place)];
  }

  /** Collects the values that a commit must write, under new names. */
  async #plan(commit: Commit, epoch: string): Promise<Plan> {
    const { putSegments, deleteEntries } = commit;
    const before = this.#opened().root.root;
    const values = new Map<string, () => string>();
    const segments = new Map<string, string>();
    for (const { bytes, ...segment } of putSegments) {
      const place = this.#newPlace(epoch);
      segments.set(describeSegment(segment), place);
      values.set(valueAt("segment", place), () => toBase64(bytes));
    }
    const manifests = new Map(before.manifests);
    for (const bucketNo of new Set([...putSegments, ...deleteEntries].map((each) => each.bucketNo))) {
      const entries = await inTurns(commit.entriesOf(bucketNo), ({ segmentNo, text }) => {
        const segment = describeSegment({ bucketNo, segmentNo });
        return { segmentNo, text, place: segments.get(segment) ?? this.#places.get(segment) ?? null };
      });
      manifests.delete(bucketNo);
      if (entries.length === 0) continue;
      const place = this.#newPlace(epoch);
      manifests.set(bucketNo, place);
      values.set(valueAt("manifest", place), () => serializeManifest(bucketNo, entries));
    }
    const records = new Map(before.records);
    for (const [key, value] of commit.records) {
      if (value === undefined) records.delete(key);
      else records.set(key, value);
    }
    return { values, segments, manifests, records };
  }

  #newPlace(epoch: string): string {
    return `${epoch}-${(this.#nextNo++).toString(36)}`;
  }
}

/** The values that a commit writes before the root, and their new places. */
interface Plan {
  readonly values: ReadonlyMap<string, () => string>;
  /** Places by `describeSegment`. */
  readonly segments: ReadonlyMap<string, string>;
  readonly manifests: ReadonlyMap<number, string>;
  readonly records: ReadonlyMap<string, string>;
}
