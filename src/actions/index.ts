import type { Action, CallId } from "../api/calls.js";
import type { People } from "../service/access/people.js";
import type { Care } from "../service/care.js";
import { selectionOf } from "../service/event-reads.js";
import type { HookedService } from "../service/hooked-service.js";
import { noSuchEntry } from "../service/trash/entry.js";

/** What actions need besides the service. */
export interface ActionParts extends Care, People {
  /** Where the page is that takes the token of a link, up to the token. */
  readonly signInPath: string;
}

/** What carries out operations, by their IDs; the service acts for the caller. */
export type Actions = { readonly [Id in CallId]: Action<Id, HookedService> };

/** An action for each operation that a method calls. */
export function actionsOf(parts: ActionParts): Actions {
  const { identity, privacy, applying, retention, keys, sessions, pairing, extensions, signInPath } = parts;
  return {
    getInfo: (_, service) => service.visible.info(),

    updateBucket: ({ params, body }, service) => service.updateBucket(params.bucketId, body),
    getBucketAccess: ({ params }, service) => service.visible.getAccess(params.bucketId),
    async setBucketAccess({ params, body: { access } }, service) {
      await service.setAccess(params.bucketId, access);
      return access;
    },

    async renameBucket({ params: { bucketId }, body: { to, ...changing } }, service) {
      await service.refuseProtected([bucketId]);
      return identity.rename(bucketId, to, changing);
    },
    async setBucketHost({ params: { bucketId }, body: { hostname, ...changing } }, service) {
      await service.refuseProtected([bucketId]);
      return identity.setHostname(bucketId, hostname, changing);
    },
    async renameHost({ params: { hostname }, body: { to, ...changing } }, service) {
      await service.refuseProtected(await identity.bucketsOf(hostname));
      return identity.renameHost(hostname, to, changing);
    },
    async mergeBuckets({ params: { bucketId }, body: { from, ...merging } }, service) {
      await service.refuseProtected([bucketId, ...from]);
      return identity.merge(bucketId, from, merging);
    },
    listRedirects: () => identity.listRedirects(),
    deleteRedirect: ({ params }) => identity.deleteRedirect(params.redirectedId),
    listUndo: () => identity.listUndo(),
    async undo({ params: { undoId } }, service) {
      await service.refuseProtected((await identity.getUndo(undoId)).to);
      return identity.undo(undoId);
    },

    countEvents: ({ params, query, isGone }, service) =>
      service.visible.countEvents(params.bucketId, { ...selectionOf(query), isGone }),
    deleteEventsOfAll: ({ body: { buckets, hosts, ...selection } }, service) =>
      service.deleteMatchingIn({ buckets, hosts }, selection),
    splitEvent: ({ params, body }, service) => service.splitEvent(params.bucketId, params.eventId, body.at),
    moveEvent: ({ params, body }, service) => service.moveEvent(params.bucketId, params.eventId, body.bucket),

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

    applyPrivacy: async ({ body }) => ({ buckets: await applying.apply(body) }),
    previewPrivacy: ({ body }) => privacy.preview(body),

    listRetentionRuns: () => retention.log(),
    previewRetention: ({ body }) => retention.preview(body.rules),
    runRetention: () => retention.runNow(),

    listTrash: (_, service) => service.visible.listTrash(),
    restoreTrash: ({ params, body }, service) => service.restoreTrash(params.entryId, body),
    async deleteTrash({ params: { entryId } }, service) {
      if ((await service.removeTrash([entryId])).length === 0) throw noSuchEntry(entryId);
    },
    async emptyTrash(_, service) {
      const entries = await service.removeTrash();
      return { entries: entries.length, events: entries.reduce((sum, entry) => sum + entry.events, 0) };
    },

    listSettings: async (_, service) => Object.fromEntries(await service.visible.listSettings()),
    getSetting: ({ params }, service) => service.visible.getSetting(params.key),
    putSetting: ({ params, body }, service) => service.putSetting(params.key, body),
    deleteSetting: ({ params }, service) => service.deleteSetting(params.key),
  };
}
