import type { ClientPrivacy, ClientRetention } from "./care-types.js";
import { PRIVACY_PREVIEW, RETENTION_RUN } from "./response-schemas.js";
import { serializedLater as json, type Sender } from "./sender.js";

export function privacyOf({ send }: Sender): ClientPrivacy {
  return {
    preview: (trial, options) =>
      send("POST /api/0/privacy/preview", PRIVACY_PREVIEW, { ...options, body: json(trial ?? {}) }),
  };
}

export function retentionOf({ send }: Sender): ClientRetention {
  const path = "/api/0/retention";
  return {
    log: (options) => send(`GET ${path}`, [RETENTION_RUN], { ...options }),
    async preview(rules, options) {
      const body = json(rules === undefined ? {} : { rules });
      return (await send(`POST ${path}/preview`, { buckets: "list" }, { ...options, body })).buckets;
    },
    run: (options) => send(`POST ${path}/run`, RETENTION_RUN, { ...options }),
  };
}
