import type { Actions } from "./action.js";

/** docs/trash.md#by-range-and-filter, docs/api.md#splitting-and-moving-events. */
export const editingActions: Actions<"deleteEventsOfAll" | "splitEvent" | "moveEvent"> = {
  deleteEventsOfAll: ({ body: { buckets, hosts, ...selection } }, service) =>
    service.deleteMatchingIn({ buckets, hosts }, selection),

  splitEvent: ({ params, body }, service) => service.splitEvent(params.bucketId, params.eventId, body.at),

  moveEvent: ({ params, body }, service) => service.moveEvent(params.bucketId, params.eventId, body.bucket),
};
