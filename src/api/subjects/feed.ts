/** Schemas of the feed (docs/guides/feed.md). */
export const FEED_SCHEMAS = {
  FeedEvent: {
    description: "A bucket has a new event, or another version of one.",
    properties: {
      type: { enum: ["events"] },
      action: {
        enum: ["inserted", "extended", "replaced"],
        description: "`extended`: by heartbeats; at most one message in a second for each event.",
      },
      bucket: { type: "string" },
      event: { $ref: "Event" },
    },
  },
  FeedDeletedEvents: {
    description: "Events were deleted.",
    properties: {
      type: { enum: ["events"] },
      action: { enum: ["deleted"] },
      bucket: { type: "string" },
      ids: { type: "array", items: { type: "integer" } },
    },
  },
  FeedChangedEvents: {
    description: "Many events changed, or another server of the same data wrote them: read the bucket's events again.",
    properties: { type: { enum: ["events"] }, action: { enum: ["changed"] }, bucket: { type: "string" } },
  },
  FeedBucket: {
    description: "A bucket was created, its fields changed, or it was deleted with its events.",
    properties: {
      type: { enum: ["bucket"] },
      action: { enum: ["created", "updated", "deleted"] },
      bucket: { type: "string" },
    },
  },
  FeedMovedBucket: {
    description: "A bucket has a new ID, or its events belong to another bucket. A message about the events follows.",
    properties: {
      type: { enum: ["bucket"] },
      action: { enum: ["renamed", "merged"] },
      bucket: { type: "string", description: "The bucket that has the events now." },
      from: { type: "string", description: "The ID that no longer exists." },
    },
  },
  FeedSetting: {
    description: "A setting changed or was removed. Needs an admin key, if keys are needed.",
    properties: { type: { enum: ["setting"] }, key: { type: "string" } },
  },
  FeedPairing: {
    description: "A pairing request arrived, was decided, or its key was collected. Needs an admin key, if keys exist.",
    properties: {
      type: { enum: ["pairing"] },
      action: { enum: ["requested", "decided", "collected"] },
      code: { type: "string" },
    },
  },
  FeedReset: {
    description: "Read again what you need. All later changes follow.",
    properties: {
      type: { enum: ["reset"] },
      reason: {
        enum: ["start", "gone"],
        description: "`start`: the feed starts here. `gone`: the server has no changes after the cursor any more.",
      },
    },
  },
  FeedBye: {
    description: "The server stops.",
    properties: {
      type: { enum: ["bye"] },
      reconnect_after: { type: "number", minimum: 0, description: "Seconds after which to connect again." },
    },
  },
  FeedMessage: {
    description: "The data of a message.",
    anyOf: [
      { $ref: "FeedEvent" },
      { $ref: "FeedDeletedEvents" },
      { $ref: "FeedChangedEvents" },
      { $ref: "FeedBucket" },
      { $ref: "FeedMovedBucket" },
      { $ref: "FeedSetting" },
      { $ref: "FeedPairing" },
      { $ref: "FeedReset" },
      { $ref: "FeedBye" },
    ],
  },
  FeedStream: {
    type: "string",
    description: "Server-sent events. The data of each is a `FeedMessage`, and its `id` is a cursor.",
  },
} as const;

/** docs/guides/feed.md. */
export const FEED_OPERATIONS = {
  readFeed: {
    route: "GET /api/0/feed",
    summary: "Follow the changes of stored data",
    description: `Sends server-sent events until the client disconnects, so open it in a terminal:
      \`activity-server feed\`, or \`curl -N\`. Each message has its type as \`event\`, a cursor as \`id\`, and a
      \`FeedMessage\` as \`data\`. \`Last-Event-ID\` or \`after\` resumes without loss or repetition. The first message
      of a new feed is \`reset\`: read what you need after it. The server sends a comment every 15 seconds, and only
      changes that the key may read. It disconnects a reader that does not take 1 MiB of changes.`,
    needs: "listed",
    parameters: ["buckets", "types", "after"],
    answer: "FeedStream",
    says: "The changes, until the client disconnects or the server stops.",
    example: [
      ":",
      "retry: 2000",
      "",
      "id: k3n9Zq1xYv-1042",
      "event: reset",
      'data: {"type":"reset","reason":"gone"}',
      "",
      "",
    ].join("\n") as string,
    mediaType: "text/event-stream",
    items: "FeedMessage",
    errors: ["BUSY"],
  },
} as const;
