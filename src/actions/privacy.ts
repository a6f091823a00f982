import type { PRIVACY_OPERATIONS } from "../api/subjects/privacy.js";
import type { Care } from "../service/care.js";
import type { Actions } from "./action.js";

/** docs/privacy.md. */
export function privacyActions({
  privacy,
  applying,
}: Pick<Care, "privacy" | "applying">): Actions<keyof typeof PRIVACY_OPERATIONS> {
  return {
    applyPrivacy: async ({ body }) => ({ buckets: await applying.apply(body) }),
    previewPrivacy: ({ body }) => privacy.preview(body),
  };
}
