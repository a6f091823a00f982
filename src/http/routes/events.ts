import type { CallId } from "../../api/calls.js";
import { type DomainOf, decode, encode } from "../../api/codec.js";
import { SCHEMA_LIST } from "../../api/schemas.js";
import type { EDITING_OPERATIONS } from "../../api/subjects/editing.js";
import type { EVENT_OPERATIONS } from "../../api/subjects/events.js";
import type { DataColumns } from "../../codec/csv.js";
import type { EventSerializer } from "../../codec/event-serializer.js";
import { wireParser } from "../../codec/parse.js";
import { parseRepeatedEvents } from "../../codec/repeated-events.js";
import { eventsAsCsv } from "../../codec/serialize-csv.js";
import { serializeLargeEvent, serializeList, serializeMembers } from "../../codec/serialize-events.js";
import { serializeTimeline } from "../../codec/serialize-timeline.js";
import type { EventBatch } from "../../domain/batch.js";
import type { AcceptedDraft } from "../../domain/event.js";
import { serializeEvent } from "../../domain/event-json.js";
import { isJsonObject } from "../../domain/json.js";
import { ActivityError, quote } from "../../errors.js";
import { needsCategories } from "../../filter/compile.js";
import { parseSelection } from "../../service/event-reads.js";
import { toTimeRange } from "../../service/search/filters.js";
import { invalid } from "../../service/validation.js";
import { readItems, readJson } from "../body.js";
import { gather } from "../buffering.js";
import { withClientWatch } from "../client-watch.js";
import { deletedResponse } from "../deleted.js";
import { csvFilename, csvResponse, formatOf } from "../media.js";
import { parsePulsetime } from "../parameters.js";
import { type Chunk, type HttpResponse, jsonResponse, type RequestContext } from "../request-context.js";
import type { Handlers, RouteContext } from "../route.js";
import { readQuery } from "./action-handlers.js";
import { bucketIdOf } from "./buckets.js";

/** The event in the path. An ID that is not a number matches no event (docs/reference/api.md#reading-events). */
export function eventIdOf({ params }: RouteContext): number {
  const text = params.get("eventId") as string;
  const id = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  throw new ActivityError("NO_SUCH_EVENT", `no event has the id ${quote(text)}`);
}

async function* listOf(batches: AsyncIterable<EventBatch>, serializer: EventSerializer): AsyncGenerator<Chunk> {
  yield "[";
  yield* serializeMembers(batches, (batch) => serializer.serialize(batch));
  yield "]";
}

export function eventTable(
  request: RequestContext,
  context: RouteContext,
  { columns, filename }: { readonly columns?: DataColumns; readonly filename: string },
): Promise<HttpResponse> {
  const selection = parseSelection(readQuery("exportBucketCsv", context.query));
  return withClientWatch(request, async (isGone) => {
    const read = () => context.service.visible.readEvents(bucketIdOf(context), { ...selection, isGone });
    const table = eventsAsCsv(async () => (await read()).batches, columns);
    return csvResponse(await gather(table), filename);
  });
}

type EventId = keyof typeof EVENT_OPERATIONS | keyof typeof EDITING_OPERATIONS;

/** docs/reference/api.md#reading-events, #heartbeats, docs/reference/trash.md#by-range-and-filter. */
export const eventHandlers: Handlers<Exclude<EventId, CallId> | "deleteEvents"> = {
  async getEvents(request, context) {
    const { service, serializers, query } = context;
    const bucketId = bucketIdOf(context);
    const wanted = () => parseSelection(readQuery("getEvents", query));
    // Read before the data: a change in between makes the response outdated, not the other way round. Categories change
    // without the bucket.
    if (formatOf(request, query, ["json", "csv"]) === "csv") {
      return eventTable(request, context, { filename: csvFilename(bucketId) });
    }
    const isLasting = !query.has("filter") || !needsCategories(wanted().terms ?? []);
    const now = isLasting ? service.visible.versionOf(bucketId) : undefined;
    return withClientWatch(request, async (isGone) => {
      const body = await serializers.responses.respond(JSON.stringify([bucketId, request.search]), now, async () => {
        const { version, batches } = await service.visible.readEvents(bucketId, { ...wanted(), isGone });
        return { version, body: await gather(listOf(batches, serializers.events)) };
      });
      return jsonResponse(body);
    });
  },

  async insertEvents(request, context) {
    const { isList, items, isLarge } = await readItems(
      request,
      context.limits,
      (event, index) => wireParser.event(event, index === undefined ? "the event" : `event ${index}`, true),
      parseRepeatedEvents,
    );
    const write = { kind: "insertEvents", bucketId: bucketIdOf(context), drafts: items } as const;
    const events = await context.service.execute(write);
    if (isList) return jsonResponse(await serializeList(events));
    const [event] = events as readonly [AcceptedDraft];
    return jsonResponse(isLarge ? await serializeLargeEvent(event) : serializeEvent(event));
  },

  async getEvent(_request, context) {
    const event = await context.service.visible.getEvent(bucketIdOf(context), eventIdOf(context));
    return jsonResponse(serializeEvent(event));
  },

  async deleteEvent(_request, context) {
    const { permanent } = readQuery("deleteEvent", context.query);
    const place = { bucketId: bucketIdOf(context), eventId: eventIdOf(context) };
    const deleted = await context.service.execute({ kind: "deleteEvent", ...place, isPermanent: permanent ?? false });
    return deletedResponse(JSON.stringify({ success: deleted !== undefined }), deleted ?? { entry: null });
  },

  async heartbeat(request, context) {
    const body = await readJson(request, context.limits);
    const pulsetimeMicros = parsePulsetime(context.query);
    const beat = wireParser.event(body, "the heartbeat", false);
    return jsonResponse(serializeEvent(await context.service.heartbeat(bucketIdOf(context), beat, pulsetimeMicros)));
  },

  async deleteEvents(request, context) {
    const body = await readJson(request, context.limits);
    const bucketId = bucketIdOf(context);
    if (!isJsonObject(body) || body.ids === undefined) {
      const selection = decode(SCHEMA_LIST.DeletionByFilter, body, "") as DomainOf<"DeletionByFilter">;
      const deletion = await context.service.execute({ kind: "deleteMatching", buckets: bucketId, selection });
      const text = JSON.stringify(encode(SCHEMA_LIST.EventsDeletion, deletion));
      return deletedResponse(text, deletion);
    }
    // Like aw-server-rust, the response is the bare count (docs/reference/trash.md#by-ids).
    const { ids, permanent } = decode(SCHEMA_LIST.DeletionByIds, body, "") as DomainOf<"DeletionByIds">;
    const possible = ids.filter((id) => Number.isSafeInteger(id) && id > 0);
    const write = { kind: "deleteEvents", bucketId, eventIds: possible, isPermanent: permanent } as const;
    const deleted = await context.service.execute(write);
    return deletedResponse(String(deleted.count), deleted);
  },

  async getTimeline({ search }, context) {
    const { service, serializers, query } = context;
    const bucketId = bucketIdOf(context);
    // Read before the data: a change in between makes the response outdated, not the other way round.
    const now = service.visible.versionOf(bucketId);
    const body = await serializers.responses.respond(JSON.stringify(["timeline", bucketId, search]), now, async () => {
      const { bins, ...asked } = readQuery("getTimeline", query);
      const range = toTimeRange(asked);
      if ((range.end ?? Infinity) < (range.start ?? -Infinity)) throw invalid("end must not be before start");
      const { version, timeline } = await service.visible.readTimeline(bucketId, { ...range, bins });
      return { version, body: await gather(serializeTimeline(timeline, serializers.events)) };
    });
    return jsonResponse(body);
  },
};
