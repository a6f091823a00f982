import { type DomainOf, decode, encode } from "../../api/codec.js";
import { SCHEMA_LIST } from "../../api/schemas.js";
import { isJsonObject } from "../../domain/json.js";
import { readJson } from "../body.js";
import { deletedResponse } from "../deleted.js";
import type { Handlers } from "../route.js";
import { bucketIdOf } from "./buckets.js";

/** docs/trash.md#by-range-and-filter. */
export const editingHandlers: Handlers<"deleteEvents"> = {
  async deleteEvents(request, context) {
    const body = await readJson(request, context.limits);
    const bucketId = bucketIdOf(context);
    if (!isJsonObject(body) || body.ids === undefined) {
      const selection = decode(SCHEMA_LIST.DeletionByFilter, body, "") as DomainOf<"DeletionByFilter">;
      const deletion = await context.service.deleteMatching(bucketId, selection);
      const text = JSON.stringify(encode(SCHEMA_LIST.EventsDeletion, deletion));
      return deletedResponse(text, deletion);
    }
    // As aw-server-rust does: the response is the bare count (docs/trash.md#by-ids).
    const { ids, permanent } = decode(SCHEMA_LIST.DeletionByIds, body, "") as DomainOf<"DeletionByIds">;
    const possible = ids.filter((id) => Number.isSafeInteger(id) && id > 0);
    const deleted = await context.service.deleteEvents(bucketId, possible, permanent);
    return deletedResponse(String(deleted.count), deleted);
  },
};
