import type { TRASH_OPERATIONS } from "../../api/subjects/trash.js";
import type { JsonObject } from "../../domain/json.js";
import { microsToSeconds, serializeTimestamp } from "../../domain/time.js";
import { type Extent, noSuchEntry, type TrashEntry } from "../../service/trash/entry.js";
import { checkedNewBucketId } from "../../service/validation.js";
import { readObject } from "../body.js";
import { refuseOthers, switchIn } from "../fields.js";
import { DONE, jsonResponse } from "../request-context.js";
import type { Handlers, RouteContext } from "../route.js";

/** docs/trash.md. */
export const trashHandlers: Handlers<keyof typeof TRASH_OPERATIONS> = {
  async listTrash(_request, { service }) {
    return jsonResponse(JSON.stringify((await service.listTrash()).map(wireEntry)));
  },

  async restoreTrash(request, context) {
    const body = await readObject(request, context.limits);
    refuseOthers(body, ["bucket", "merge"]);
    const { bucket } = body;
    const merge = switchIn(body, "merge");
    const bucketId = bucket === undefined || bucket === null ? undefined : checkedNewBucketId(bucket, "bucket");
    const restored = await context.service.restoreTrash(entryIdOf(context), { bucketId, merge });
    const buckets = restored.map(({ bucketId: id, events, isNew }) => ({ bucket_id: id, events, created: isNew }));
    return jsonResponse(JSON.stringify({ buckets }));
  },

  async deleteTrash(_request, context) {
    const entryId = entryIdOf(context);
    if ((await context.service.removeTrash([entryId])).length === 0) throw noSuchEntry(entryId);
    return DONE;
  },

  async emptyTrash(_request, { service }) {
    const entries = await service.removeTrash();
    const events = entries.reduce((sum, entry) => sum + entry.events, 0);
    return jsonResponse(JSON.stringify({ entries: entries.length, events }));
  },
};

function entryIdOf({ params }: RouteContext): string {
  return params.get("entryId") as string;
}

function wireEntry({ id, kind, deleted, expires, reason, buckets, ...extent }: TrashEntry): JsonObject {
  return {
    ...{ id, kind, deleted: serializeTimestamp(deleted), expires: serializeTimestamp(expires), reason },
    ...wireExtent(extent),
    buckets: buckets.map(({ bucketId, isWhole, ...own }) => ({
      ...{ bucket_id: bucketId, whole: isWhole },
      ...wireExtent(own),
    })),
  };
}

/** What was deleted, or would be. */
export function wireExtent({ events, start, end, duration, bytes }: Extent): JsonObject {
  return {
    events,
    start: start === null ? null : serializeTimestamp(start),
    end: end === null ? null : serializeTimestamp(end),
    ...(duration === null ? {} : { duration: microsToSeconds(duration) }),
    bytes,
  };
}
