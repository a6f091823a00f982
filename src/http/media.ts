import { mustBe } from "../errors.js";
import { type Buffered, type Chunk, type HttpResponse, jsonResponse, type RequestContext } from "./request-context.js";

/** The formats of a response. */
export type Format = "json" | "ndjson" | "csv";

const TYPES: Readonly<Record<string, Format>> = {
  "application/json": "json",
  "application/*": "json",
  "*/*": "json",
  "application/x-ndjson": "ndjson",
  "text/csv": "csv",
};

/**
 * Chooses the format of a response: the parameter `format`, which links have, else `Accept`. An unsupported type gets
 * JSON.
 *
 * @throws ActivityError `INVALID_INPUT`
 */
export function formatOf(
  request: Pick<RequestContext, "header">,
  query: URLSearchParams,
  offered: readonly Format[],
): Format {
  const given = query.get("format");
  if (given !== null) {
    const found = offered.find((format) => format === given);
    if (found !== undefined) return found;
    throw mustBe("format", offered.join(" or "), given);
  }
  const accept = request.header("accept");
  if (accept === undefined || !/csv|ndjson/i.test(accept)) return "json";
  const wishes = accept.split(",").map((part) => {
    const [type = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    return { format: TYPES[type], quality: quality === undefined ? 1 : Number(quality.slice(2)) };
  });
  // Sorting keeps the order of equal weights.
  const [first] = wishes
    .filter(({ format, quality }) => format !== undefined && offered.includes(format) && quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return first?.format ?? "json";
}

/**
 * A table as a download.
 *
 * @param filename a parameter of Content-Disposition
 */
export function csvResponse(body: Buffered | AsyncIterable<Chunk>, filename: string): HttpResponse {
  return jsonResponse(body, {
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": `attachment; ${filename}`,
  });
}

/** The file name of a table, with a name from the caller. */
export function csvFilename(name: string): string {
  return `filename="${name.replace(/[^\w.-]+/g, "_").slice(0, 100)}.csv"`;
}

/** The file name of an export: plain if the ID needs no quoting, else a fallback next to the encoded form. */
export function exportFilename(lead: string, bucketId: string, extension: string): string {
  if (/^[\w.-]+$/.test(bucketId)) return `filename=${lead}${bucketId}.${extension}`;
  const fallback = bucketId.replace(/[^\w.-]/gu, "_");
  const encoded = encodeURIComponent(bucketId.toWellFormed()).replace(/['()*!]/g, (sign) => {
    return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return `filename=${lead}${fallback}.${extension}; filename*=UTF-8''${lead}${encoded}.${extension}`;
}

/** Objects, one per line. */
export function linesResponse(
  body: Buffered | AsyncIterable<Chunk>,
  headers: HttpResponse["headers"] = {},
): HttpResponse {
  return jsonResponse(body, { "content-type": "application/x-ndjson", ...headers });
}
