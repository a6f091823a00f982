#!/usr/bin/env node
import path from "node:path";
import { requireCached } from "./code-cache.js";

/** When the first requests after a start are answered: by then V8 has compiled what a start needs. */
const SETTLED_MILLIS = 1500;

const { exports, keep } = requireCached<typeof import("./program.js")>(path.join(__dirname, "launcher.cjs"));
exports.run(() => void setTimeout(keep, SETTLED_MILLIS).unref());
