import { MultipartParseError, MultipartParser } from "@remix-run/multipart-parser";
import type { TRANSFER_OPERATIONS } from "../../api/subjects/transfer.js";
import { ActivityError } from "../../errors.js";
import type { ExportedBucket } from "../../service.js";
import { invalid } from "../../validation.js";
import { type ImportDocument, readDocument } from "../../wire/document.js";
import { printDocument } from "../../wire/export.js";
import { isJsonType, limited, mediaTypeOf, unsupportedType } from "../body.js";
import { type Answer, type Exchange, jsonAnswer } from "../exchange.js";
import { gather } from "../pieces.js";
import type { Handlers } from "../route.js";
import { bucketIdOf } from "./buckets.js";

/** Contract rest.md 4.6 and 4.7. */
export const transferHandlers: Handlers<keyof typeof TRANSFER_OPERATIONS> = {
  async exportBuckets(_exchange, { service }) {
    return exportAnswer(await service.exportBuckets(), "filename=aw-buckets-export.json");
  },

  async exportBucket(_exchange, context) {
    const bucketId = bucketIdOf(context);
    return exportAnswer(await context.service.exportBuckets(bucketId), bucketFilename(bucketId));
  },

  async importBuckets(exchange, { service, limits }) {
    const documents = await readDocuments(exchange, limits.importLimitBytes);
    const counts = await service.importBuckets(documents.flatMap(({ buckets }) => buckets));
    const eventsInvalid = documents.reduce((sum, document) => sum + document.invalidEvents, 0);
    return jsonAnswer(
      JSON.stringify({
        buckets_created: counts.bucketsCreated,
        buckets_merged: counts.bucketsMerged,
        events_imported: counts.eventsImported,
        events_already_there: counts.eventsKnown,
        events_invalid: eventsInvalid,
      }),
    );
  },
};

async function exportAnswer(buckets: readonly ExportedBucket[], filename: string): Promise<Answer> {
  const body = await gather(printDocument(buckets));
  return jsonAnswer(body, { "content-disposition": `attachment; ${filename}` });
}

/** Plain for ids that need no quoting, else a fallback beside the encoded form; never raw bytes. */
function bucketFilename(bucketId: string): string {
  if (/^[\w.-]+$/.test(bucketId)) return `filename=aw-bucket-export_${bucketId}.json`;
  const fallback = bucketId.replace(/[^\w.-]/gu, "_");
  const encoded = encodeURIComponent(bucketId.toWellFormed()).replace(/['()*!]/g, (sign) => {
    return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return `filename=aw-bucket-export_${fallback}.json; filename*=UTF-8''aw-bucket-export_${encoded}.json`;
}

async function readDocuments(exchange: Exchange, limitBytes: number): Promise<ImportDocument[]> {
  const mediaType = mediaTypeOf(exchange);
  if (isJsonType(mediaType)) return [await readDocument(limited(exchange, limitBytes), limitBytes)];
  if (mediaType === "multipart/form-data") return readForm(exchange, limitBytes);
  throw unsupportedType(mediaType, "application/json or multipart/form-data");
}

/** Every part is a document, whatever its name, file or plain field. */
async function readForm(exchange: Exchange, limitBytes: number): Promise<ImportDocument[]> {
  const documents: ImportDocument[] = [];
  const limits = { maxFileSize: limitBytes, maxTotalSize: limitBytes };
  const parser = new MultipartParser(boundaryOf(exchange), limits);
  try {
    for await (const chunk of limited(exchange, limitBytes)) {
      for (const { content } of parser.write(chunk)) documents.push(await readDocument(taken(content), limitBytes));
    }
    parser.finish();
  } catch (cause) {
    if (ActivityError.is(cause)) throw cause;
    // What follows the last boundary, such as a line break, belongs to nobody.
    if (isBehindTheEnd(cause) && documents.length > 0) return documents;
    throw new ActivityError("INVALID_INPUT", "the body is no multipart form with that boundary", { cause });
  }
  if (documents.length === 0) throw invalid("the form has no part; send at least one export document");
  return documents;
}

function isBehindTheEnd(cause: unknown): boolean {
  return cause instanceof MultipartParseError && cause.message.includes("after end of stream");
}

/** The pieces of a part, each let go of when the next one is asked for. */
function* taken(pieces: Uint8Array[]): Generator<Uint8Array> {
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) yield piece;
}

function boundaryOf(exchange: Exchange): string {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(exchange.header("content-type") ?? "") ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw invalid("the Content-Type of the form names no boundary");
  return boundary;
}
