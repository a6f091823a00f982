import type { CallId } from "../api/calls.js";
import type { ACCESS_OPERATIONS } from "../api/subjects/access.js";
import type { BUCKET_OPERATIONS } from "../api/subjects/buckets.js";
import type { Actions } from "./action.js";

/** docs/api.md#creating-changing-and-deleting-buckets, docs/keys.md#protected-buckets. */
export const bucketActions: Actions<(keyof typeof BUCKET_OPERATIONS | keyof typeof ACCESS_OPERATIONS) & CallId> = {
  updateBucket: ({ params, body }, service) => service.updateBucket(params.bucketId, body),

  getBucketAccess: ({ params }, service) => service.getAccess(params.bucketId),

  async setBucketAccess({ params, body: { access } }, service) {
    await service.setAccess(params.bucketId, access);
    return access;
  },
};
