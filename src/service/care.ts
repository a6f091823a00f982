import { Identity } from "./identity/identity.js";
import { PrivacyTrial } from "./privacy/past.js";
import type { RedirectedService } from "./redirected-service.js";
import { Retention, type RetentionOptions } from "./retention/retention.js";
import type { Trash } from "./trash/trash.js";

/** What takes care of what is stored. */
export interface Care {
  readonly identity: Identity;
  readonly privacy: PrivacyTrial;
  readonly retention: Retention;
}

/** Puts it together. @param service hears which buckets have moved */
export function createCare(options: RetentionOptions & { readonly trash: Trash }, service: RedirectedService): Care {
  const { storage, trash, clock } = options;
  return {
    identity: new Identity({
      storage,
      trash,
      clock,
      redirects: service.redirects,
      moved: (told) => service.bucketsMoved(told),
    }),
    privacy: new PrivacyTrial(storage),
    retention: new Retention(options),
  };
}
