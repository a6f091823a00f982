import type { Action, CallId } from "../api/calls.js";
import type { AccessServices } from "../service/access/access-services.js";
import type { DataServices } from "../service/data-services.js";
import { parseSelection } from "../service/event-reads.js";
import type { Service } from "../service/service.js";
import { noSuchEntry } from "../service/trash/entry.js";
import { refuseDefect, toPatch } from "../service/validation.js";

/** The parts that actions need in addition to the service. */
export interface ActionParts extends DataServices, AccessServices {
  /** The path of the page that takes the token of a link, before the token. */
  readonly signInPath: string;
}

/** Functions that run operations, by operation ID; the service acts for the caller. */
export type Actions = { readonly [Id in CallId]: Action<Id, Service> };

/** Creates an action for each operation that has a method. */
export function createActions(parts: ActionParts): Actions {
  const { identity, privacy, retention, keys, sessions, pairing, extensions, signInPath } = parts;
  return {
    getInfo: (_, service) => service.visible.info(),

    updateBucket: ({ params, body }, service) =>
      service.execute({ kind: "updateBucket", bucketId: params.bucketId, patch: toPatch(body) }),
    getBucketAccess: ({ params }, service) => service.visible.getAccess(params.bucketId),
    async setBucketAccess({ params, body: { access } }, service) {
      await service.execute({ kind: "setAccess", bucketId: params.bucketId, access });
      return access;
    },

    renameBucket: ({ params, body: { to, ...changing } }, service) =>
      service.execute({ kind: "renameBucket", bucketId: params.bucketId, to, changing }),
    setBucketHost: ({ params, body: { hostname, ...changing } }, service) =>
      service.execute({ kind: "setBucketHost", bucketId: params.bucketId, hostname, changing }),
    renameHost: ({ params, body: { to, ...changing } }, service) =>
      service.execute({ kind: "renameHost", hostname: params.hostname, to, changing }),
    mergeBuckets: ({ params, body: { from, ...changing } }, service) =>
      service.execute({ kind: "mergeBuckets", bucketId: params.bucketId, from, changing }),
    listRedirects: () => identity.listRedirects(),
    deleteRedirect: ({ params }, service) => service.execute({ kind: "deleteRedirect", from: params.redirectedId }),
    listUndo: () => identity.listUndo(),
    undo: ({ params }, service) => service.execute({ kind: "undo", undoId: params.undoId }),

    countEvents: ({ params, query, isGone }, service) =>
      service.visible.countEvents(params.bucketId, { ...parseSelection(query), isGone }),
    deleteEventsOfAll: ({ body: { buckets, hosts, ...selection } }, service) =>
      service.execute({ kind: "deleteMatching", buckets: { buckets, hosts }, selection }),
    splitEvent: ({ params, body }, service) => service.execute({ kind: "splitEvent", ...params, at: body.at }),
    moveEvent: ({ params, body }, service) => service.execute({ kind: "moveEvent", ...params, targetId: body.bucket }),

    report: ({ body, isGone }, service) => service.visible.report(body, isGone),
    classify: ({ body, isGone }, service) => service.visible.classify(body, isGone),

    listKeys: () => keys.list(),
    createKey: ({ body }) => keys.add(body),
    revokeKey: ({ params }) => keys.revoke(params.keyName),

    async createSignInLink() {
      const link = sessions.createLink();
      return { ...link, path: signInPath + link.token };
    },
    listSessions: (_, { caller }) => sessions.list(caller?.kind === "session" ? caller.id : undefined),
    endSession: ({ params }) => sessions.end(params.sessionId),

    listPairing: async () => pairing.list(),
    approvePairing: ({ params, body }) => pairing.approve(params.code, body),
    refusePairing: ({ params }) => pairing.refuse(params.code),
    listExtensions: () => extensions.list(),
    forgetExtension: ({ params }) => extensions.forgetOrigin(params.extensionOrigin),

    applyPrivacy: async ({ body }, service) => ({
      buckets: await service.execute({ kind: "applyPrivacy", application: body }),
    }),
    previewPrivacy: ({ body }) => privacy.preview(body),

    listRetentionRuns: () => retention.log(),
    previewRetention: ({ body }) => retention.preview(body.rules),
    runRetention: (_, service) => service.execute({ kind: "runRetention" }),

    listTrash: (_, service) => service.visible.listTrash(),
    restoreTrash: ({ params, body }, service) =>
      service.execute({ kind: "restoreTrash", entryId: params.entryId, restoring: body }),
    async deleteTrash({ params: { entryId } }, service) {
      const removed = await service.execute({ kind: "removeTrash", entryIds: [entryId] });
      if (removed.length === 0) throw noSuchEntry(entryId);
    },
    async emptyTrash(_, service) {
      const entries = await service.execute({ kind: "removeTrash" });
      return { entries: entries.length, events: entries.reduce((sum, entry) => sum + entry.events, 0) };
    },

    listSettings: async (_, service) => Object.fromEntries(await service.visible.listSettings()),
    getSetting: ({ params }, service) => service.visible.getSetting(params.key),
    async putSetting({ params, body }, service) {
      refuseDefect(body, "the setting");
      return service.execute({ kind: "putSetting", key: params.key, value: body });
    },
    async deleteSetting({ params }, service) {
      await service.execute({ kind: "putSetting", key: params.key, value: null });
    },
  };
}
