/** Schemas of information about a server's storage. */
export const STORAGE_SCHEMAS = {
  Health: {
    description: "The state of the server.",
    required: ["status"],
    properties: {
      status: { type: "string", enum: ["ok", "degraded"], description: "`degraded`: something needs attention." },
      proof: { type: "string", description: "With a control token and a `challenge`: its HMAC-SHA256 in hexadecimal." },
      storage: { $ref: "StorageHealth" },
      memory: { $ref: "CacheMemory" },
      deletion_by_age: {
        type: "string",
        enum: ["paused"],
        description: "Only with an admin key or the control token, and only while the clock is not trusted.",
      },
    },
  },
  StorageHealth: {
    description: "Only with an admin key or the control token.",
    properties: {
      adapter: { type: "string", description: "The storage, such as `leveldb`." },
      durability: {
        type: "string",
        enum: ["nothing", "process-crash", "power-loss"],
        description: "The failures that an acknowledged write survives.",
      },
      state: {
        type: "string",
        enum: ["ok", "read-only", "degraded"],
        description: "`read-only` while writes are refused, `degraded` if data is damaged or unreachable.",
      },
      refusal: { type: ["string", "null"], description: "The reason why writes are refused now." },
      problems: { type: "array", items: { $ref: "StorageProblem" }, description: "Known damage." },
      last_failure: {
        description: "The time and message of the last failure to reach the database; null: never.",
        anyOf: [{ $ref: "StorageFailure" }, { type: "null" }],
      },
      last_scrub: { $ref: "TimestampOrNull", description: "The end of the last complete check; null: never." },
      encrypted: { type: ["boolean", "null"], description: "Whether all stored data is encrypted; null if unknown." },
      disk: {
        description: "The file system of the data; null if unknown.",
        anyOf: [{ $ref: "DiskSpace" }, { type: "null" }],
      },
    },
  },
  CacheMemory: {
    description: "Estimated memory of the caches. Only with an admin key or the control token.",
    properties: {
      limit_bytes: { type: "number", description: "The maximum for all caches together." },
      used_bytes: { type: "number", description: "The current use of all caches." },
      caches: { type: "array", items: { $ref: "CacheUse" }, description: "The use of each cache." },
    },
  },
  CacheUse: {
    description: "The use of one cache.",
    properties: {
      name: { type: "string", description: "The cache, as listed in the docs on performance." },
      bytes: { type: "number", description: "Its current memory." },
      limit_bytes: { type: "number", description: "Its maximum." },
      hits: { type: "number", description: "Lookups that found an entry." },
      misses: { type: "number", description: "Lookups that found none." },
      evictions: { type: "number", description: "Entries that were dropped for lack of memory." },
    },
  },
  StorageFailure: {
    description: "A call without a response from the database.",
    properties: { time: { $ref: "Timestamp" }, message: { type: "string", description: "A message for people." } },
  },
  StorageProblem: {
    description: "A problem with stored data.",
    required: ["kind", "message"],
    properties: {
      kind: {
        type: "string",
        enum: ["damaged", "missing", "orphaned", "dropped", "disordered"],
        description: "Unreadable; referenced but missing; stored but not referenced; cut off; or out of order.",
      },
      message: { type: "string", description: "A message for people." },
      bucket_id: { type: "string", description: "The affected bucket, if any." },
    },
  },
  DiskSpace: {
    description: "The space of a file system, in bytes.",
    properties: {
      free_bytes: { type: "number" },
      total_bytes: { type: "number" },
      min_free_bytes: { type: "number", description: "Writes are refused below this space." },
    },
  },
  JsonLines: { type: "string", description: "One JSON object per line." },
} as const;

/** Operations for operators of the storage: docs/guides/backup.md. */
export const STORAGE_OPERATIONS = {
  getHealth: {
    route: "GET /api/0/health",
    summary: "Show the server's health",
    description: `Returns the status to every caller. With an admin key or the control token, the response also has the
      storage's state, known damage, the time of the last complete check, and the free space. With a \`challenge\`,
      the response proves that the server knows its control token.`,
    // Monitoring has no key; the response is one word.
    open: true,
    call: "health",
    raw: true,
    parameters: ["challenge"],
    answer: "Health",
    says: "`ok`, or `degraded` if writes are refused or data is damaged.",
    example: { status: "ok" },
  },
  backUpStorage: {
    route: "GET /api/0/storage/backup",
    summary: "Back up all stored data",
    description: `A consistent state at the time of the request, while writes continue: buckets, events with their
        IDs, settings, private records and the device ID.`,
    needs: "operator",
    answer: "JsonLines",
    says: "The backup, as a file of JSON lines. The last line has the checksum of all others.",
    example: '{"kind":"backup","format":"activity-server-backup","version":1}\n',
    headers: { "Content-Disposition": "`attachment`, with the name `activity-server-backup.jsonl`." },
    mediaType: "application/x-ndjson",
  },
  verifyStorage: {
    route: "POST /api/0/storage/verify",
    summary: "Check all stored data",
    description: `Reads all stored data. The response has a line for each step (\`progress\`) and for each problem
      (\`problem\`). The last line is \`verified\`, or \`error\` if the check failed.`,
    needs: "operator",
    answer: "JsonLines",
    says: "The progress and the problems as JSON lines, each sent immediately.",
    example: '{"event":"verified","sound":true,"problems":0,"buckets":3,"events":12000,"bytes":480000}\n',
    mediaType: "application/x-ndjson",
  },
} as const;
