/** docs/keys.md#protected-buckets. */
export const ACCESS_OPERATIONS = {
  getBucketAccess: {
    method: "GET",
    path: "/api/0/buckets/:bucketId/access",
    tag: "buckets",
    summary: "Say what may be done with a bucket",
    needs: "read",
    parameters: ["bucketId"],
    answers: {
      200: { description: "Its access.", content: { schema: "BucketAccess", example: { access: "open" } } },
    },
    errors: ["NO_SUCH_BUCKET"],
  },
  setBucketAccess: {
    method: "PUT",
    path: "/api/0/buckets/:bucketId/access",
    tag: "buckets",
    summary: "Protect a bucket, or open it again",
    description: `\`append-only\`: heartbeats, and events without ids, may be added; nothing that is there is replaced
      or deleted. \`read-only\`: nothing changes. It binds everybody but admin keys and the program itself. Needs an
      admin key where there are keys.`,
    needs: "owner",
    parameters: ["bucketId"],
    bodyKind: "single",
    body: { "application/json": { schema: "BucketAccess", example: { access: "append-only" } } },
    answers: {
      200: { description: "Its access now.", content: { schema: "BucketAccess", example: { access: "append-only" } } },
    },
    errors: ["INVALID_INPUT", "NO_SUCH_BUCKET", "TOO_LARGE", "UNSUPPORTED_TYPE"],
  },
} as const;
