import type { IDENTITY_OPERATIONS } from "../api/subjects/identity.js";
import type { Identity } from "../service/identity/identity.js";
import type { Actions } from "./action.js";

/** docs/buckets.md. */
export function identityActions(identity: Identity): Actions<keyof typeof IDENTITY_OPERATIONS> {
  return {
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
  };
}
