import type { JsonObject } from "../../domain/json.js";
import { DOCUMENT } from "../examples.js";

/** docs/reference/api.md#export-and-import. */
export const TRANSFER_OPERATIONS = {
  exportBuckets: {
    route: "GET /api/0/export",
    call: "export",
    raw: true,
    summary: "Export all buckets with their events",
    needs: "listed",
    answer: "ExportDocument",
    says: "A document with all buckets, as a file.",
    example: DOCUMENT as JsonObject,
    headers: { "Content-Disposition": "`attachment`, with the name `aw-buckets-export.json`." },
  },
  exportBucket: {
    route: "GET /api/0/buckets/:bucketId/export",
    call: "buckets.export",
    raw: true,
    summary: "Export a bucket with its events",
    needs: "read",
    answer: "ExportDocument",
    says: "A document with one bucket, as a file.",
    example: DOCUMENT as JsonObject,
    headers: { "Content-Disposition": "`attachment`, with the name `aw-bucket-export_<id>.json`." },
  },
  exportBucketCsv: {
    route: "GET /api/0/buckets/:bucketId/export/csv",
    summary: "Export a bucket's events as a table",
    description: `The columns are \`id\`, \`timestamp\`, \`duration\`, and one for each key of the data, in order of
      appearance. If the data have more than 32 keys, they are in one column as JSON. The parameters select events as in
      the list of events.`,
    needs: "read",
    parameters: ["start", "end", "limit", "offset", "filter"],
    answer: "CsvTable",
    says: "The events, newest first, as a file.",
    example: [
      "id,timestamp,duration,app,title",
      "2,2024-03-01T10:00:07.500000+00:00,52.5,browser,Weather",
      "1,2024-03-01T10:00:00+00:00,7.5,editor,notes.md",
      "",
    ].join("\r\n") as string,
    headers: { "Content-Disposition": "`attachment`, with the name `aw-events-export-<id>.csv`." },
    mediaType: "text/csv",
  },
  importBuckets: {
    route: "POST /api/0/import",
    summary: "Import buckets with their events from export documents",
    description: `An existing bucket keeps its record and gets new events. An event with the same timestamp, duration
        and data as a stored one is skipped, so a second import adds nothing. Nothing is written before the complete
        document is read and its structure is valid. If an import stops, stored events stay. The error reports their
        number, and the same import again adds the rest.`,
    needs: "admin",
    bodyKind: "import",
    body: "ImportDocument",
    sends: {
      buckets: {
        afk_desk: {
          type: "afkstatus",
          client: "my-watcher",
          hostname: "desk",
          events: [{ timestamp: "2024-03-01T10:00:00Z", duration: 600, data: { status: "not-afk" } }],
        },
      },
    },
    form: { schema: "ImportForm", example: { "buckets.json": '{"buckets": {}}' } },
    answer: "ImportCounts",
    example: { buckets_created: 1, buckets_merged: 0, events_imported: 1, events_already_there: 0, events_invalid: 0 },
    errors: ["VETOED", "CONFLICT"],
  },
} as const;
