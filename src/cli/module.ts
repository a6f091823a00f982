#!/usr/bin/env node
// `dist/cli.js`, for callers of this path. The CLI is `dist/cli.cjs`.
import { createRequire } from "node:module";

createRequire(import.meta.url)("./cli.cjs");
