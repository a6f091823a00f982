/** docs/buckets.md. */
export const IDENTITY_OPERATIONS = {
  renameBucket: {
    method: "POST",
    path: "/api/0/buckets/:bucketId/rename",
    tag: "identity",
    summary: "Give a bucket another id",
    description: "In one step: heartbeats wait for it, and none is lost or stored twice.",
    needs: "admin",
    parameters: ["bucketId"],
    bodyKind: "single",
    body: { "application/json": { schema: "BucketRenaming", example: { to: "window_laptop" } } },
    answers: {
      200: {
        description: "What was changed.",
        content: {
          schema: "Relabelling",
          example: {
            undo: "5f0c81ab42d7",
            buckets: [{ from: "window_desk", to: "window_laptop", old_hostname: "desk", hostname: "desk", events: 2 }],
            redirects: [
              { from: "window_desk", to: "window_laptop", created: "2024-03-01T09:00:00+00:00", until: null },
            ],
          },
        },
      },
    },
    errors: ["INVALID_INPUT", "NO_SUCH_BUCKET", "CONFLICT", "TOO_LARGE", "UNSUPPORTED_TYPE", "STORAGE_UNSUPPORTED"],
  },
  setBucketHost: {
    method: "POST",
    path: "/api/0/buckets/:bucketId/host",
    tag: "identity",
    summary: "Set the hostname of a bucket",
    needs: "admin",
    parameters: ["bucketId"],
    bodyKind: "single",
    body: { "application/json": { schema: "HostnameChange", example: { hostname: "laptop" } } },
    answers: {
      200: {
        description: "What was changed.",
        content: {
          schema: "Relabelling",
          example: {
            undo: "5f0c81ab42d7",
            buckets: [{ from: "window_desk", to: "window_desk", old_hostname: "desk", hostname: "laptop", events: 2 }],
            redirects: [],
          },
        },
      },
    },
    errors: ["INVALID_INPUT", "NO_SUCH_BUCKET", "CONFLICT", "TOO_LARGE", "UNSUPPORTED_TYPE", "STORAGE_UNSUPPORTED"],
  },
  renameHost: {
    method: "POST",
    path: "/api/0/hosts/:hostname/rename",
    tag: "identity",
    summary: "Give all buckets of a host another hostname",
    description: "All of them in one step, their ids as well if wanted.",
    needs: "admin",
    parameters: ["hostname"],
    bodyKind: "single",
    body: {
      "application/json": { schema: "HostRenaming", example: { to: "laptop", rename_buckets: true, redirect: false } },
    },
    answers: {
      200: {
        description: "What was changed.",
        content: {
          schema: "Relabelling",
          example: {
            undo: "5f0c81ab42d7",
            buckets: [
              { from: "window_desk", to: "window_laptop", old_hostname: "desk", hostname: "laptop", events: 2 },
            ],
            redirects: [],
          },
        },
      },
    },
    errors: ["INVALID_INPUT", "CONFLICT", "TOO_LARGE", "UNSUPPORTED_TYPE", "STORAGE_UNSUPPORTED"],
  },
  mergeBuckets: {
    method: "POST",
    path: "/api/0/buckets/:bucketId/merge",
    tag: "identity",
    summary: "Merge other buckets into a bucket",
    description: "In one step, a slice at a time. The other buckets, and what is cut, go into the trash.",
    needs: "admin",
    bulk: true,
    parameters: ["bucketId"],
    bodyKind: "single",
    body: {
      "application/json": { schema: "BucketMerging", example: { from: ["window_old"], overlaps: "first-wins" } },
    },
    answers: {
      200: {
        description: "What was merged.",
        content: {
          schema: "Merging",
          example: {
            undo: "5f0c81ab42d7",
            into: "window_desk",
            buckets: [
              { bucket_id: "window_desk", events: 2, equal: 0, cut: 0, covered: 0 },
              { bucket_id: "window_old", events: 2, equal: 1, cut: 1, covered: 0 },
            ],
            redirects: [{ from: "window_old", to: "window_desk", created: "2024-03-01T09:00:00+00:00", until: null }],
          },
        },
      },
    },
    errors: ["INVALID_INPUT", "NO_SUCH_BUCKET", "CONFLICT", "TOO_LARGE", "UNSUPPORTED_TYPE", "STORAGE_UNSUPPORTED"],
  },
  listRedirects: {
    method: "GET",
    path: "/api/0/redirects",
    tag: "identity",
    summary: "List the ids that lead to other buckets",
    needs: "admin",
    parameters: [],
    answers: {
      200: {
        description: "The oldest first.",
        content: {
          schema: "Redirects",
          example: [{ from: "window_desk", to: "window_laptop", created: "2024-03-01T09:00:00+00:00", until: null }],
        },
      },
    },
    errors: [],
  },
  deleteRedirect: {
    method: "DELETE",
    path: "/api/0/redirects/:redirectedId",
    tag: "identity",
    summary: "Let an id lead nowhere else any more",
    needs: "admin",
    parameters: ["redirectedId"],
    answers: { 200: { description: "It is free again.", content: { schema: "Nothing", example: {} } } },
    errors: ["NO_SUCH_REDIRECT"],
  },
  listUndo: {
    method: "GET",
    path: "/api/0/undo",
    tag: "identity",
    summary: "List the changes that can be undone",
    needs: "admin",
    parameters: [],
    answers: {
      200: {
        description: "Those of the last 30 days, the latest first.",
        content: {
          schema: "Undos",
          example: [
            {
              id: "5f0c81ab42d7",
              kind: "rename",
              time: "2024-03-01T09:00:00+00:00",
              expires: "2024-03-31T09:00:00+00:00",
              from: ["window_desk"],
              to: ["window_laptop"],
              events: 2,
            },
          ],
        },
      },
    },
    errors: [],
  },
  undo: {
    method: "POST",
    path: "/api/0/undo/:undoId",
    tag: "identity",
    summary: "Undo a change",
    description: "What arrived meanwhile stays.",
    needs: "admin",
    bulk: true,
    parameters: ["undoId"],
    answers: {
      200: {
        description: "What was undone.",
        content: {
          schema: "Undone",
          example: {
            id: "5f0c81ab42d7",
            kind: "rename",
            time: "2024-03-01T09:00:00+00:00",
            expires: "2024-03-31T09:00:00+00:00",
            from: ["window_desk"],
            to: ["window_laptop"],
            events: 2,
            kept: 0,
          },
        },
      },
    },
    errors: ["NO_SUCH_UNDO", "CONFLICT", "STORAGE_UNSUPPORTED"],
  },
} as const;
