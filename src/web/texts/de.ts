import type { Catalogue } from "./catalogue.js";
import { common } from "./de/common.js";
import { settings } from "./de/settings.js";

export const texts: Catalogue = { common, settings };
