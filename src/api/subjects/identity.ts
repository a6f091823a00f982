import type { JsonObject } from "../../domain/json.js";

/** Schemas of renaming, redirects and undo (docs/guides/buckets.md). */
export const IDENTITY_SCHEMAS = {
  RedirectWish: {
    description: `Redirects reports to the old ID to the new one: \`true\`, \`false\`, or the time when this ends.`,
    anyOf: [{ type: "boolean" }, { $ref: "TimestampInput" }],
    default: true,
  },
  PreviewWish: { type: "boolean", default: false, description: "Only return the preview, and change nothing." },
  BucketRenaming: {
    description: "A bucket's new ID.",
    required: ["to"],
    additionalProperties: false,
    properties: {
      to: { type: "string", minLength: 1, description: "The new ID." },
      redirect: { $ref: "RedirectWish" },
      preview: { $ref: "PreviewWish" },
    },
  },
  HostnameChange: {
    description: "A bucket's new hostname.",
    required: ["hostname"],
    additionalProperties: false,
    properties: { hostname: { type: "string" }, preview: { $ref: "PreviewWish" } },
  },
  HostRenaming: {
    description: "A host's new name.",
    required: ["to"],
    additionalProperties: false,
    properties: {
      to: { type: "string", description: "The new hostname." },
      rename_buckets: {
        type: "boolean",
        default: false,
        description: "Whether IDs that end in `_` and the old hostname change to the new hostname.",
      },
      redirect: { $ref: "RedirectWish" },
      preview: { $ref: "PreviewWish" },
    },
  },
  BucketMerging: {
    description: "The buckets to merge into this one.",
    required: ["from"],
    additionalProperties: false,
    properties: {
      from: {
        type: "array",
        items: { type: "string" },
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: "The buckets' IDs.",
      },
      overlaps: {
        type: "string",
        enum: ["keep-both", "cut-older", "first-wins"],
        default: "keep-both",
        description: "The rule for overlapping events of different buckets.",
      },
      redirect: { $ref: "RedirectWish" },
      preview: { $ref: "PreviewWish" },
    },
  },
  MergedBucket: {
    description: "The events of a bucket in a merge.",
    properties: {
      bucket_id: { type: "string" },
      events: { type: "integer", minimum: 0, description: "The number of its events." },
      equal: { type: "integer", minimum: 0, description: "Omitted, because another bucket has equal events." },
      cut: { type: "integer", minimum: 0, description: "Shortened, because they overlapped others." },
      covered: { type: "integer", minimum: 0, description: "Omitted, because others cover them." },
    },
  },
  Merging: {
    description: "A merge or its preview.",
    properties: {
      undo: { type: ["string", "null"], description: "The ID to undo it; null for a preview, and without a trash." },
      into: { type: "string" },
      buckets: { type: "array", items: { $ref: "MergedBucket" }, description: "The target bucket is first." },
      redirects: { type: "array", items: { $ref: "Redirect" } },
    },
  },
  Redirect: {
    description: "An old ID that redirects to a bucket.",
    properties: {
      from: { type: "string", description: "The old ID." },
      to: { type: "string", description: "The ID of the redirect's bucket." },
      created: { $ref: "Timestamp" },
      until: { $ref: "TimestampOrNull", description: "null: until it is deleted." },
    },
  },
  Redirects: { type: "array", items: { $ref: "Redirect" }, description: "Active redirects, oldest first." },
  RelabelledBucket: {
    description: "A bucket with its new ID or hostname.",
    properties: {
      from: { type: "string", description: "The old ID." },
      to: { type: "string", description: "The new ID." },
      old_hostname: { type: "string" },
      hostname: { type: "string" },
      events: { type: "integer", minimum: 0 },
    },
  },
  Relabelling: {
    description: "A change or its preview.",
    properties: {
      undo: { type: ["string", "null"], description: "The ID to undo it; null for a preview, and if nothing changed." },
      buckets: { type: "array", items: { $ref: "RelabelledBucket" } },
      redirects: { type: "array", items: { $ref: "Redirect" }, description: "New and changed redirects." },
    },
  },
  Undo: {
    description: "A change that you can undo.",
    properties: {
      id: { type: "string" },
      kind: { type: "string", enum: ["rename", "host", "merge", "privacy"] },
      time: { $ref: "Timestamp" },
      expires: { $ref: "Timestamp" },
      from: { type: "array", items: { type: "string" }, description: "The buckets before the change." },
      to: { type: "array", items: { type: "string" }, description: "The buckets after the change." },
      events: { type: "integer", minimum: 0, description: "The number of affected events." },
    },
  },
  Undos: { type: "array", items: { $ref: "Undo" }, description: "The changes of the last 30 days, newest first." },
  Undone: {
    extends: "Undo",
    description: "An undone change.",
    properties: {
      kept: {
        type: "integer",
        minimum: 0,
        description: "Events that were changed or moved to a third bucket since then. They stay unchanged.",
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

/** docs/guides/buckets.md. */
export const IDENTITY_OPERATIONS = {
  renameBucket: {
    route: "POST /api/0/buckets/:bucketId/rename",
    call: "identity.rename",
    summary: "Rename a bucket",
    description: "Renames in one step. Heartbeats wait in the meantime, and none is lost or stored twice.",
    needs: "admin",
    body: "BucketRenaming",
    sends: { to: "window_laptop" },
    answer: "Relabelling",
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
    summary: "Set a bucket's hostname",
    needs: "admin",
    body: "HostnameChange",
    sends: { hostname: "laptop" },
    answer: "Relabelling",
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
    summary: "Rename a host",
    description: "Changes all its buckets in one step, and their IDs if requested.",
    needs: "admin",
    body: "HostRenaming",
    sends: { to: "laptop", rename_buckets: true, redirect: false },
    answer: "Relabelling",
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
    description:
      "Merges in one step, with pauses for other requests. The other buckets and cut events go into the trash.",
    needs: "admin",
    bulk: true,
    body: "BucketMerging",
    sends: { from: ["window_old"], overlaps: "first-wins" },
    answer: "Merging",
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
    summary: "List redirects",
    needs: "admin",
    answer: "Redirects",
    example: [{ from: "window_desk", to: "window_laptop", created: "2024-03-01T09:00:00+00:00", until: null }],
  },
  deleteRedirect: {
    route: "DELETE /api/0/redirects/:redirectedId",
    call: "identity.deleteRedirect",
    summary: "Delete a redirect",
    needs: "admin",
    says: "The redirect was deleted. Its old ID is free again.",
  },
  listUndo: {
    route: "GET /api/0/undo",
    call: "identity.undoable",
    summary: "List changes that you can undo",
    needs: "admin",
    answer: "Undos",
    example: [UNDO] as JsonObject[],
  },
  undo: {
    route: "POST /api/0/undo/:undoId",
    call: "identity.undo",
    summary: "Undo a change",
    description: "Events that arrived since then stay.",
    needs: "admin",
    bulk: true,
    answer: "Undone",
    example: { ...UNDO, kept: 0 } as JsonObject,
    errors: ["CONFLICT", "STORAGE_UNSUPPORTED"],
  },
} as const;
