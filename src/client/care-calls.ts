import type { ClientPrivacy } from "./care-types.js";
import { PRIVACY_PREVIEW } from "./response-schemas.js";
import { serializedLater as json, type Sender } from "./sender.js";

export function privacyOf({ send }: Sender): ClientPrivacy {
  return {
    preview: (trial, options) =>
      send("POST /api/0/privacy/preview", PRIVACY_PREVIEW, { ...options, body: json(trial ?? {}) }),
  };
}
