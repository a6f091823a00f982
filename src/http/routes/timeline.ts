import type { TIMELINE_OPERATIONS } from "../../api/subjects/timeline.js";
import { serializeTimeline } from "../../codec/serialize-timeline.js";
import { timesOf } from "../../service/search/filters.js";
import { invalid } from "../../service/validation.js";
import { gather } from "../buffering.js";
import { jsonResponse } from "../request-context.js";
import type { Handlers } from "../route.js";
import { bucketIdOf } from "./buckets.js";
import { readQuery } from "./carried-out.js";

/** What draws events. */
export const timelineHandlers: Handlers<keyof typeof TIMELINE_OPERATIONS> = {
  async getTimeline({ search }, context) {
    const { service, serializers, query } = context;
    const bucketId = bucketIdOf(context);
    // Asked for before anything is read: a change in between makes the response outdated, not the other way round.
    const now = service.versionOf(bucketId);
    const body = await serializers.responses.respond(JSON.stringify(["timeline", bucketId, search]), now, async () => {
      const { bins, ...asked } = readQuery("getTimeline", query);
      const range = timesOf(asked);
      if ((range.end ?? Infinity) < (range.start ?? -Infinity)) throw invalid("end must not be before start");
      const { version, timeline } = await service.readTimeline(bucketId, { ...range, bins });
      return { version, body: await gather(serializeTimeline(timeline, serializers.events)) };
    });
    return jsonResponse(body);
  },
};
