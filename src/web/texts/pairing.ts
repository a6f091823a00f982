import { pairingTexts } from "./en/pairing.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof pairingTexts> = textsOf("pairing", pairingTexts);
