import type { ClientIdentity, ClientPrivacy, ClientRetention, ClientTrash } from "./care-types.js";
import {
  MERGING,
  PRIVACY_PREVIEW,
  REDIRECT,
  RELABELLING,
  RETENTION_RUN,
  TRASH_EMPTIED,
  TRASH_ENTRY,
  UNDO,
  UNDONE,
} from "./response-schemas.js";
import { serializedLater as json, type Sender } from "./sender.js";

export function identityOf({ send, sendOnly }: Sender): ClientIdentity {
  const path = "/api/0/buckets/:bucketId";
  return {
    rename: (bucketId, renaming, options) =>
      send(`POST ${path}/rename`, RELABELLING, { ...options, params: { bucketId }, body: json(renaming) }),
    setHostname: (bucketId, change, options) =>
      send(`POST ${path}/host`, RELABELLING, { ...options, params: { bucketId }, body: json(change) }),
    renameHost: (hostname, renaming, options) =>
      send("POST /api/0/hosts/:hostname/rename", RELABELLING, {
        ...options,
        params: { hostname },
        body: json(renaming),
      }),
    merge: (bucketId, merging, options) =>
      send(`POST ${path}/merge`, MERGING, { ...options, params: { bucketId }, body: json(merging) }),
    redirects: (options) => send("GET /api/0/redirects", [REDIRECT], { ...options }),
    async deleteRedirect(from, options) {
      await sendOnly("DELETE /api/0/redirects/:redirectedId", { ...options, params: { redirectedId: from } });
    },
    undoable: (options) => send("GET /api/0/undo", [UNDO], { ...options }),
    undo: (id, options) => send("POST /api/0/undo/:undoId", UNDONE, { ...options, params: { undoId: id } }),
  };
}

export function privacyOf({ send }: Sender): ClientPrivacy {
  return {
    apply: (application, options) =>
      send("POST /api/0/privacy/apply", { buckets: "list" }, { ...options, body: json(application ?? {}) }),
    preview: (trial, options) =>
      send("POST /api/0/privacy/preview", PRIVACY_PREVIEW, { ...options, body: json(trial ?? {}) }),
  };
}

export function trashOf({ send, sendOnly }: Sender): ClientTrash {
  const path = "/api/0/trash";
  return {
    list: (options) => send(`GET ${path}`, [TRASH_ENTRY], { ...options }),
    async restore(entryId, restoring, options) {
      const request = { ...options, params: { entryId }, body: json(restoring ?? {}) };
      return (await send(`POST ${path}/:entryId/restore`, { buckets: "list" }, request)).buckets;
    },
    async delete(entryId, options) {
      await sendOnly(`DELETE ${path}/:entryId`, { ...options, params: { entryId } });
    },
    empty: (options) => send(`DELETE ${path}`, TRASH_EMPTIED, { ...options }),
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
