import type { JsonObject } from "../../domain/json.js";
import { FIRST, SECOND } from "../examples.js";

/** The data of a timeline. */
export const TIMELINE_OPERATIONS = {
  getTimeline: {
    route: "GET /api/0/buckets/:bucketId/timeline",
    call: "events.timeline",
    raw: true,
    summary: "Read events or bins to draw",
    description: `Made for pages that draw time in as many columns as a screen has. Where no more than \`bins\` events
      touch the range, \`events\` holds them, oldest first, each cut to it as on the route of events. Where there are
      more, the range is cut into at most that many bins of equal length, whole microseconds each: \`bins\` holds those
      that an event touches, in the order of time, and \`data\` what they show. At each moment the newest of the events
      that last then counts, by timestamp and then by id; a bin shows what counts longest in it, of equal ones what came
      first. An event of no length, or of a negative one, touches the bin of its timestamp, covers no time of it, and is
      shown where nothing lasts. A missing \`start\` or \`end\` is that of the first or last event of the bucket; an
      \`end\` before the \`start\` is refused.`,
    needs: "read",
    bulk: true,
    parameters: ["start", "end", "bins"],
    answer: "Timeline",
    says: "The events of the range, or its bins.",
    example: {
      start: "2024-03-01T09:00:00+00:00",
      end: "2024-03-01T12:00:00+00:00",
      count: 2,
      events: [FIRST, SECOND],
    } as JsonObject,
    errors: ["QUERY_TOO_LARGE"],
  },
} as const;
