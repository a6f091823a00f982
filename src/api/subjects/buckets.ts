import type { JsonObject } from "../../domain/json.js";
import { BUCKET } from "../examples.js";

/** Schemas of buckets, and of documents that hold them (docs/api.md#buckets, docs/api.md#export-and-import). */
export const BUCKET_SCHEMAS = {
  Bucket: {
    description: "A container of the events of one client, type and hostname.",
    properties: {
      id: { type: "string", description: "Any text; case-sensitive, not normalised." },
      name: { type: ["string", "null"], description: "For people; null when none was given." },
      type: { type: "string", description: "What kind of events it holds, such as `currentwindow`." },
      client: { type: "string", description: "The watcher that writes it." },
      hostname: { type: "string", description: "The machine that it is about." },
      created: { $ref: "Timestamp" },
      data: { type: "object", description: "Whatever the watcher keeps with the bucket." },
      metadata: { $ref: "BucketExtent" },
      last_updated: { $ref: "TimestampOrNull", description: "`metadata.end`." },
    },
  },
  BucketExtent: {
    description: "What the events cover that the bucket holds now; null when it holds none.",
    properties: {
      start: { $ref: "TimestampOrNull", description: "The smallest start of an event." },
      end: { $ref: "TimestampOrNull", description: "The largest end of an event." },
    },
  },
  Buckets: {
    type: "object",
    additionalProperties: { $ref: "Bucket" },
    description: "Buckets by their ids.",
  },
  BucketCreation: {
    description: "A bucket to be created. Other fields are ignored, an `id` as well: the path decides.",
    required: ["type", "client", "hostname"],
    properties: {
      type: { type: "string", description: "What kind of events it holds; may be empty." },
      client: { type: "string", description: "The watcher that writes it; may be empty." },
      hostname: {
        type: "string",
        description: `The machine that it is about; may be empty. \`!local\` becomes the host name of the server, and
          \`data.device_id\` its device id.`,
      },
      name: { type: ["string", "null"], description: "For people." },
      created: {
        description: "When the bucket came into being. Absent or null: now.",
        anyOf: [{ $ref: "TimestampInput" }, { type: "null" }],
      },
      data: { type: ["object", "null"], description: "Whatever the watcher keeps with the bucket, `{}` by default." },
      events: { type: ["array", "null"], items: { $ref: "Heartbeat" }, description: "Events to begin with." },
    },
  },
  BucketPatch: {
    description: "Fields of a bucket to change. Those that are absent or null stay; others are ignored.",
    required: [],
    properties: {
      type: { type: ["string", "null"] },
      client: { type: ["string", "null"] },
      hostname: { type: ["string", "null"] },
      name: { type: ["string", "null"] },
      data: { type: ["object", "null"], description: "Takes the place of the old one as a whole." },
    },
  },
  ExportedEvent: {
    description: "An event without its id, which has no meaning elsewhere.",
    properties: {
      timestamp: { $ref: "Timestamp" },
      duration: { $ref: "Duration" },
      data: { $ref: "EventData" },
    },
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
    description: "Buckets with their events. Settings are not in it.",
    properties: {
      buckets: { type: "object", additionalProperties: { $ref: "ExportedBucket" } },
    },
  },
  ImportedBucket: {
    description: "A bucket of a document to be imported. Other fields are ignored.",
    required: ["type", "client", "hostname"],
    properties: {
      id: { type: ["string", "null"], description: "Absent or null: the key under which the bucket stands." },
      name: { type: ["string", "null"] },
      type: { type: "string" },
      client: { type: "string" },
      hostname: { type: "string" },
      created: { description: "Absent or null: now.", anyOf: [{ $ref: "TimestampInput" }, { type: "null" }] },
      data: { type: ["object", "null"] },
      events: {
        type: ["array", "null"],
        items: { $ref: "Heartbeat" },
        description: "In any order. One that is not valid is left out and counted.",
      },
    },
  },
  ImportDocument: {
    description: "A document as an export gives it, of this server or of one that it is compatible with.",
    properties: {
      buckets: { type: "object", additionalProperties: { $ref: "ImportedBucket" } },
    },
  },
  ImportForm: {
    type: "object",
    description: "A form whose parts are such documents, as files or plain fields under any name; at least one.",
    additionalProperties: { type: "string", description: "The JSON text of a document." },
  },
  ImportCounts: {
    description: "What an import did.",
    required: ["buckets_created", "buckets_merged", "events_imported", "events_already_there", "events_invalid"],
    properties: {
      buckets_created: { type: "integer", minimum: 0, description: "Buckets that did not exist before." },
      buckets_merged: { type: "integer", minimum: 0, description: "Buckets that existed; they keep their record." },
      events_imported: { type: "integer", minimum: 0 },
      events_already_there: {
        type: "integer",
        minimum: 0,
        description: "Left out: the bucket held the same instant, duration and data.",
      },
      events_invalid: { type: "integer", minimum: 0, description: "Left out: not valid as events." },
      events_dropped: {
        type: "integer",
        minimum: 1,
        description: "Left out: dropped by privacy rules. Absent when none were.",
      },
      events_changed: {
        type: "integer",
        minimum: 1,
        description: "Changed by privacy rules, events that were already there included. Absent when none were.",
      },
    },
  },
} as const;

/** docs/api.md#creating-changing-and-deleting-buckets. */
export const BUCKET_OPERATIONS = {
  listBuckets: {
    route: "GET /api/0/buckets",
    summary: "List all buckets",
    needs: "listed",
    call: "buckets.list",
    raw: true,
    answer: "Buckets",
    says: "All buckets by their ids, in the order of their creation.",
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
    description: "The bucket and the events that come with it are stored together or not at all.",
    watcher: true,
    needs: "append",
    body: "BucketCreation",
    sends: { type: "currentwindow", client: "my-watcher", hostname: "desk" },
    says: "It was created.",
    unchanged: "There is a bucket with this id, which stays as it is.",
    errors: ["VETOED", "CONFLICT"],
  },
  updateBucket: {
    route: "PUT /api/0/buckets/:bucketId",
    summary: "Change fields of a bucket",
    needs: "write",
    call: "buckets.update",
    body: "BucketPatch",
    sends: { name: "Windows of my desk" },
    says: "It was changed.",
    errors: ["VETOED"],
  },
  deleteBucket: {
    route: "DELETE /api/0/buckets/:bucketId",
    summary: "Delete a bucket and all its events",
    description: `Without \`force=1\` it is refused with 401, unless the server is in testing mode. It can be restored
      from the trash, unless \`permanent=true\` is given.`,
    needs: "write",
    parameters: ["force", "permanent"],
    says: "It was deleted.",
    headers: { "X-Activity-Trash-Entry": "The entry of the trash that takes it back, where there is one." },
    errors: ["VETOED", "CONFLICT"],
  },
} as const;
