import { SESSION } from "../../utils/session.js";
import { tracker } from "../../utils/tracker.js";

export default defineEventHandler(async (event) => {
  const { data } = await getSession(event, SESSION);
  return tracker.nodeHandler(event.node.req, event.node.res, { context: { user: data.user } });
});
