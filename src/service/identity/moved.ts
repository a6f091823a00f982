import type { BucketChangeKind } from "../../storage/changes.js";

/** Buckets moved by a transaction. */
export interface Moved {
  /** IDs of buckets before and after it. */
  readonly moves: readonly { readonly from: string; readonly to: string }[];
  /** Notices for listeners, in this order. */
  readonly changes: readonly { readonly kind: BucketChangeKind; readonly bucketId: string }[];
}

/** For buckets with new IDs, or with changed records if the IDs are equal. */
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

/** For buckets that were merged into another one. */
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

/** For buckets that are separate again. */
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
