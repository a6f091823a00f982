import type { BucketChangeKind } from "../../storage/changes.js";

/** What a transaction has moved. */
export interface Moved {
  /** Ids of buckets before and behind it. */
  readonly moves: readonly { readonly from: string; readonly to: string }[];
  /** What listeners are told, in this order. */
  readonly changes: readonly { readonly kind: BucketChangeKind; readonly bucketId: string }[];
}

/** For buckets that have other ids, or other records where the ids are the same. */
export function relabelledMoves(buckets: readonly { readonly from: string; readonly to: string }[]): Moved {
  return {
    moves: buckets.filter(({ from, to }) => from !== to).map(({ from, to }) => ({ from, to })),
    changes: buckets.flatMap(({ from, to }): Moved["changes"] => {
      if (from === to) return [{ kind: "bucket-updated", bucketId: to }];
      return [
        { kind: "bucket-deleted", bucketId: from },
        { kind: "bucket-created", bucketId: to },
      ];
    }),
  };
}

/** For buckets that became part of another one. */
export function mergedMoves(into: string, from: readonly string[]): Moved {
  return {
    moves: from.map((bucketId) => ({ from: bucketId, to: into })),
    changes: [
      ...from.map((bucketId) => ({ kind: "bucket-deleted", bucketId }) as const),
      { kind: "events-deleted", bucketId: into },
      { kind: "events-written", bucketId: into },
    ],
  };
}

/** For buckets that are by themselves again. */
export function unmergedMoves(into: string, from: readonly string[]): Moved {
  return {
    moves: [],
    changes: [
      ...from.map((bucketId) => ({ kind: "bucket-created", bucketId }) as const),
      { kind: "events-deleted", bucketId: into },
      { kind: "events-written", bucketId: into },
    ],
  };
}
