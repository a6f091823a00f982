import type { EDITING_OPERATIONS } from "../../api/subjects/editing.js";
import { parseTime } from "../../codec/parse.js";
import { serializeEvent, serializeList } from "../../codec/serialize-events.js";
import type { JsonObject, JsonValue } from "../../domain/json.js";
import { microsToSeconds, serializeTimestamp } from "../../domain/time.js";
import type { Extent } from "../../service/trash/entry.js";
import {
  type DeletionInput,
  type DeletionSelection,
  type MatchingDeletion,
  readSelection,
  textsOf,
} from "../../service/trash/matching.js";
import { checkedBucketId, invalid, shown } from "../../service/validation.js";
import { readObject } from "../body.js";
import { refuseOthers, switchIn } from "../fields.js";
import { jsonResponse } from "../request-context.js";
import type { Handlers } from "../route.js";
import { bucketIdOf } from "./buckets.js";
import { eventIdOf } from "./events.js";

/** docs/trash.md#by-range-and-filter, docs/api.md#splitting-and-moving-events. */
export const editingHandlers: Handlers<keyof typeof EDITING_OPERATIONS> = {
  async deleteEvents(request, context) {
    const body = await readObject(request, context.limits);
    const deletion = await context.service.deleteMatching(bucketIdOf(context), selectionOf(body), optionsOf(body));
    return jsonResponse(JSON.stringify(wireDeletion(deletion)));
  },

  async deleteEventsOfAll(request, context) {
    const { buckets, hosts, ...body } = await readObject(request, context.limits);
    const chosen = { buckets: textsOf(buckets, "buckets"), hosts: textsOf(hosts, "hosts") };
    const deletion = await context.service.deleteMatchingIn(chosen, selectionOf(body), optionsOf(body));
    return jsonResponse(JSON.stringify(wireDeletion(deletion)));
  },

  async splitEvent(request, context) {
    const body = await readObject(request, context.limits);
    refuseOthers(body, ["at"]);
    const halves = await context.service.splitEvent(bucketIdOf(context), eventIdOf(context), parseTime(body.at, "at"));
    return jsonResponse(await serializeList(halves));
  },

  async moveEvent(request, context) {
    const body = await readObject(request, context.limits);
    refuseOthers(body, ["bucket"]);
    const { bucket } = body;
    if (typeof bucket !== "string") throw invalid(`bucket is ${shown(bucket)}; the id of a bucket is expected`);
    const target = checkedBucketId(bucket);
    return jsonResponse(
      serializeEvent(await context.service.moveEvent(bucketIdOf(context), eventIdOf(context), target)),
    );
  },
};

function selectionOf({ start, end, preview: _, permanent: __, ...rest }: JsonObject): DeletionSelection {
  const time = (value: JsonValue | undefined, name: string) =>
    value === undefined || value === null ? {} : { [name]: parseTime(value, name) };
  return { ...time(start, "start"), ...time(end, "end"), ...readSelection(rest as DeletionInput) };
}

function optionsOf(body: JsonObject): { readonly isPreview: boolean; readonly isPermanent: boolean } {
  return { isPreview: switchIn(body, "preview"), isPermanent: switchIn(body, "permanent") };
}

function wireDeletion({ entryId, buckets, ...extent }: MatchingDeletion): JsonObject {
  return {
    ...wireCounts(extent),
    entry: entryId,
    buckets: buckets.map(({ bucketId, ...own }) => ({ bucket_id: bucketId, ...wireCounts(own) })),
  };
}

function wireCounts({ events, start, end, duration }: Extent): JsonObject {
  return {
    count: events,
    duration: microsToSeconds(duration ?? 0),
    first: start === null ? null : serializeTimestamp(start),
    last: end === null ? null : serializeTimestamp(end),
  };
}
