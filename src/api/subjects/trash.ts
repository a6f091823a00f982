import type { JsonObject } from "../../domain/json.js";

const CONTENT: JsonObject = {
  events: 1,
  start: "2024-03-01T10:00:00+00:00",
  end: "2024-03-01T10:00:07.500000+00:00",
  duration: 7.5,
  bytes: 115,
};

/** docs/trash.md. */
export const TRASH_OPERATIONS = {
  listTrash: {
    route: "GET /api/0/trash",
    call: "trash.list",
    summary: "List what was deleted and can be restored",
    description: "Of a key those entries whose buckets it may all `write:`.",
    needs: "listed",
    answer: "Trash",
    says: "The latest first.",
    example: [
      {
        id: "5f0c81ab-42d7",
        kind: "events",
        deleted: "2024-03-01T09:00:00+00:00",
        expires: "2024-03-31T09:00:00+00:00",
        reason: "an event was deleted",
        ...CONTENT,
        buckets: [{ bucket_id: "window_desk", whole: false, ...CONTENT }],
      },
    ] as JsonObject[],
  },
  restoreTrash: {
    route: "POST /api/0/trash/:entryId/restore",
    call: "trash.restore",
    returns: "buckets",
    summary: "Restore what was deleted",
    description: `In one step: whole buckets, or events into their bucket, under the ids that they had where those are
      free.`,
    needs: "listed",
    bulk: true,
    body: "TrashRestoring",
    sends: {},
    answer: "TrashRestored",
    says: "Where it is now.",
    example: { buckets: [{ bucket_id: "window_desk", events: 1, created: false }] },
    errors: ["CONFLICT", "STORAGE_UNSUPPORTED"],
  },
  deleteTrash: {
    route: "DELETE /api/0/trash/:entryId",
    call: "trash.delete",
    summary: "Delete an entry of the trash for good",
    needs: "listed",
    says: "It is gone.",
  },
  emptyTrash: {
    route: "DELETE /api/0/trash",
    call: "trash.empty",
    summary: "Delete everything in the trash for good",
    description: "Of a key those entries that it is shown.",
    needs: "listed",
    answer: "TrashEmptied",
    says: "What is gone.",
    example: { entries: 1, events: 1 },
  },
} as const;
