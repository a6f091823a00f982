/** docs/reference/keys.md#protected-buckets. */
export const ACCESS_OPERATIONS = {
  getBucketAccess: {
    route: "GET /api/0/buckets/:bucketId/access",
    call: "buckets.getAccess",
    returns: "access",
    summary: "Get a bucket's access",
    needs: "read",
    answer: "BucketAccess",
    example: { access: "open" },
  },
  setBucketAccess: {
    route: "PUT /api/0/buckets/:bucketId/access",
    call: "buckets.setAccess",
    takes: "access",
    returns: "access",
    summary: "Set a bucket's access",
    description: `\`append-only\` allows heartbeats and events without IDs, but no replacement or deletion.
      \`read-only\` allows no change. Admin keys and your app itself are exempt. If keys exist, this needs an admin
      key.`,
    needs: "owner",
    body: "BucketAccess",
    sends: { access: "append-only" },
    answer: "BucketAccess",
    example: { access: "append-only" },
    errors: ["CONFLICT"],
  },
} as const;
