import { handlers } from "activity-server";
import { tracker } from "../../tracker.js";

export const prerender = false;
export const { GET, POST, PUT, DELETE, HEAD, OPTIONS } = handlers(tracker);
