import type { TIMELINE_OPERATIONS } from "../../api/subjects/timeline.js";
import { serializeTimeline } from "../../codec/serialize-timeline.js";
import { invalid } from "../../service/validation.js";
import { gather } from "../buffering.js";
import { parseBins, parseRange } from "../parameters.js";
import { jsonResponse } from "../request-context.js";
import type { Handlers } from "../route.js";
import { bucketIdOf } from "./buckets.js";

/** What draws events. */
export const timelineHandlers: Handlers<keyof typeof TIMELINE_OPERATIONS> = {
  async getTimeline({ search }, context) {
    const { service, serializers, query } = context;
    const bucketId = bucketIdOf(context);
    // Asked for before anything is read: a change in between makes the response outdated, not the other way round.
    const now = service.versionOf(bucketId);
    const body = await serializers.responses.respond(JSON.stringify(["timeline", bucketId, search]), now, async () => {
      const range = parseRange(query);
      const { start, end } = range;
      if (start !== undefined && end !== undefined && end < start) {
        throw invalid("query parameter end is before start; the end of the range is expected");
      }
      const bins = parseBins(query);
      const { version, timeline } = await service.readTimeline(bucketId, { ...range, bins });
      return { version, body: await gather(serializeTimeline(timeline, serializers.events)) };
    });
    return jsonResponse(body);
  },
};
