import type { JsonObject } from "../../domain/json.js";
import { BUCKET } from "../examples.js";

/** docs/api.md#creating-changing-and-deleting-buckets. */
export const BUCKET_OPERATIONS = {
  listBuckets: {
    route: "GET /api/0/buckets",
    summary: "List all buckets",
    needs: "listed",
    call: "buckets.list",
    raw: true,
    answer: "Buckets",
    says: "All buckets by their ids, in the order of their creation.",
    example: { window_desk: BUCKET } as JsonObject,
  },
  getBucket: {
    route: "GET /api/0/buckets/:bucketId",
    summary: "Get a bucket",
    needs: "read",
    call: "buckets.get",
    raw: true,
    answer: "Bucket",
    says: "The bucket.",
    example: BUCKET as JsonObject,
  },
  createBucket: {
    route: "POST /api/0/buckets/:bucketId",
    creates: true,
    summary: "Create a bucket",
    description: "The bucket and the events that come with it are stored together or not at all.",
    watcher: true,
    needs: "append",
    body: "BucketCreation",
    sends: { type: "currentwindow", client: "my-watcher", hostname: "desk" },
    says: "It was created.",
    unchanged: "There is a bucket with this id, which stays as it is.",
    errors: ["VETOED", "CONFLICT"],
  },
  updateBucket: {
    route: "PUT /api/0/buckets/:bucketId",
    summary: "Change fields of a bucket",
    needs: "write",
    call: "buckets.update",
    body: "BucketPatch",
    sends: { name: "Windows of my desk" },
    says: "It was changed.",
    errors: ["VETOED"],
  },
  deleteBucket: {
    route: "DELETE /api/0/buckets/:bucketId",
    summary: "Delete a bucket and all its events",
    description: `Without \`force=1\` it is refused with 401, unless the server is in testing mode. It can be restored
      from the trash, unless \`permanent=true\` is given.`,
    needs: "write",
    parameters: ["force", "permanent"],
    says: "It was deleted.",
    headers: { "X-Activity-Trash-Entry": "The entry of the trash that takes it back, where there is one." },
    errors: ["VETOED"],
  },
} as const;
