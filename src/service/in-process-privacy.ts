import type { AppliedBucket, PrivacyApplyInput, PrivacyApplying } from "./privacy/applying.js";
import type { PrivacyPreview, PrivacyPreviewInput, PrivacyTrial } from "./privacy/past.js";

/** Privacy rules over what is stored, for the program that the server lives in (docs/privacy.md). */
export interface InProcessPrivacy {
  /** Tells what rules would do to stored events; changes nothing. @throws ActivityError `INVALID_INPUT` */
  preview(input?: PrivacyPreviewInput): Promise<PrivacyPreview>;
  /**
   * Applies rules to stored events, a bucket at a time; what they change or drop goes into the trash.
   *
   * @returns the buckets in which something was changed, each with what undoes it
   * @throws ActivityError `INVALID_INPUT`
   */
  apply(input?: PrivacyApplyInput): Promise<AppliedBucket[]>;
}

export function createInProcessPrivacy(
  { privacy, applying }: { readonly privacy: PrivacyTrial; readonly applying: PrivacyApplying },
  { during }: { during<T>(work: () => Promise<T>): Promise<T> },
): InProcessPrivacy {
  return {
    preview: (input = {}) => during(() => privacy.preview(input)),
    apply: (input = {}) => during(() => applying.apply(input)),
  };
}
