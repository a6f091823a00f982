/** docs/trash.md#by-range-and-filter, docs/api.md#splitting-and-moving-events. */
export const EDITING_OPERATIONS = {
  deleteEvents: {
    method: "POST",
    path: "/api/0/buckets/:bucketId/events/delete",
    tag: "events",
    summary: "Delete events by range and filter or by ids, or count them",
    description: `Those that overlap the range, by more than an end, and meet all of the rest. One step, and one entry
      of the trash. With \`ids\`, those of the bucket with one of the ids; the response is their count.`,
    needs: "write",
    bulk: true,
    parameters: ["bucketId"],
    bodyKind: "single",
    body: {
      "application/json": {
        schema: "DeletionSelection",
        example: { end: "2024-03-02T00:00:00Z", filter: ["app=editor"] },
      },
    },
    answers: {
      200: {
        description: "What was deleted, or how many with `ids`.",
        headers: { "X-Activity-Trash-Entry": "The trash entry that restores them, if there is one." },
        content: {
          schema: "EventsDeletionOrCount",
          example: {
            count: 1,
            duration: 7.5,
            first: "2024-03-01T10:00:00+00:00",
            last: "2024-03-01T10:00:07.500000+00:00",
            entry: "5f0c81ab-42d7",
            buckets: [
              {
                bucket_id: "window_desk",
                count: 1,
                duration: 7.5,
                first: "2024-03-01T10:00:00+00:00",
                last: "2024-03-01T10:00:07.500000+00:00",
              },
            ],
          },
        },
      },
    },
    errors: [
      "INVALID_INPUT",
      "VETOED",
      "NO_SUCH_BUCKET",
      "CONFLICT",
      "QUERY_TOO_LARGE",
      "TOO_LARGE",
      "UNSUPPORTED_TYPE",
      "STORAGE_UNSUPPORTED",
    ],
  },
  deleteEventsOfAll: {
    method: "POST",
    path: "/api/0/events/delete",
    tag: "events",
    summary: "Delete events of several buckets, or count them",
    description: `The same across buckets, in one step with one entry of the trash. Where the caller may not change one
      of them, nothing is deleted.`,
    needs: "listed",
    bulk: true,
    parameters: [],
    bodyKind: "single",
    body: {
      "application/json": {
        schema: "WideDeletionSelection",
        example: { buckets: ["window_*"], hosts: ["desk"], filter: ["title~weather"], preview: true },
      },
    },
    answers: {
      200: {
        description: "What would be deleted.",
        content: {
          schema: "EventsDeletion",
          example: {
            count: 1,
            duration: 52.5,
            first: "2024-03-01T10:00:07.500000+00:00",
            last: "2024-03-01T10:01:00+00:00",
            entry: null,
            buckets: [
              {
                bucket_id: "window_desk",
                count: 1,
                duration: 52.5,
                first: "2024-03-01T10:00:07.500000+00:00",
                last: "2024-03-01T10:01:00+00:00",
              },
            ],
          },
        },
      },
    },
    errors: [
      "INVALID_INPUT",
      "VETOED",
      "CONFLICT",
      "QUERY_TOO_LARGE",
      "TOO_LARGE",
      "UNSUPPORTED_TYPE",
      "STORAGE_UNSUPPORTED",
    ],
  },
  splitEvent: {
    method: "POST",
    path: "/api/0/buckets/:bucketId/events/:eventId/split",
    tag: "events",
    summary: "Make two events of one",
    description: "Both have its data; the first keeps the id.",
    needs: "write",
    parameters: ["bucketId", "eventId"],
    bodyKind: "single",
    body: { "application/json": { schema: "EventSplit", example: { at: "2024-03-01T10:00:05Z" } } },
    answers: {
      200: {
        description: "Both of them.",
        content: {
          schema: "Events",
          example: [
            { id: 1, timestamp: "2024-03-01T10:00:00+00:00", duration: 5, data: { app: "editor", title: "notes.md" } },
            {
              id: 3,
              timestamp: "2024-03-01T10:00:05+00:00",
              duration: 2.5,
              data: { app: "editor", title: "notes.md" },
            },
          ],
        },
      },
    },
    errors: [
      "INVALID_INPUT",
      "VETOED",
      "NO_SUCH_BUCKET",
      "NO_SUCH_EVENT",
      "CONFLICT",
      "TOO_LARGE",
      "UNSUPPORTED_TYPE",
      "STORAGE_UNSUPPORTED",
    ],
  },
  moveEvent: {
    method: "POST",
    path: "/api/0/buckets/:bucketId/events/:eventId/move",
    tag: "events",
    summary: "Move an event to another bucket",
    description: "In one step, with its data and times. A key needs `append:` for the other bucket as well.",
    needs: "write",
    parameters: ["bucketId", "eventId"],
    bodyKind: "single",
    body: { "application/json": { schema: "EventMove", example: { bucket: "window_laptop" } } },
    answers: {
      200: {
        description: "The event, with the id that it has there.",
        content: {
          schema: "Event",
          example: {
            id: 3,
            timestamp: "2024-03-01T10:00:00+00:00",
            duration: 7.5,
            data: { app: "editor", title: "notes.md" },
          },
        },
      },
    },
    errors: [
      "INVALID_INPUT",
      "VETOED",
      "NO_SUCH_BUCKET",
      "NO_SUCH_EVENT",
      "CONFLICT",
      "TOO_LARGE",
      "UNSUPPORTED_TYPE",
      "STORAGE_UNSUPPORTED",
    ],
  },
} as const;
