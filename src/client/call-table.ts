// Written by scripts/methods.mjs out of the operations (src/api).
import type { CallTable } from "./call.js";

export const CALLS: CallTable = {
  "": {
    info: ["GET info", "s:hostname version device_id;b:testing"],
    report: [
      "POST report",
      "s:start end time_zone first_day last_day;o:totals groups;l:bins coverage goals faults",
      "b?",
    ],
    classify: ["POST classify", "l:categories matches", "b"],
    export: ["GET export", "o:buckets"],
    health: ["GET health", "s:status"],
  },
  buckets: {
    list: ["GET buckets", "{}s:id type client hostname created;j:name last_updated;o:data metadata"],
    get: ["GET buckets/:bucketId", "s:id type client hostname created;j:name last_updated;o:data metadata"],
    update: ["PUT buckets/:bucketId", "", "b?"],
    getAccess: ["GET buckets/:bucketId/access", "s:access", "", "access"],
    setAccess: ["PUT buckets/:bucketId/access", "s:access", ".access", "access"],
    export: ["GET buckets/:bucketId/export", "o:buckets"],
  },
  identity: {
    rename: ["POST buckets/:bucketId/rename", "j:undo;l:buckets redirects", "b"],
    setHostname: ["POST buckets/:bucketId/host", "j:undo;l:buckets redirects", "b"],
    renameHost: ["POST hosts/:hostname/rename", "j:undo;l:buckets redirects", "b"],
    merge: ["POST buckets/:bucketId/merge", "j:undo;s:into;l:buckets redirects", "b"],
    redirects: ["GET redirects", "[]s:from to created;j:until"],
    deleteRedirect: ["DELETE redirects/:redirectedId"],
    undoable: ["GET undo", "[]s:id kind time expires;l:from to;i:events"],
    undo: ["POST undo/:undoId", "s:id kind time expires;l:from to;i:events kept"],
  },
  events: {
    list: ["GET buckets/:bucketId/events", "[]i:id;s:timestamp;n:duration;o:data", "q"],
    count: ["GET buckets/:bucketId/events/count", "i", "q"],
    get: ["GET buckets/:bucketId/events/:eventId", "i:id;s:timestamp;n:duration;o:data"],
    timeline: ["GET buckets/:bucketId/timeline", "j:start end;i:count", "q"],
    deleteMatching: ["POST buckets/:bucketId/events/delete", "i:count;n:duration;j:first last entry;l:buckets", "b"],
    deleteMatchingIn: ["POST events/delete", "i:count;n:duration;j:first last entry;l:buckets", "b?"],
    split: ["POST buckets/:bucketId/events/:eventId/split", "[]i:id;s:timestamp;n:duration;o:data", ".at"],
    move: ["POST buckets/:bucketId/events/:eventId/move", "i:id;s:timestamp;n:duration;o:data", ".bucket"],
  },
  keys: {
    list: ["GET keys", "[]s:name created;l:scopes;j:expires origin revoked last_used last_used_from"],
    add: ["POST keys", "s:name created key;l:scopes;j:expires origin revoked last_used last_used_from", "b"],
    revoke: ["DELETE keys/:keyName"],
  },
  sessions: {
    createLink: ["POST session/links", "s:token path expires"],
    signIn: ["POST session", "s:id secret expires", ".token"],
    current: ["GET session", "b:signed_in required has_keys;j:id expires"],
    signOut: ["DELETE session"],
    list: ["GET sessions", "[]s:id created last_used expires;j:last_used_from user_agent;b:current"],
    end: ["DELETE sessions/:sessionId"],
  },
  pairing: {
    request: ["POST pairing", "s:code secret expires", "b"],
    collect: ["POST pairing/collect", "s:status", ".secret"],
    list: ["GET pairing", "[]s:code kind name requested expires;l:scopes;j:origin address"],
    approve: ["POST pairing/:code/approve", "s:kind name;l:scopes;j:origin", "b?"],
    refuse: ["DELETE pairing/:code"],
  },
  extensions: { list: ["GET extensions", "[]s:origin;b:allowed"], forget: ["DELETE extensions/:extensionOrigin"] },
  privacy: {
    apply: ["POST privacy/apply", "l:buckets", "b?"],
    preview: ["POST privacy/preview", "i:events dropped changed;l:rules buckets", "b?"],
  },
  retention: {
    log: ["GET retention", "[]s:time;l:buckets"],
    preview: ["POST retention/preview", "l:buckets", ".rules", "buckets"],
    run: ["POST retention/run", "s:time;l:buckets"],
  },
  trash: {
    list: ["GET trash", "[]s:id kind deleted expires reason;i:events bytes;j:start end;l:buckets"],
    restore: ["POST trash/:entryId/restore", "l:buckets", "b?", "buckets"],
    delete: ["DELETE trash/:entryId"],
    empty: ["DELETE trash", "i:entries events"],
  },
  settings: {
    list: ["GET settings", "o"],
    get: ["GET settings/:key", "j"],
    put: ["POST settings/:key", "j", "b"],
    delete: ["DELETE settings/:key"],
  },
};

/** Of responses that methods written by hand read. */
export const SHAPES = {
  AcceptedEvent: "I:id;s:timestamp;n:duration;o:data",
  AcceptedEvents: "[]I:id;s:timestamp;n:duration;o:data",
  EventCount: "i",
  EventDeletion: "b:success",
  QueryResults: "[]j",
  ImportCounts: "i:buckets_created buckets_merged events_imported events_already_there events_invalid",
} as const;
