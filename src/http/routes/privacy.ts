import type { PRIVACY_OPERATIONS } from "../../api/subjects/privacy.js";
import { serializeEvent } from "../../codec/serialize-events.js";
import type { PrivacyApplyInput, PrivacyApplying } from "../../service/privacy/applying.js";
import type { PrivacyExample, PrivacyPreviewInput, PrivacyTrial } from "../../service/privacy/past.js";
import { readObject } from "../body.js";
import { refuseOthers, switchIn } from "../fields.js";
import { jsonResponse } from "../request-context.js";
import type { Handlers } from "../route.js";

/** docs/privacy.md. */
export function privacyHandlers({
  privacy: trial,
  applying,
}: {
  readonly privacy: PrivacyTrial;
  readonly applying: PrivacyApplying;
}): Handlers<keyof typeof PRIVACY_OPERATIONS> {
  return {
    async applyPrivacy(request, context) {
      const input = await readObject(request, context.limits);
      refuseOthers(input, ["rules", "buckets", "bucket", "preview"]);
      const { bucket: bucketId, ...others } = input;
      const preview = switchIn(input, "preview");
      const buckets = await applying.apply({ ...others, bucketId, preview } as PrivacyApplyInput);
      const wireBuckets = buckets.map(({ bucketId, ...bucket }) => ({ bucket_id: bucketId, ...bucket }));
      return jsonResponse(JSON.stringify({ buckets: wireBuckets }));
    },

    async previewPrivacy(request, context) {
      // Its fields are read, and refused, where they are used.
      const input: unknown = await readObject(request, context.limits);
      const { rules, buckets, ...counts } = await trial.preview(input as PrivacyPreviewInput);
      const wireRules = rules.map(({ examples, ...rule }) => {
        const members = JSON.stringify(rule).slice(0, -1);
        return `${members},"examples":[${examples.map(wireExample).join(",")}]}`;
      });
      const wireBuckets = buckets.map(({ bucketId, ...bucket }) => ({ bucket_id: bucketId, ...bucket }));
      const head = JSON.stringify(counts).slice(0, -1);
      return jsonResponse(`${head},"rules":[${wireRules.join(",")}],"buckets":${JSON.stringify(wireBuckets)}}`);
    },
  };
}

function wireExample({ bucketId, before, after }: PrivacyExample): string {
  const left = after === null ? "null" : serializeEvent(after);
  return `{"bucket_id":${JSON.stringify(bucketId)},"before":${serializeEvent(before)},"after":${left}}`;
}
