import type { Action, CallId } from "../api/calls.js";
import type { DomainOf } from "../api/codec.js";
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

/** The second argument of an action. */
export interface ActionContext {
  /** Acts for the caller. */
  readonly service: Service;
  readonly parts: ActionParts;
}

/**
 * An action for each operation that has a method, by operation ID. All servers of a process share them: functions of
 * its own would take 3 kB of each server.
 */
export const ACTIONS: { readonly [Id in CallId]: Action<Id, ActionContext> } = {
  getInfo: (_, { service }) => service.visible.info(),

  updateBucket: ({ params, body }, { service }) =>
    service.execute({ kind: "updateBucket", bucketId: params.bucketId, patch: toPatch(body) }),
  getBucketAccess: ({ params }, { service }) => service.visible.getAccess(params.bucketId),
  async setBucketAccess({ params, body: { access } }, { service }) {
    await service.execute({ kind: "setAccess", bucketId: params.bucketId, access });
    return access;
  },

  renameBucket: ({ params, body: { to, ...changing } }, { service }) =>
    service.execute({ kind: "renameBucket", bucketId: params.bucketId, to, changing }),
  setBucketHost: ({ params, body: { hostname, ...changing } }, { service }) =>
    service.execute({ kind: "setBucketHost", bucketId: params.bucketId, hostname, changing }),
  renameHost: ({ params, body: { to, ...changing } }, { service }) =>
    service.execute({ kind: "renameHost", hostname: params.hostname, to, changing }),
  mergeBuckets: ({ params, body: { from, ...changing } }, { service }) =>
    service.execute({ kind: "mergeBuckets", bucketId: params.bucketId, from, changing }),
  listRedirects: (_, { parts }) => parts.identity.listRedirects(),
  deleteRedirect: ({ params }, { service }) => service.execute({ kind: "deleteRedirect", from: params.redirectedId }),
  listUndo: (_, { parts }) => parts.identity.listUndo(),
  undo: ({ params }, { service }) => service.execute({ kind: "undo", undoId: params.undoId }),

  countEvents: ({ params, query, isGone }, { service }) =>
    service.visible.countEvents(params.bucketId, { ...parseSelection(query), isGone }),
  deleteEvents: ({ params, body }, { service }) => {
    const selection = body as DomainOf<"DeletionByFilter">;
    return service.execute({ kind: "deleteMatching", buckets: params.bucketId, selection });
  },
  deleteEventsOfAll: ({ body: { buckets, hosts, ...selection } }, { service }) =>
    service.execute({ kind: "deleteMatching", buckets: { buckets, hosts }, selection }),
  splitEvent: ({ params, body }, { service }) => service.execute({ kind: "splitEvent", ...params, at: body.at }),
  moveEvent: ({ params, body }, { service }) =>
    service.execute({ kind: "moveEvent", ...params, targetId: body.bucket }),

  report: ({ body, isGone }, { service }) => service.visible.report(body, isGone),
  classify: ({ body, isGone }, { service }) => service.visible.classify(body, isGone),

  listKeys: (_, { parts }) => parts.keys.list(),
  createKey: ({ body }, { parts }) => parts.keys.add(body),
  revokeKey: ({ params }, { parts }) => parts.keys.revoke(params.keyName),

  async createSignInLink(_, { parts }) {
    const link = parts.sessions.createLink();
    return { ...link, path: parts.signInPath + link.token };
  },
  listSessions: (_, { service: { caller }, parts }) =>
    parts.sessions.list(caller?.kind === "session" ? caller.id : undefined),
  endSession: ({ params }, { parts }) => parts.sessions.end(params.sessionId),

  listPairing: async (_, { parts }) => parts.pairing.list(),
  approvePairing: ({ params, body }, { parts }) => parts.pairing.approve(params.code, body),
  refusePairing: ({ params }, { parts }) => parts.pairing.refuse(params.code),
  listExtensions: (_, { parts }) => parts.extensions.list(),
  forgetExtension: ({ params }, { parts }) => parts.extensions.forgetOrigin(params.extensionOrigin),

  applyPrivacy: async ({ body }, { service }) => ({
    buckets: await service.execute({ kind: "applyPrivacy", application: body }),
  }),
  previewPrivacy: ({ body }, { parts }) => parts.privacy.preview(body),

  listRetentionRuns: (_, { parts }) => parts.retention.log(),
  previewRetention: ({ body }, { parts }) => parts.retention.preview(body.rules),
  runRetention: (_, { service }) => service.execute({ kind: "runRetention" }),

  listTrash: (_, { service }) => service.visible.listTrash(),
  restoreTrash: ({ params, body }, { service }) =>
    service.execute({ kind: "restoreTrash", entryId: params.entryId, restoring: body }),
  async deleteTrash({ params: { entryId } }, { service }) {
    const removed = await service.execute({ kind: "removeTrash", entryIds: [entryId] });
    if (removed.length === 0) throw noSuchEntry(entryId);
  },
  async emptyTrash(_, { service }) {
    const entries = await service.execute({ kind: "removeTrash" });
    return { entries: entries.length, events: entries.reduce((sum, entry) => sum + entry.events, 0) };
  },

  listSettings: async (_, { service }) => Object.fromEntries(await service.visible.listSettings()),
  getSetting: ({ params }, { service }) => service.visible.getSetting(params.key),
  async putSetting({ params, body }, { service }) {
    refuseDefect(body, "the setting");
    return service.execute({ kind: "putSetting", key: params.key, value: body });
  },
  async deleteSetting({ params }, { service }) {
    await service.execute({ kind: "putSetting", key: params.key, value: null });
  },
};
