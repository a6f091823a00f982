import { microsToSeconds, serializeTimestamp } from "../domain/time.js";
import type { SearchGroup, SearchHit, SearchPart, SearchSummary } from "../service/search/search.js";

/** Serializes search results to one JSON object: `{"rows": [...], "summary": {...}}`. */
export async function* searchAsJson(parts: AsyncIterable<SearchPart>): AsyncGenerator<string> {
  let lead = '{"rows":[';
  for await (const part of parts) {
    if ("summary" in part) {
      yield `${lead === "," ? "" : lead}],"summary":${serializeTotals(part.summary)}}`;
      return;
    }
    const rows = serializeRows(part);
    if (rows.length === 0) continue;
    yield lead + rows.join(",");
    lead = ",";
  }
}

/** Serializes search results to JSON lines: one per row, and `{"summary": {...}}` in the last one. */
export async function* searchAsLines(parts: AsyncIterable<SearchPart>): AsyncGenerator<string> {
  for await (const part of parts) {
    if ("summary" in part) yield `{"summary":${serializeTotals(part.summary)}}\n`;
    else
      yield serializeRows(part)
        .map((row) => `${row}\n`)
        .join("");
  }
}

function serializeRows(part: Exclude<SearchPart, { summary: unknown }>): string[] {
  return "hits" in part ? part.hits.map(serializeHit) : part.groups.map(serializeTotals);
}

function serializeHit({ bucketId, timestamp, duration, batch, row }: SearchHit): string {
  const id = batch.ids?.[row] || null;
  const time = serializeTimestamp(timestamp);
  const span = `"timestamp":"${time}","duration":${microsToSeconds(duration)}`;
  return `{"bucket":${JSON.stringify(bucketId)},"id":${id},${span},"data":${batch.textAt(row)}}`;
}

function serializeTotals({ first, last, ...counts }: SearchGroup | SearchSummary): string {
  const [from, to] = [first, last].map((time) => (time === null ? null : serializeTimestamp(time)));
  return JSON.stringify({ ...counts, first: from, last: to });
}
