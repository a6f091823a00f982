import type { CallId } from "../../api/calls.js";
import type { BUCKET_OPERATIONS } from "../../api/subjects/buckets.js";
import { wireParser } from "../../codec/parse.js";
import { serializeBucket } from "../../codec/serialize-buckets.js";
import { isJsonObject } from "../../domain/json.js";
import { mustBe } from "../../errors.js";
import { readJson } from "../body.js";
import { deletedResponse } from "../deleted.js";
import { parseSwitch } from "../parameters.js";
import { DONE, type HttpResponse, jsonResponse } from "../request-context.js";
import type { Handlers, RouteContext } from "../route.js";

export function bucketIdOf({ params }: Pick<RouteContext, "params">): string {
  return params.get("bucketId") as string;
}

/** Clients depend on this status to detect an existing bucket (docs/reference/compatibility.md#creating-buckets). */
const EXISTS: HttpResponse = { status: 304, headers: {}, body: null };

/** docs/reference/api.md#creating-changing-and-deleting-buckets. */
export const bucketHandlers: Handlers<Exclude<keyof typeof BUCKET_OPERATIONS, CallId>> = {
  async listBuckets(_request, { service }) {
    const buckets = await service.visible.listBuckets();
    const members = buckets.map((bucket) => `${JSON.stringify(bucket.id)}:${serializeBucket(bucket)}`);
    return jsonResponse(`{${members.join(",")}}`);
  },

  async getBucket(_request, context) {
    return jsonResponse(serializeBucket(await context.service.visible.getBucket(bucketIdOf(context))));
  },

  async createBucket(request, context) {
    const body = await readJson(request, context.limits);
    const bucket = wireParser.bucket(body, "the bucket");
    const events = (isJsonObject(body) ? body.events : undefined) ?? [];
    if (!Array.isArray(events)) throw mustBe("events of the bucket", "a list of events", events);
    const drafts = events.map((event, index) => wireParser.event(event, `event ${index}`, false));
    const write = { kind: "createBucket", bucketId: bucketIdOf(context), bucket, drafts } as const;
    const created = await context.service.execute(write);
    return created === undefined ? EXISTS : DONE;
  },

  async deleteBucket(_request, context) {
    const isConfirmed = context.query.get("force") === "1";
    const isPermanent = parseSwitch(context.query, "permanent");
    const write = { kind: "deleteBucket", bucketId: bucketIdOf(context), isConfirmed, isPermanent } as const;
    return deletedResponse("{}", await context.service.execute(write));
  },
};
