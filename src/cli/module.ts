#!/usr/bin/env node
// `dist/cli.js`, for who starts that: the launcher is `dist/cli.cjs`.
import { createRequire } from "node:module";

createRequire(import.meta.url)("./cli.cjs");
