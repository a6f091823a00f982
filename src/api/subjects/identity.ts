import type { JsonObject } from "../../domain/json.js";

/** Schemas of renaming, redirects and undo (docs/buckets.md). */
export const IDENTITY_SCHEMAS = {
  RedirectWish: {
    description: `Whether reports to the old id go to the new one: \`true\`, \`false\`, or until when.`,
    anyOf: [{ type: "boolean" }, { $ref: "TimestampInput" }],
    default: true,
  },
  PreviewWish: {
    type: "boolean",
    default: false,
    description: "Whether to tell only what would be done, and to change nothing.",
  },
  BucketRenaming: {
    description: "What a bucket is to be called.",
    required: ["to"],
    additionalProperties: false,
    properties: {
      to: { type: "string", minLength: 1, description: "The new id." },
      redirect: { $ref: "RedirectWish" },
      preview: { $ref: "PreviewWish" },
    },
  },
  HostnameChange: {
    description: "Which machine a bucket is about.",
    required: ["hostname"],
    additionalProperties: false,
    properties: {
      hostname: { type: "string" },
      preview: { $ref: "PreviewWish" },
    },
  },
  HostRenaming: {
    description: "What a machine is called now.",
    required: ["to"],
    additionalProperties: false,
    properties: {
      to: { type: "string", description: "The new hostname." },
      rename_buckets: {
        type: "boolean",
        default: false,
        description: "Whether ids that end in `_` and the old hostname end in the new one from now on.",
      },
      redirect: { $ref: "RedirectWish" },
      preview: { $ref: "PreviewWish" },
    },
  },
  BucketMerging: {
    description: "Which buckets are to become part of this one.",
    required: ["from"],
    additionalProperties: false,
    properties: {
      from: { type: "array", items: { type: "string" }, description: "Their ids; at most 100." },
      overlaps: {
        type: "string",
        enum: ["keep-both", "cut-older", "first-wins"],
        default: "keep-both",
        description: "What to do where events of different buckets overlap.",
      },
      redirect: { $ref: "RedirectWish" },
      preview: { $ref: "PreviewWish" },
    },
  },
  MergedBucket: {
    description: "What became of the events of a bucket.",
    properties: {
      bucket_id: { type: "string" },
      events: { type: "integer", minimum: 0, description: "That it had." },
      equal: { type: "integer", minimum: 0, description: "Left out, since another bucket has the same ones." },
      cut: { type: "integer", minimum: 0, description: "Shortened, where they overlapped others." },
      covered: { type: "integer", minimum: 0, description: "Left out, since others cover them." },
    },
  },
  Merging: {
    description: "What was merged, or would be.",
    properties: {
      undo: { type: ["string", "null"], description: "Undoes it; null for a preview, and without a trash." },
      into: { type: "string" },
      buckets: {
        type: "array",
        items: { $ref: "MergedBucket" },
        description: "The one that the others became part of is the first.",
      },
      redirects: { type: "array", items: { $ref: "Redirect" } },
    },
  },
  Redirect: {
    description: "An id that leads to a bucket with another one.",
    properties: {
      from: { type: "string", description: "The id that is named." },
      to: { type: "string", description: "The id of the bucket that is meant." },
      created: { $ref: "Timestamp" },
      until: { $ref: "TimestampOrNull", description: "null: until it is deleted." },
    },
  },
  Redirects: { type: "array", items: { $ref: "Redirect" }, description: "Those that are in force, the oldest first." },
  RelabelledBucket: {
    description: "A bucket with another id or hostname.",
    properties: {
      from: { type: "string", description: "Its id before." },
      to: { type: "string", description: "Its id behind it." },
      old_hostname: { type: "string" },
      hostname: { type: "string" },
      events: { type: "integer", minimum: 0 },
    },
  },
  Relabelling: {
    description: "What was changed, or would be.",
    properties: {
      undo: { type: ["string", "null"], description: "Undoes it; null for a preview, and when nothing was changed." },
      buckets: { type: "array", items: { $ref: "RelabelledBucket" } },
      redirects: {
        type: "array",
        items: { $ref: "Redirect" },
        description: "Those that are new or lead elsewhere now.",
      },
    },
  },
  Undo: {
    description: "A change that can be undone.",
    properties: {
      id: { type: "string" },
      kind: { type: "string", enum: ["rename", "host", "merge", "privacy"] },
      time: { $ref: "Timestamp" },
      expires: { $ref: "Timestamp" },
      from: { type: "array", items: { type: "string" }, description: "The buckets before." },
      to: { type: "array", items: { type: "string" }, description: "The buckets behind it." },
      events: { type: "integer", minimum: 0, description: "How many events it was about." },
    },
  },
  Undos: { type: "array", items: { $ref: "Undo" }, description: "The latest first." },
  Undone: {
    extends: "Undo",
    description: "A change that was undone.",
    properties: {
      kept: {
        type: "integer",
        minimum: 0,
        description: "Events that were changed, or moved to a third bucket, since then: these stay as they are.",
      },
    },
  },
} as const;

const UNDO: JsonObject = {
  id: "5f0c81ab42d7",
  kind: "rename",
  time: "2024-03-01T09:00:00+00:00",
  expires: "2024-03-31T09:00:00+00:00",
  from: ["window_desk"],
  to: ["window_laptop"],
  events: 2,
};

/** docs/buckets.md. */
export const IDENTITY_OPERATIONS = {
  renameBucket: {
    route: "POST /api/0/buckets/:bucketId/rename",
    call: "identity.rename",
    summary: "Give a bucket another id",
    description: "In one step: heartbeats wait for it, and none is lost or stored twice.",
    needs: "admin",
    body: "BucketRenaming",
    sends: { to: "window_laptop" },
    answer: "Relabelling",
    says: "What was changed.",
    example: {
      undo: "5f0c81ab42d7",
      buckets: [{ from: "window_desk", to: "window_laptop", old_hostname: "desk", hostname: "desk", events: 2 }],
      redirects: [{ from: "window_desk", to: "window_laptop", created: "2024-03-01T09:00:00+00:00", until: null }],
    },
    errors: ["CONFLICT", "STORAGE_UNSUPPORTED"],
  },
  setBucketHost: {
    route: "POST /api/0/buckets/:bucketId/host",
    call: "identity.setHostname",
    summary: "Set the hostname of a bucket",
    needs: "admin",
    body: "HostnameChange",
    sends: { hostname: "laptop" },
    answer: "Relabelling",
    says: "What was changed.",
    example: {
      undo: "5f0c81ab42d7",
      buckets: [{ from: "window_desk", to: "window_desk", old_hostname: "desk", hostname: "laptop", events: 2 }],
      redirects: [],
    },
    errors: ["CONFLICT", "STORAGE_UNSUPPORTED"],
  },
  renameHost: {
    route: "POST /api/0/hosts/:hostname/rename",
    call: "identity.renameHost",
    summary: "Give all buckets of a host another hostname",
    description: "All of them in one step, their ids as well if wanted.",
    needs: "admin",
    body: "HostRenaming",
    sends: { to: "laptop", rename_buckets: true, redirect: false },
    answer: "Relabelling",
    says: "What was changed.",
    example: {
      undo: "5f0c81ab42d7",
      buckets: [{ from: "window_desk", to: "window_laptop", old_hostname: "desk", hostname: "laptop", events: 2 }],
      redirects: [],
    },
    errors: ["CONFLICT", "STORAGE_UNSUPPORTED"],
  },
  mergeBuckets: {
    route: "POST /api/0/buckets/:bucketId/merge",
    call: "identity.merge",
    summary: "Merge other buckets into a bucket",
    description: "In one step, a slice at a time. The other buckets, and what is cut, go into the trash.",
    needs: "admin",
    bulk: true,
    body: "BucketMerging",
    sends: { from: ["window_old"], overlaps: "first-wins" },
    answer: "Merging",
    says: "What was merged.",
    example: {
      undo: "5f0c81ab42d7",
      into: "window_desk",
      buckets: [
        { bucket_id: "window_desk", events: 2, equal: 0, cut: 0, covered: 0 },
        { bucket_id: "window_old", events: 2, equal: 1, cut: 1, covered: 0 },
      ],
      redirects: [{ from: "window_old", to: "window_desk", created: "2024-03-01T09:00:00+00:00", until: null }],
    },
    errors: ["CONFLICT", "STORAGE_UNSUPPORTED"],
  },
  listRedirects: {
    route: "GET /api/0/redirects",
    call: "identity.redirects",
    summary: "List the ids that lead to other buckets",
    needs: "admin",
    answer: "Redirects",
    says: "The oldest first.",
    example: [{ from: "window_desk", to: "window_laptop", created: "2024-03-01T09:00:00+00:00", until: null }],
  },
  deleteRedirect: {
    route: "DELETE /api/0/redirects/:redirectedId",
    call: "identity.deleteRedirect",
    summary: "Let an id lead nowhere else any more",
    needs: "admin",
    says: "It is free again.",
  },
  listUndo: {
    route: "GET /api/0/undo",
    call: "identity.undoable",
    summary: "List the changes that can be undone",
    needs: "admin",
    answer: "Undos",
    says: "Those of the last 30 days, the latest first.",
    example: [UNDO] as JsonObject[],
  },
  undo: {
    route: "POST /api/0/undo/:undoId",
    call: "identity.undo",
    summary: "Undo a change",
    description: "What arrived meanwhile stays.",
    needs: "admin",
    bulk: true,
    answer: "Undone",
    says: "What was undone.",
    example: { ...UNDO, kept: 0 } as JsonObject,
    errors: ["CONFLICT", "STORAGE_UNSUPPORTED"],
  },
} as const;
