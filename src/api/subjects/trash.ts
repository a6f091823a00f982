/** docs/trash.md. */
export const TRASH_OPERATIONS = {
  listTrash: {
    method: "GET",
    path: "/api/0/trash",
    tag: "trash",
    summary: "List what was deleted and can be restored",
    description: "Of a key those entries whose buckets it may all `write:`.",
    needs: "listed",
    parameters: [],
    answers: {
      200: {
        description: "The latest first.",
        content: {
          schema: "Trash",
          example: [
            {
              id: "5f0c81ab-42d7",
              kind: "events",
              deleted: "2024-03-01T09:00:00+00:00",
              expires: "2024-03-31T09:00:00+00:00",
              reason: "an event was deleted",
              events: 1,
              start: "2024-03-01T10:00:00+00:00",
              end: "2024-03-01T10:00:07.500000+00:00",
              duration: 7.5,
              bytes: 115,
              buckets: [
                {
                  bucket_id: "window_desk",
                  whole: false,
                  events: 1,
                  start: "2024-03-01T10:00:00+00:00",
                  end: "2024-03-01T10:00:07.500000+00:00",
                  duration: 7.5,
                  bytes: 115,
                },
              ],
            },
          ],
        },
      },
    },
    errors: [],
  },
  restoreTrash: {
    method: "POST",
    path: "/api/0/trash/:entryId/restore",
    tag: "trash",
    summary: "Restore what was deleted",
    description: `In one step: whole buckets, or events into their bucket, under the ids that they had where those are
      free.`,
    needs: "listed",
    bulk: true,
    parameters: ["entryId"],
    bodyKind: "single",
    body: { "application/json": { schema: "TrashRestoring", example: {} } },
    answers: {
      200: {
        description: "Where it is now.",
        content: {
          schema: "TrashRestored",
          example: { buckets: [{ bucket_id: "window_desk", events: 1, created: false }] },
        },
      },
    },
    errors: ["INVALID_INPUT", "NO_SUCH_ENTRY", "CONFLICT", "TOO_LARGE", "UNSUPPORTED_TYPE", "STORAGE_UNSUPPORTED"],
  },
  deleteTrash: {
    method: "DELETE",
    path: "/api/0/trash/:entryId",
    tag: "trash",
    summary: "Delete an entry of the trash for good",
    needs: "listed",
    parameters: ["entryId"],
    answers: { 200: { description: "It is gone.", content: { schema: "Nothing", example: {} } } },
    errors: ["NO_SUCH_ENTRY"],
  },
  emptyTrash: {
    method: "DELETE",
    path: "/api/0/trash",
    tag: "trash",
    summary: "Delete everything in the trash for good",
    description: "Of a key those entries that it is shown.",
    needs: "listed",
    parameters: [],
    answers: {
      200: { description: "What is gone.", content: { schema: "TrashEmptied", example: { entries: 1, events: 1 } } },
    },
    errors: [],
  },
} as const;
