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
import { deletedResponse } from "../deleted.js";
import { refuseOthers, switchIn } from "../fields.js";
import { type HttpResponse, jsonResponse } from "../request-context.js";
import type { Handlers, RouteContext } from "../route.js";
import { bucketIdOf } from "./buckets.js";
import { eventIdOf } from "./events.js";

/** docs/trash.md#by-range-and-filter, docs/api.md#splitting-and-moving-events. */
export const editingHandlers: Handlers<keyof typeof EDITING_OPERATIONS> = {
  async deleteEvents(request, context) {
    const body = await readObject(request, context.limits);
    if (body.ids !== undefined) return deleteByIds(body, context);
    const deletion = await context.service.deleteMatching(bucketIdOf(context), selectionOf(body), optionsOf(body));
    return deletedResponse(JSON.stringify(wireDeletion(deletion)), deletion);
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

/** As aw-server-rust does: the response is the bare count (docs/trash.md#by-ids). */
async function deleteByIds(body: JsonObject, context: RouteContext): Promise<HttpResponse> {
  refuseOthers(body, ["ids", "permanent"]);
  const ids = idsOf(body.ids);
  const deleted = await context.service.deleteEvents(bucketIdOf(context), ids, switchIn(body, "permanent"));
  return deletedResponse(String(deleted.count), deleted);
}

/** @returns the integers of a list that can be the id of an event */
function idsOf(ids: JsonValue | undefined): number[] {
  if (!Array.isArray(ids)) throw invalid(`ids must be a list of integers, got ${shown(ids)}`);
  const other = ids.find((id) => !Number.isInteger(id));
  if (other !== undefined) throw invalid(`ids must be a list of integers, got ${shown(other)} in it`);
  return (ids as number[]).filter((id) => Number.isSafeInteger(id) && id > 0);
}

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
