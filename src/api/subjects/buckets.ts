import type { JsonObject } from "../../domain/json.js";
import { BUCKET } from "../examples.js";

/**
 * Schemas of buckets, and of documents with buckets (docs/reference/api.md#buckets,
 * docs/reference/api.md#export-and-import).
 */
export const BUCKET_SCHEMAS = {
  Bucket: {
    description: "A container for the events of one client, type and hostname.",
    properties: {
      id: { type: "string", description: "Any string; case-sensitive, not normalized." },
      name: { type: ["string", "null"], description: "A display name; null for none." },
      type: { type: "string", description: "The kind of events, such as `currentwindow`." },
      client: { type: "string", description: "The watcher that writes to it." },
      hostname: { type: "string", description: "The hostname of the computer or phone." },
      created: { $ref: "Timestamp" },
      data: { type: "object", description: "The watcher's own data." },
      metadata: { $ref: "BucketExtent" },
      last_updated: { $ref: "TimestampOrNull", description: "`metadata.end`." },
    },
  },
  BucketExtent: {
    description: "The time that the current events cover; null if the bucket is empty.",
    properties: {
      start: { $ref: "TimestampOrNull", description: "The smallest start of an event." },
      end: { $ref: "TimestampOrNull", description: "The largest end of an event." },
    },
  },
  Buckets: {
    type: "object",
    additionalProperties: { $ref: "Bucket" },
    description: "All buckets by ID, in the order of their creation.",
  },
  BucketCreation: {
    description: "A new bucket. Other fields are ignored, including `id`, because the path has the ID.",
    required: ["type", "client", "hostname"],
    properties: {
      type: { type: "string", description: "The kind of events; may be empty." },
      client: { type: "string", description: "The watcher that writes to it; may be empty." },
      hostname: {
        type: "string",
        description: `The machine's hostname; may be empty. \`!local\` becomes the server's hostname. Then the server
          adds its device ID as \`data.device_id\`.`,
      },
      name: { type: ["string", "null"], description: "A display name." },
      created: {
        description: "The creation time. Missing or null: now.",
        anyOf: [{ $ref: "TimestampInput" }, { type: "null" }],
      },
      data: { type: ["object", "null"], description: "The watcher's own data; `{}` by default." },
      events: { type: ["array", "null"], items: { $ref: "Heartbeat" }, description: "First events." },
    },
  },
  BucketPatch: {
    description: "Fields to change. Missing and null fields stay. Other fields are ignored.",
    required: [],
    properties: {
      type: { type: ["string", "null"] },
      client: { type: ["string", "null"] },
      hostname: { type: ["string", "null"] },
      name: { type: ["string", "null"] },
      data: { type: ["object", "null"], description: "Replaces the old object." },
    },
  },
  ExportedEvent: {
    description: "An event without its ID, which is only valid in its bucket.",
    properties: { timestamp: { $ref: "Timestamp" }, duration: { $ref: "Duration" }, data: { $ref: "EventData" } },
  },
  ExportedBucket: {
    description: "A bucket with all its events, newest first.",
    properties: {
      id: { type: "string" },
      name: { type: ["string", "null"] },
      type: { type: "string" },
      client: { type: "string" },
      hostname: { type: "string" },
      created: { $ref: "Timestamp" },
      data: { type: "object" },
      events: { type: "array", items: { $ref: "ExportedEvent" } },
    },
  },
  ExportDocument: {
    description: "Buckets with their events, without settings.",
    properties: { buckets: { type: "object", additionalProperties: { $ref: "ExportedBucket" } } },
  },
  ImportedBucket: {
    description: "A bucket to import. Other fields are ignored.",
    required: ["type", "client", "hostname"],
    properties: {
      id: { type: ["string", "null"], description: "Missing or null: the bucket's key in the document." },
      name: { type: ["string", "null"] },
      type: { type: "string" },
      client: { type: "string" },
      hostname: { type: "string" },
      created: { description: "Missing or null: now.", anyOf: [{ $ref: "TimestampInput" }, { type: "null" }] },
      data: { type: ["object", "null"] },
      events: {
        type: ["array", "null"],
        items: { $ref: "Heartbeat" },
        description: "In any order. Invalid events are skipped and counted.",
      },
    },
  },
  ImportDocument: {
    description: "An export document from this server or a compatible one.",
    properties: { buckets: { type: "object", additionalProperties: { $ref: "ImportedBucket" } } },
  },
  ImportForm: {
    type: "object",
    description:
      "A form with at least one part. Each part is such a document, as a file or a plain field under any name.",
    additionalProperties: { type: "string", description: "The document as JSON." },
  },
  ImportCounts: {
    description: "The numbers of created, merged and skipped items.",
    required: ["buckets_created", "buckets_merged", "events_imported", "events_already_there", "events_invalid"],
    properties: {
      buckets_created: { type: "integer", minimum: 0, description: "New buckets." },
      buckets_merged: { type: "integer", minimum: 0, description: "Existing buckets, which keep their record." },
      events_imported: { type: "integer", minimum: 0 },
      events_already_there: {
        type: "integer",
        minimum: 0,
        description: "Skipped, because the bucket has an event with the same timestamp, duration and data.",
      },
      events_invalid: { type: "integer", minimum: 0, description: "Skipped, because they are invalid." },
      events_dropped: { type: "integer", minimum: 1, description: "Skipped by privacy rules. Missing if zero." },
      events_changed: {
        type: "integer",
        minimum: 1,
        description: "Changed by privacy rules, including events that existed. Missing if zero.",
      },
    },
  },
} as const;

/** docs/reference/api.md#creating-changing-and-deleting-buckets, docs/reference/keys.md#protected-buckets. */
export const BUCKET_OPERATIONS = {
  listBuckets: {
    route: "GET /api/0/buckets",
    summary: "List all buckets",
    needs: "listed",
    call: "buckets.list",
    raw: true,
    answer: "Buckets",
    example: { window_desk: BUCKET } as JsonObject,
  },
  getBucket: {
    route: "GET /api/0/buckets/:bucketId",
    summary: "Get a bucket",
    needs: "read",
    call: "buckets.get",
    raw: true,
    answer: "Bucket",
    says: "The bucket.",
    example: BUCKET as JsonObject,
  },
  createBucket: {
    route: "POST /api/0/buckets/:bucketId",
    creates: true,
    summary: "Create a bucket",
    description: "The bucket and its events are stored together or not at all.",
    watcher: true,
    needs: "append",
    body: "BucketCreation",
    sends: { type: "currentwindow", client: "my-watcher", hostname: "desk" },
    says: "The bucket was created.",
    unchanged: "A bucket with this ID exists and stays unchanged.",
    errors: ["VETOED", "CONFLICT"],
  },
  updateBucket: {
    route: "PUT /api/0/buckets/:bucketId",
    summary: "Change fields of a bucket",
    needs: "write",
    call: "buckets.update",
    body: "BucketPatch",
    sends: { name: "Windows of my desk" },
    says: "The bucket was changed.",
    errors: ["VETOED"],
  },
  deleteBucket: {
    route: "DELETE /api/0/buckets/:bucketId",
    summary: "Delete a bucket and all its events",
    description: `Without \`force=1\`, the server returns 401, unless it is in testing mode. You can restore the bucket
      from the trash, unless \`permanent=true\` is set.`,
    needs: "write",
    parameters: ["force", "permanent"],
    says: "The bucket was deleted.",
    headers: { "X-Activity-Trash-Entry": "The trash entry that restores the bucket, if there is one." },
    errors: ["VETOED", "CONFLICT"],
  },
  getBucketAccess: {
    route: "GET /api/0/buckets/:bucketId/access",
    call: "buckets.getAccess",
    returns: "access",
    summary: "Get a bucket's access",
    needs: "read",
    answer: "BucketAccess",
    example: { access: "open" },
  },
  setBucketAccess: {
    route: "PUT /api/0/buckets/:bucketId/access",
    call: "buckets.setAccess",
    takes: "access",
    returns: "access",
    summary: "Set a bucket's access",
    description: `\`append-only\` allows heartbeats and events without IDs, but no replacement or deletion.
      \`read-only\` allows no change. Admin keys and your app itself are exempt. If keys exist, this needs an admin
      key.`,
    needs: "owner",
    body: "BucketAccess",
    sends: { access: "append-only" },
    answer: "BucketAccess",
    example: { access: "append-only" },
    errors: ["CONFLICT"],
  },
} as const;
