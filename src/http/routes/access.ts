import type { ACCESS_OPERATIONS } from "../../api/subjects/access.js";
import { type BucketAccess, checkedAccess } from "../../service/access/bucket-access.js";
import { readObject } from "../body.js";
import { type HttpResponse, jsonResponse } from "../request-context.js";
import type { Handlers } from "../route.js";
import { bucketIdOf } from "./buckets.js";

function accessResponse(access: BucketAccess): HttpResponse {
  return jsonResponse(JSON.stringify({ access }));
}

/** docs/keys.md#protected-buckets. */
export const accessHandlers: Handlers<keyof typeof ACCESS_OPERATIONS> = {
  async getBucketAccess(_request, context) {
    return accessResponse(await context.service.getAccess(bucketIdOf(context)));
  },

  async setBucketAccess(request, context) {
    const body = await readObject(request, context.limits);
    const access = checkedAccess(body.access);
    await context.service.setAccess(bucketIdOf(context), access);
    return accessResponse(access);
  },
};
