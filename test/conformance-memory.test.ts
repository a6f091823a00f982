import { memory } from "../adapters/memory.js";
import { conformanceSuite } from "./wire/conformance.js";

conformanceSuite("memory", (play) => play(memory()));
