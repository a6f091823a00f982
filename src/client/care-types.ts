import type { Named } from "../api/schemas.js";
import type { CallOptions } from "./client-types.js";

/** A privacy rule, as the settings hold it. */
export type ClientPrivacyRule = Named<"PrivacyRule">;

/** Which rules to try, and on what. */
export type ClientPrivacyTrial = Named<"PrivacyTrial">;

/** What rules would do. Times are texts in UTC, lengths seconds. */
export type ClientPrivacyPreview = Named<"PrivacyPreview">;

/** Privacy rules over what is stored. The client needs an admin key where keys are needed. */
export interface ClientPrivacy {
  /** Tells what rules would do to stored events; changes nothing. */
  preview(trial?: ClientPrivacyTrial, options?: CallOptions): Promise<ClientPrivacyPreview>;
}
