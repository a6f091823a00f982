import { selectionOf } from "../service/event-reads.js";
import type { Actions } from "./action.js";

/** docs/api.md#reading-events, docs/trash.md#by-range-and-filter, docs/api.md#splitting-and-moving-events. */
export const eventActions: Actions<"countEvents" | "deleteEventsOfAll" | "splitEvent" | "moveEvent"> = {
  countEvents: ({ params, query, isGone }, service) =>
    service.countEvents(params.bucketId, { ...selectionOf(query), isGone }),

  deleteEventsOfAll: ({ body: { buckets, hosts, ...selection } }, service) =>
    service.deleteMatchingIn({ buckets, hosts }, selection),

  splitEvent: ({ params, body }, service) => service.splitEvent(params.bucketId, params.eventId, body.at),

  moveEvent: ({ params, body }, service) => service.moveEvent(params.bucketId, params.eventId, body.bucket),
};
