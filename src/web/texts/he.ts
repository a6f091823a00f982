import type { Catalogue } from "./catalogue.js";
import { common } from "./he/common.js";
import { settings } from "./he/settings.js";

export const texts: Catalogue = { common, settings };
