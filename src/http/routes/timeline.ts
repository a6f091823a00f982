import type { TIMELINE_OPERATIONS } from "../../api/subjects/timeline.js";
import { invalid } from "../../validation.js";
import { printTimeline } from "../../wire/print-timeline.js";
import { jsonAnswer } from "../exchange.js";
import { parseBins, parseRange } from "../parameters.js";
import { gather } from "../pieces.js";
import type { Handlers } from "../route.js";
import { bucketIdOf } from "./buckets.js";

/** What draws events. */
export const timelineHandlers: Handlers<keyof typeof TIMELINE_OPERATIONS> = {
  async getTimeline({ search }, context) {
    const { service, printers, query } = context;
    const bucketId = bucketIdOf(context);
    // Asked for before anything is read: a change in between makes the answer outdated, not the other way round.
    const revision = service.revision(bucketId);
    const body = await printers.answers.answer(JSON.stringify(["timeline", bucketId, search]), revision, async () => {
      const range = parseRange(query);
      const { start, end } = range;
      if (start !== undefined && end !== undefined && end < start) {
        throw invalid("query parameter end is before start; the end of the range is expected");
      }
      const bins = parseBins(query);
      const timeline = await service.readTimeline(bucketId, { ...range, bins });
      return gather(printTimeline(timeline, printers.runs));
    });
    return jsonAnswer(body);
  },
};
