import { memory } from "../adapters/memory.js";
import { conformanceSuite } from "./codec/conformance.js";

conformanceSuite("memory", (play) => play(memory()));
