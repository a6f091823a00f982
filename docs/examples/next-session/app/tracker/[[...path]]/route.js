import { handlers } from "activity-server";
import { userOf } from "../../../session.js";
import { tracker } from "../../../tracker.js";

export const { GET, POST, PUT, DELETE, HEAD, OPTIONS } = handlers(tracker, {
  context: async (request) => ({ user: await userOf(request) }),
});
