import { goalsTexts } from "./en/goals.js";
import { type Texts, textsOf } from "./texts.js";

export const t: Texts<typeof goalsTexts> = textsOf("goals", goalsTexts);
