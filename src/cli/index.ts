#!/usr/bin/env node
import path from "node:path";
import { requireCached } from "./code-cache.js";

const { exports, keep } = requireCached<typeof import("./program.js")>(path.join(__dirname, "launcher.cjs"));
exports.run(keep);
