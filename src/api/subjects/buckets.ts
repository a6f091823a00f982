/** docs/api.md#creating-changing-and-deleting-buckets. */
export const BUCKET_OPERATIONS = {
  listBuckets: {
    method: "GET",
    path: "/api/0/buckets",
    tag: "buckets",
    summary: "List all buckets",
    needs: "listed",
    parameters: [],
    answers: {
      200: {
        description: "All buckets by their ids, in the order of their creation.",
        content: {
          schema: "Buckets",
          example: {
            window_desk: {
              id: "window_desk",
              name: null,
              type: "currentwindow",
              client: "my-watcher",
              hostname: "desk",
              created: "2024-03-01T09:00:00+00:00",
              data: {},
              metadata: { start: "2024-03-01T10:00:00+00:00", end: "2024-03-01T10:01:00+00:00" },
              last_updated: "2024-03-01T10:01:00+00:00",
            },
          },
        },
      },
    },
    errors: [],
  },
  getBucket: {
    method: "GET",
    path: "/api/0/buckets/:bucketId",
    tag: "buckets",
    summary: "Get a bucket",
    needs: "read",
    parameters: ["bucketId"],
    answers: {
      200: {
        description: "The bucket.",
        content: {
          schema: "Bucket",
          example: {
            id: "window_desk",
            name: null,
            type: "currentwindow",
            client: "my-watcher",
            hostname: "desk",
            created: "2024-03-01T09:00:00+00:00",
            data: {},
            metadata: { start: "2024-03-01T10:00:00+00:00", end: "2024-03-01T10:01:00+00:00" },
            last_updated: "2024-03-01T10:01:00+00:00",
          },
        },
      },
    },
    errors: ["NO_SUCH_BUCKET"],
  },
  createBucket: {
    method: "POST",
    path: "/api/0/buckets/:bucketId",
    tag: "buckets",
    summary: "Create a bucket",
    description: "The bucket and the events that come with it are stored together or not at all.",
    watcher: true,
    needs: "append",
    parameters: ["bucketId"],
    bodyKind: "single",
    body: {
      "application/json": {
        schema: "BucketCreation",
        example: { type: "currentwindow", client: "my-watcher", hostname: "desk" },
      },
    },
    answers: {
      200: { description: "It was created.", content: { schema: "Nothing", example: {} } },
      304: { description: "There is a bucket with this id, which stays as it is." },
    },
    errors: ["INVALID_INPUT", "VETOED", "TOO_LARGE", "UNSUPPORTED_TYPE"],
  },
  updateBucket: {
    method: "PUT",
    path: "/api/0/buckets/:bucketId",
    tag: "buckets",
    summary: "Change fields of a bucket",
    needs: "write",
    parameters: ["bucketId"],
    bodyKind: "single",
    body: { "application/json": { schema: "BucketPatch", example: { name: "Windows of my desk" } } },
    answers: { 200: { description: "It was changed.", content: { schema: "Nothing", example: {} } } },
    errors: ["INVALID_INPUT", "VETOED", "NO_SUCH_BUCKET", "TOO_LARGE", "UNSUPPORTED_TYPE"],
  },
  deleteBucket: {
    method: "DELETE",
    path: "/api/0/buckets/:bucketId",
    tag: "buckets",
    summary: "Delete a bucket and all its events",
    description: `Without \`force=1\` it is refused with 401, unless the server is in testing mode. It can be restored
      from the trash, unless \`permanent=true\` is given.`,
    needs: "write",
    parameters: ["bucketId", "force", "permanent"],
    answers: {
      200: {
        description: "It was deleted.",
        headers: { "X-Activity-Trash-Entry": "The entry of the trash that takes it back, where there is one." },
        content: { schema: "Nothing", example: {} },
      },
    },
    errors: ["INVALID_INPUT", "UNAUTHORIZED", "VETOED", "NO_SUCH_BUCKET"],
  },
} as const;
