// long: 600 s
// Hono's server replaces the global Request and Response for the whole process. Other hosts in it must not notice.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { EXPRESS_HOSTS } from "./express.js";
import { H3_HOSTS } from "./h3.js";
import { HONO_HOSTS } from "./hono.js";
import { PLAIN_HOSTS } from "./plain.js";
import { hostRequests } from "./requests.js";
import { type Host, visit } from "./site.js";
import { WEB_HOSTS } from "./web-standard.js";

const test = suite("beside Hono");

const own = globalThis.Response;

test("Hono's server replaces the global Response", () =>
  visit(HONO_HOSTS[0] as Host, "/tracker", async () => {
    assert.is.not(globalThis.Response, own);
  }));

const OTHERS = [PLAIN_HOSTS[0], EXPRESS_HOSTS[0], H3_HOSTS[0], H3_HOSTS[1], WEB_HOSTS[0]];

hostRequests(test, OTHERS as readonly Host[], 2);

test.run();
