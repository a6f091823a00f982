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

/** What operators ask a server about its storage: docs/operations.md. */
export const STORAGE_OPERATIONS = {
  getHealth: {
    route: "GET /api/0/health",
    summary: "Say whether the storage is sound",
    description: `Anybody learns whether all is well. With an admin key or the control token the response also holds the
      state of the storage, what is damaged, when everything was checked last, and the space that is left. To a
      \`challenge\` the server proves that it knows its control token.`,
    // Monitoring asks without a key; what it learns is one word.
    open: true,
    call: "health",
    raw: true,
    parameters: ["challenge"],
    answer: "Health",
    says: "`ok`, or `degraded` when writes are refused or something is damaged.",
    example: { status: "ok" },
  },
  backUpStorage: {
    route: "GET /api/0/storage/backup",
    summary: "Back up everything that is stored",
    description: `A consistent state, as of the moment of the request, while writing goes on: buckets, events with their
      ids, settings, private records and the device id.`,
    needs: "operator",
    answer: "JsonLines",
    says: "The backup, as a file of JSON lines. The last line holds the checksum of all others.",
    example: '{"kind":"backup","format":"activity-server-backup","version":1}\n',
    headers: { "Content-Disposition": "`attachment`, with the name `activity-server-backup.jsonl`." },
    mediaType: "application/x-ndjson",
  },
  verifyStorage: {
    route: "POST /api/0/storage/verify",
    summary: "Check everything that is stored",
    description: `Reads everything that is kept. The response has a line for each step (\`progress\`), for each fault
      (\`problem\`), and one at the end (\`verified\`, or \`error\` when the check could not be finished).`,
    needs: "operator",
    answer: "JsonLines",
    says: "What was found, as JSON lines, while it is found.",
    example: '{"event":"verified","sound":true,"problems":0,"buckets":3,"events":12000,"bytes":480000}\n',
    mediaType: "application/x-ndjson",
  },
} as const;
