// The frameworks of the docs. The build puts them into the bundle (tsup.config.ts).
import { type Framework, readFrameworks } from "./framework.js";

export const FRAMEWORKS: readonly Framework[] = readFrameworks(new URL("../../../docs/", import.meta.url));
