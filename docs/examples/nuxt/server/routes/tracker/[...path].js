import { tracker } from "../../utils/tracker.js";

export default fromNodeMiddleware(tracker.nodeHandler);
