import type { JsonObject } from "../../domain/json.js";
import { FIRST, SECOND } from "../examples.js";

/** The data of a timeline. */
export const TIMELINE_OPERATIONS = {
  getTimeline: {
    route: "GET /api/0/buckets/:bucketId/timeline",
    call: "events.timeline",
    raw: true,
    summary: "Read events or bins to draw",
    description: `For pages that draw time in columns. If at most \`bins\` events touch the range, \`events\` has them,
      oldest first, clipped to the range. Otherwise, the range is divided into at most that many bins of equal duration
      in whole microseconds. \`bins\` has the bins that an event touches, in order, and \`data\` the data to show. If
      events overlap, the newest one applies, by timestamp and then by ID. A bin shows the data that apply longest in
      it, or the earlier of two. An event without a positive duration touches the bin of its timestamp, covers no time,
      and is shown only if nothing else is. A missing \`start\` or \`end\` is the start or end of the bucket's events.
      The server refuses an \`end\` before the \`start\`.`,
    needs: "read",
    bulk: true,
    parameters: ["start", "end", "bins"],
    answer: "Timeline",
    example: {
      start: "2024-03-01T09:00:00+00:00",
      end: "2024-03-01T12:00:00+00:00",
      count: 2,
      events: [FIRST, SECOND],
    } as JsonObject,
    errors: ["QUERY_TOO_LARGE"],
  },
} as const;
