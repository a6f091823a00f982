import type { IDENTITY_OPERATIONS } from "../../api/subjects/identity.js";
import type { JsonObject, JsonValue } from "../../domain/json.js";
import { parseTimestamp, serializeTimestamp } from "../../domain/time.js";
import type { Changing, Identity } from "../../service/identity/identity.js";
import type { Merging } from "../../service/identity/merger.js";
import { checkedOverlaps } from "../../service/identity/overlaps.js";
import type { Redirect } from "../../service/identity/redirects.js";
import type { Relabelling } from "../../service/identity/relabeller.js";
import type { Undo } from "../../service/identity/undo.js";
import { checkedBucketIds, checkedNewBucketId, checkedText, invalid, shown } from "../../service/validation.js";
import { readObject } from "../body.js";
import { refuseOthers, switchIn } from "../fields.js";
import { DONE, type HttpResponse, jsonResponse } from "../request-context.js";
import type { Handlers } from "../route.js";
import { bucketIdOf } from "./buckets.js";

/** Fields of bodies that say how to change something. */
const CHANGING = ["redirect", "preview"] as const;

/** docs/buckets.md. */
export function identityHandlers(identity: Identity): Handlers<keyof typeof IDENTITY_OPERATIONS> {
  return {
    async renameBucket(request, context) {
      const body = await readObject(request, context.limits);
      refuseOthers(body, ["to", ...CHANGING]);
      const to = checkedNewBucketId(body.to, "to");
      const bucketId = bucketIdOf(context);
      await context.service.refuseProtected([bucketId]);
      return relabelled(await identity.rename(bucketId, to, changingOf(body)));
    },

    async setBucketHost(request, context) {
      const body = await readObject(request, context.limits);
      refuseOthers(body, ["hostname", "preview"]);
      const hostname = checkedText(body.hostname, "hostname");
      const bucketId = bucketIdOf(context);
      await context.service.refuseProtected([bucketId]);
      return relabelled(await identity.setHostname(bucketId, hostname, changingOf(body)));
    },

    async renameHost(request, context) {
      const body = await readObject(request, context.limits);
      refuseOthers(body, ["to", "rename_buckets", ...CHANGING]);
      const renameBuckets = switchIn(body, "rename_buckets");
      const hostname = context.params.get("hostname") as string;
      const changing = { ...changingOf(body), renameBuckets };
      await context.service.refuseProtected(await identity.bucketsOf(hostname));
      return relabelled(await identity.renameHost(hostname, checkedText(body.to, "to"), changing));
    },

    async mergeBuckets(request, context) {
      const body = await readObject(request, context.limits);
      refuseOthers(body, ["from", "overlaps", ...CHANGING]);
      const from = checkedBucketIds(body.from, "from");
      const changing = { ...changingOf(body), overlaps: checkedOverlaps(body.overlaps) };
      const bucketId = bucketIdOf(context);
      await context.service.refuseProtected([bucketId, ...from]);
      return merged(await identity.merge(bucketId, from, changing));
    },

    async listRedirects() {
      return jsonResponse(JSON.stringify((await identity.listRedirects()).map(wireRedirect)));
    },

    async deleteRedirect(_request, { params }) {
      await identity.deleteRedirect(params.get("redirectedId") as string);
      return DONE;
    },

    async listUndo() {
      return jsonResponse(JSON.stringify((await identity.listUndo()).map(wireUndo)));
    },

    async undo(_request, { params, service }) {
      const id = params.get("undoId") as string;
      const { to } = await identity.getUndo(id);
      await service.refuseProtected(to);
      const { kept, ...undone } = await identity.undo(id);
      return jsonResponse(JSON.stringify({ ...wireUndo(undone), kept }));
    },
  };
}

/** How a change is to be made. @throws ActivityError `INVALID_INPUT` */
export function changingOf(body: JsonObject): Changing {
  return { preview: switchIn(body, "preview"), redirect: redirectOf(body.redirect) };
}

function redirectOf(value: JsonValue | undefined = true): boolean | number {
  if (typeof value === "boolean") return value;
  const until = typeof value === "string" ? parseTimestamp(value) : undefined;
  if (until !== undefined) return until;
  throw invalid(`redirect is ${shown(value)}; true, false or a time like 2024-03-01T10:00:00Z is expected`);
}

function relabelled({ undo, buckets, redirects }: Relabelling): HttpResponse {
  const wireBuckets = buckets.map(({ oldHostname, hostname, events, from, to }) => {
    return { from, to, old_hostname: oldHostname, hostname, events };
  });
  return jsonResponse(JSON.stringify({ undo, buckets: wireBuckets, redirects: redirects.map(wireRedirect) }));
}

function merged({ undo, into, buckets, redirects }: Merging): HttpResponse {
  const wireBuckets = buckets.map(({ bucketId, ...counts }) => ({ bucket_id: bucketId, ...counts }));
  return jsonResponse(JSON.stringify({ undo, into, buckets: wireBuckets, redirects: redirects.map(wireRedirect) }));
}

export function wireRedirect({ from, to, created, until }: Redirect): JsonObject {
  return {
    from,
    to,
    created: serializeTimestamp(created),
    until: until === null ? null : serializeTimestamp(until),
  };
}

function wireUndo({ id, kind, time, expires, from, to, events }: Undo): JsonObject {
  return {
    id,
    kind,
    time: serializeTimestamp(time),
    expires: serializeTimestamp(expires),
    from: [...from],
    to: [...to],
    events,
  };
}
