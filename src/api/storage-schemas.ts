/** Schemas of what a server tells about its storage. */
export const STORAGE_SCHEMAS = {
  Health: {
    description: "Whether the server is sound.",
    required: ["status"],
    properties: {
      status: { type: "string", enum: ["ok", "degraded"], description: "`degraded`: something needs a look." },
      proof: {
        type: "string",
        description: "Of a server with a control token, to a `challenge`: HMAC-SHA256 of it, in hexadecimal.",
      },
      storage: { $ref: "StorageHealth" },
      deletion_by_age: {
        type: "string",
        enum: ["paused"],
        description: "Only with an admin key or the control token, and only while the clock is not trusted.",
      },
    },
  },
  StorageHealth: {
    description: "Only told to those with the API key or the control token.",
    properties: {
      adapter: { type: "string", description: "What keeps the data, such as `leveldb`." },
      durability: {
        type: "string",
        enum: ["nothing", "process-crash", "power-loss"],
        description: "What an acknowledged write survives.",
      },
      state: {
        type: "string",
        enum: ["ok", "read-only", "degraded"],
        description: "`read-only` while writes are refused, `degraded` when something is damaged or out of reach.",
      },
      refusal: { type: ["string", "null"], description: "Why writes are refused just now." },
      problems: {
        type: "array",
        items: { $ref: "StorageProblem" },
        description: "What is damaged, as far as it was noticed.",
      },
      last_failure: {
        description: "When a database could last not be reached, and why; null when it always could.",
        anyOf: [{ $ref: "StorageFailure" }, { type: "null" }],
      },
      last_scrub: {
        $ref: "TimestampOrNull",
        description: "When everything that is kept was last checked as a whole; null before the first time.",
      },
      encrypted: {
        type: ["boolean", "null"],
        description: "Whether everything that is kept is encrypted; null where the storage does not know it.",
      },
      disk: {
        description: "The file system that holds the data; null where the storage does not know it.",
        anyOf: [{ $ref: "DiskSpace" }, { type: "null" }],
      },
    },
  },
  StorageFailure: {
    description: "A call that a database did not answer.",
    properties: {
      time: { $ref: "Timestamp" },
      message: { type: "string", description: "For people." },
    },
  },
  StorageProblem: {
    description: "Something that is wrong with what is stored.",
    required: ["kind", "message"],
    properties: {
      kind: {
        type: "string",
        enum: ["damaged", "missing", "orphaned", "dropped", "disordered"],
        description:
          "Cannot be read; is referred to and not there; is there and not referred to; was cut off; was out of order.",
      },
      message: { type: "string", description: "For people." },
      bucket_id: { type: "string", description: "The bucket that it concerns, if one." },
    },
  },
  DiskSpace: {
    description: "Space of a file system, in bytes.",
    properties: {
      free_bytes: { type: "number" },
      total_bytes: { type: "number" },
      min_free_bytes: { type: "number", description: "With less than this left, writes are refused." },
    },
  },
  JsonLines: { type: "string", description: "One JSON object a line." },
} as const;
