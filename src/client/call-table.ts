// Written by scripts/methods.mjs out of the operations (src/api).
import type { CallTable } from "./call.js";

export const CALLS: CallTable = {
  "": {
    info: ["GET info", "a string: hostname version device_id; a boolean: testing"],
    report: [
      "POST report",
      "a string: start end time_zone first_day last_day; an object: totals groups; a list: bins coverage goals faults",
      "b?",
    ],
    classify: ["POST classify", "a list: categories matches", "b"],
    export: ["GET export", "an object: buckets"],
    health: ["GET health", "a string: status"],
  },
  buckets: {
    list: [
      "GET buckets",
      "{} a string: id type client hostname created; JSON: name last_updated; an object: data metadata",
    ],
    get: [
      "GET buckets/:bucketId",
      "a string: id type client hostname created; JSON: name last_updated; an object: data metadata",
    ],
    update: ["PUT buckets/:bucketId", "nothing", "b?"],
    getAccess: ["GET buckets/:bucketId/access", "a string: access", "", "access"],
    setAccess: ["PUT buckets/:bucketId/access", "a string: access", ".access", "access"],
    export: ["GET buckets/:bucketId/export", "an object: buckets"],
  },
  identity: {
    rename: ["POST buckets/:bucketId/rename", "JSON: undo; a list: buckets redirects", "b"],
    setHostname: ["POST buckets/:bucketId/host", "JSON: undo; a list: buckets redirects", "b"],
    renameHost: ["POST hosts/:hostname/rename", "JSON: undo; a list: buckets redirects", "b"],
    merge: ["POST buckets/:bucketId/merge", "JSON: undo; a string: into; a list: buckets redirects", "b"],
    redirects: ["GET redirects", "[] a string: from to created; JSON: until"],
    deleteRedirect: ["DELETE redirects/:redirectedId", "nothing"],
    undoable: ["GET undo", "[] a string: id kind time expires; a list: from to; an integer: events"],
    undo: ["POST undo/:undoId", "a string: id kind time expires; a list: from to; an integer: events kept"],
  },
  events: {
    list: [
      "GET buckets/:bucketId/events",
      "[] an integer: id; a string: timestamp; a number: duration; an object: data",
      "q",
    ],
    count: ["GET buckets/:bucketId/events/count", "an integer", "q"],
    get: [
      "GET buckets/:bucketId/events/:eventId",
      "an integer: id; a string: timestamp; a number: duration; an object: data",
    ],
    deleteMatching: [
      "POST buckets/:bucketId/events/delete",
      "an integer: count; a number: duration; JSON: first last entry; a list: buckets",
      "b",
    ],
    deleteMatchingIn: [
      "POST events/delete",
      "an integer: count; a number: duration; JSON: first last entry; a list: buckets",
      "b?",
    ],
    split: [
      "POST buckets/:bucketId/events/:eventId/split",
      "[] an integer: id; a string: timestamp; a number: duration; an object: data",
      ".at",
    ],
    move: [
      "POST buckets/:bucketId/events/:eventId/move",
      "an integer: id; a string: timestamp; a number: duration; an object: data",
      ".bucket",
    ],
    timeline: ["GET buckets/:bucketId/timeline", "JSON: start end; an integer: count", "q"],
  },
  keys: {
    list: [
      "GET keys",
      "[] a string: name created; a list: scopes; JSON: expires origin revoked last_used last_used_from",
    ],
    add: [
      "POST keys",
      "a string: name created key; a list: scopes; JSON: expires origin revoked last_used last_used_from",
      "b",
    ],
    revoke: ["DELETE keys/:keyName", "nothing"],
  },
  sessions: {
    createLink: ["POST session/links", "a string: token path expires"],
    signIn: ["POST session", "a string: id secret expires", ".token"],
    current: ["GET session", "a boolean: signed_in required has_keys; JSON: id expires"],
    signOut: ["DELETE session", "nothing"],
    list: [
      "GET sessions",
      "[] a string: id created last_used expires; JSON: last_used_from user_agent; a boolean: current",
    ],
    end: ["DELETE sessions/:sessionId", "nothing"],
  },
  pairing: {
    request: ["POST pairing", "a string: code secret expires", "b"],
    collect: ["POST pairing/collect", "a string: status", ".secret"],
    list: ["GET pairing", "[] a string: code kind name requested expires; a list: scopes; JSON: origin address"],
    approve: ["POST pairing/:code/approve", "a string: kind name; a list: scopes; JSON: origin", "b?"],
    refuse: ["DELETE pairing/:code", "nothing"],
  },
  extensions: {
    list: ["GET extensions", "[] a string: origin; a boolean: allowed"],
    forget: ["DELETE extensions/:extensionOrigin", "nothing"],
  },
  privacy: {
    apply: ["POST privacy/apply", "a list: buckets", "b?"],
    preview: ["POST privacy/preview", "an integer: events dropped changed; a list: rules buckets", "b?"],
  },
  retention: {
    log: ["GET retention", "[] a string: time; a list: buckets"],
    preview: ["POST retention/preview", "a list: buckets", ".rules", "buckets"],
    run: ["POST retention/run", "a string: time; a list: buckets"],
  },
  trash: {
    list: [
      "GET trash",
      "[] a string: id kind deleted expires reason; an integer: events bytes; JSON: start end; a list: buckets",
    ],
    restore: ["POST trash/:entryId/restore", "a list: buckets", "b?", "buckets"],
    delete: ["DELETE trash/:entryId", "nothing"],
    empty: ["DELETE trash", "an integer: entries events"],
  },
  settings: {
    list: ["GET settings", "an object"],
    get: ["GET settings/:key", "JSON"],
    put: ["POST settings/:key", "JSON", "b"],
    delete: ["DELETE settings/:key", "nothing"],
  },
};

/** Of responses that methods written by hand read. */
export const SHAPES = {
  AcceptedEvent: "an integer or null: id; a string: timestamp; a number: duration; an object: data",
  AcceptedEvents: "[] an integer or null: id; a string: timestamp; a number: duration; an object: data",
  EventCount: "an integer",
  EventDeletion: "a boolean: success",
  QueryResults: "[] JSON",
  ImportCounts: "an integer: buckets_created buckets_merged events_imported events_already_there events_invalid",
} as const;
