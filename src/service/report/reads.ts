// Reads of the events of one part of a period, with their versions.
import type { EventBatch } from "../../domain/batch.js";
import type { Micros } from "../../domain/time.js";
import type { BucketEvents } from "../../report/activity.js";
import { type Crossings, coveredIn, type Piece, rangeOf } from "../../report/piece.js";
import type { PieceVersions, Summaries } from "./summaries.js";
import type { ReportWork } from "./work.js";

interface ReadParts {
  readonly work: ReportWork;
  readonly kept: Summaries | undefined;
  readonly limit: Micros;
}

/** The reads of one part, and the versions that they show. */
export class Reads {
  readonly versions: Map<string, PieceVersions> = new Map();
  /** The number of events read. */
  events = 0;
  readonly #work: ReportWork;
  readonly #kept: Summaries | undefined;
  readonly #limit: Micros;
  readonly #piece: Piece;
  readonly #crossings: Crossings;

  constructor({ work, kept, limit }: ReadParts, piece: Piece, crossings: Crossings) {
    this.#work = work;
    this.#kept = kept;
    this.#limit = limit;
    this.#piece = piece;
    this.#crossings = crossings;
  }

  async all(bucketIds: readonly string[]): Promise<readonly BucketEvents[]> {
    const all: BucketEvents[] = [];
    for (const id of bucketIds) all.push({ id, events: await this.#covered(id) });
    return all;
  }

  async #covered(bucketId: string): Promise<EventBatch> {
    const [before] = await this.#work.source.versions([bucketId]);
    const [version = UNKNOWN] = (await this.#kept?.versionsOf(bucketId, [this.#piece])) ?? [];
    const { start, end } = rangeOf(this.#piece);
    const { events, version: shown } = await this.#work.read(bucketId, { start, end: Math.min(end, this.#limit) });
    // No version is used twice, so `version` was requested while the bucket was as the read shows it.
    this.versions.set(bucketId, shown !== undefined && shown === before ? version : UNKNOWN);
    this.events += events.length;
    return this.#work.finish(coveredIn(events, this.#piece, this.#crossings));
  }
}

export const UNKNOWN: PieceVersions = { text: undefined, isLasting: false };

/** The versions of several buckets in one part. */
export function allOf(versions: readonly (PieceVersions | undefined)[]): PieceVersions {
  if (versions.some((version) => version?.text === undefined)) return UNKNOWN;
  const text = JSON.stringify(versions.map((version) => version?.text));
  return { text, isLasting: versions.every((version) => version?.isLasting) };
}

/** The versions of successive parts. */
export function togetherOf(versions: readonly PieceVersions[]): PieceVersions {
  if (versions.some(({ text }) => text === undefined)) return UNKNOWN;
  return {
    text: versions.map(({ text }) => text).join("\n"),
    isLasting: versions.every(({ isLasting }) => isLasting),
  };
}
