import { devicesTexts } from "./en/devices.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof devicesTexts> = textsOf("devices", devicesTexts);
