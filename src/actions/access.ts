import type { ACCESS_OPERATIONS } from "../api/subjects/access.js";
import type { Actions } from "./action.js";

/** docs/keys.md#protected-buckets. */
export const accessActions: Actions<keyof typeof ACCESS_OPERATIONS> = {
  getBucketAccess: ({ params }, service) => service.getAccess(params.bucketId),

  async setBucketAccess({ params, body: { access } }, service) {
    await service.setAccess(params.bucketId, access);
    return access;
  },
};
