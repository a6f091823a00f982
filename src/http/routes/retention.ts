import type { RETENTION_OPERATIONS } from "../../api/subjects/retention.js";
import type { JsonObject } from "../../domain/json.js";
import { serializeTimestamp } from "../../domain/time.js";
import type { RetentionRule } from "../../retention/rule.js";
import type { RetentionRun } from "../../service/retention/log.js";
import type { BucketRetention, Retention } from "../../service/retention/retention.js";
import { invalid, shown } from "../../service/validation.js";
import { readObject } from "../body.js";
import { jsonResponse } from "../request-context.js";
import type { Handlers } from "../route.js";

/** docs/retention.md. */
export function retentionHandlers(retention: Retention): Handlers<keyof typeof RETENTION_OPERATIONS> {
  return {
    async listRetentionRuns() {
      return jsonResponse(JSON.stringify((await retention.log()).map(wireRun)));
    },

    async previewRetention(request, context) {
      const { rules } = await readObject(request, context.limits);
      if (rules !== undefined && !Array.isArray(rules)) throw invalid(`rules is ${shown(rules)}; a list is expected`);
      // The rules are read, and refused, where they are carried out.
      const buckets = await retention.preview(rules as readonly unknown[] as readonly RetentionRule[] | undefined);
      return jsonResponse(JSON.stringify({ buckets: buckets.map(wireBucket) }));
    },

    async runRetention() {
      return jsonResponse(JSON.stringify(wireRun(await retention.runNow())));
    },
  };
}

function wireRun({ time, buckets }: RetentionRun): JsonObject {
  return { time: serializeTimestamp(time), buckets: buckets.map(wireBucket) };
}

function wireBucket({ bucketId, expired, short, summarized, summaries }: BucketRetention): JsonObject {
  return { bucket_id: bucketId, expired, short, summarized, summaries };
}
