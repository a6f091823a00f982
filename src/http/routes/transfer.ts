import type { TRANSFER_OPERATIONS } from "../../api/subjects/transfer.js";
import { DataColumns, EXPORT_LAYOUT } from "../../codec/csv.js";
import { type DocumentReading, NOT_EXPORT, NOT_JSON, readDocument } from "../../codec/document.js";
import { serializeDocument } from "../../codec/export.js";
import { ActivityError, messageOf, quote } from "../../errors.js";
import type { ExportedBucket } from "../../service/event-reads.js";
import type { ImportDocument } from "../../service/import.js";
import { invalid } from "../../service/validation.js";
import { isJsonType, limited, mediaTypeOf, unsupportedType } from "../body.js";
import { gather } from "../buffering.js";
import { withClientWatch } from "../client-watch.js";
import { exportFilename } from "../media.js";
import { type FormPart, MultipartError, readParts } from "../multipart.js";
import { type HttpResponse, jsonResponse, type RequestContext } from "../request-context.js";
import type { Handlers } from "../route.js";
import { encoded } from "./action-handlers.js";
import { bucketIdOf } from "./buckets.js";
import { eventTable } from "./events.js";

/** docs/reference/api.md#export-and-import. */
export const transferHandlers: Handlers<keyof typeof TRANSFER_OPERATIONS> = {
  async exportBuckets(_request, { service }) {
    return exportResponse(await service.visible.exportBuckets(), "filename=aw-buckets-export.json");
  },

  async exportBucket(_request, context) {
    const bucketId = bucketIdOf(context);
    const filename = exportFilename("aw-bucket-export_", bucketId, "json");
    return exportResponse(await context.service.visible.exportBuckets(bucketId), filename);
  },

  exportBucketCsv(request, context) {
    const filename = exportFilename("aw-events-export-", bucketIdOf(context), "csv");
    return eventTable(request, context, { columns: new DataColumns(EXPORT_LAYOUT), filename });
  },

  async importBuckets(request, { service, limits }) {
    const counts = await withClientWatch(request, (isGone) =>
      service.importDocuments(async (spool) => {
        request.bodyAdmitted?.();
        const reading = readDocuments(request, { spool, limitBytes: limits.bytes });
        const documents = await (request.bodyWatch?.during(reading) ?? reading);
        await request.afterBody?.();
        return documents;
      }, isGone),
    );
    return encoded("ImportCounts", { ...counts, eventsAlreadyThere: counts.eventsKnown });
  },
};

async function exportResponse(buckets: readonly ExportedBucket[], filename: string): Promise<HttpResponse> {
  const body = await gather(serializeDocument(buckets));
  return jsonResponse(body, { "content-disposition": `attachment; ${filename}` });
}

async function readDocuments(request: RequestContext, reading: DocumentReading): Promise<ImportDocument[]> {
  const mediaType = mediaTypeOf(request);
  if (isJsonType(mediaType)) return [await readDocument(limited(request, reading.limitBytes), reading)];
  if (mediaType === "multipart/form-data") return readForm(request, reading);
  throw unsupportedType(mediaType, "application/json or multipart/form-data");
}

/** Every part is a document, whatever its name, as a file or a plain field. */
async function readForm(request: RequestContext, reading: DocumentReading): Promise<ImportDocument[]> {
  const documents: ImportDocument[] = [];
  const frames = { length: 0, values: 0 };
  try {
    for await (const part of readParts(limited(request, reading.limitBytes), boundaryOf(request))) {
      documents.push(await readPart(part, { ...reading, frames }));
    }
  } catch (cause) {
    if (!(cause instanceof MultipartError)) throw cause;
    throw new ActivityError("INVALID_INPUT", "the body is not a multipart form with that boundary", { cause });
  }
  if (documents.length === 0) throw invalid("the form has no part; send at least one export document");
  return documents;
}

/** Errors name the field: forms often have fields beside the file, and curl sends a path as a string. */
async function readPart({ field, isFile, content }: FormPart, reading: DocumentReading): Promise<ImportDocument> {
  try {
    return await readDocument(content, reading);
  } catch (cause) {
    const fault = ActivityError.is(cause) ? cause.fault : undefined;
    if (fault?.name !== NOT_JSON && fault?.name !== NOT_EXPORT) throw cause;
    const reason = messageOf(cause);
    const place = `field ${quote(field)} of the form`;
    const message = isFile
      ? `${place}: ${reason}`
      : `${place} has no file: ${reason}; send the file itself, as curl does with -F file=@buckets.json`;
    throw new ActivityError("INVALID_INPUT", message, { cause, fault: { ...fault, place: { field }, reason } });
  }
}

/** The limit of RFC 2046. */
const LONGEST_BOUNDARY = 70;

function boundaryOf(request: RequestContext): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(request.header("content-type") ?? "") ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw invalid("the Content-Type of the form names no boundary");
  if (boundary.length > LONGEST_BOUNDARY) {
    throw invalid(`the boundary of the form must be at most ${LONGEST_BOUNDARY} characters, got ${boundary.length}`);
  }
  return boundary;
}
