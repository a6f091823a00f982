import { handlers } from "activity-server";
import { server } from "../../../tracker.js";

export const { GET, POST, PUT, DELETE, HEAD, OPTIONS } = handlers(server);
