/** docs/guides/keys.md#protected-buckets. */
export const ACCESS_OPERATIONS = {
  getBucketAccess: {
    route: "GET /api/0/buckets/:bucketId/access",
    call: "buckets.getAccess",
    returns: "access",
    summary: "Get the access of a bucket",
    needs: "read",
    answer: "BucketAccess",
    says: "Its access.",
    example: { access: "open" },
  },
  setBucketAccess: {
    route: "PUT /api/0/buckets/:bucketId/access",
    call: "buckets.setAccess",
    takes: "access",
    returns: "access",
    summary: "Set the access of a bucket",
    description: `\`append-only\`: heartbeats, and events without ids, may be added; nothing that is there is replaced
      or deleted. \`read-only\`: nothing changes. It binds everybody but admin keys and the program itself. Needs an
      admin key where there are keys.`,
    needs: "owner",
    body: "BucketAccess",
    sends: { access: "append-only" },
    answer: "BucketAccess",
    says: "Its access now.",
    example: { access: "append-only" },
    errors: ["CONFLICT"],
  },
} as const;
