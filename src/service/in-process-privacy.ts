import type { PrivacyPreview, PrivacyPreviewInput, PrivacyTrial } from "./privacy/past.js";

/** Privacy rules over what is stored, for the program that the server lives in (docs/privacy.md). */
export interface InProcessPrivacy {
  /** Tells what rules would do to stored events; changes nothing. @throws ActivityError `INVALID_INPUT` */
  preview(input?: PrivacyPreviewInput): Promise<PrivacyPreview>;
}

export function createInProcessPrivacy(
  trial: PrivacyTrial,
  { during }: { during<T>(work: () => Promise<T>): Promise<T> },
): InProcessPrivacy {
  return { preview: (input = {}) => during(() => trial.preview(input)) };
}
