import type { Deleted } from "../service/trash/entry.js";
import { type HttpResponse, jsonResponse } from "./request-context.js";

/** Names the trash entry that undoes a deletion (docs/reference/trash.md#restoring). */
const TRASH_ENTRY = "x-activity-trash-entry";

/**
 * The response to a deletion, with the body that other servers send. Pages of other origins may read the header as
 * well.
 */
export function deletedResponse(body: string, { entry }: Deleted): HttpResponse {
  if (entry === null) return jsonResponse(body);
  return jsonResponse(body, { [TRASH_ENTRY]: entry, "access-control-expose-headers": TRASH_ENTRY });
}
