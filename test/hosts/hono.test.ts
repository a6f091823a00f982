// long: 600 s
import { suite } from "uvu";
import { HONO_HOSTS } from "./hono.js";
import { hostRequests } from "./requests.js";

const test = suite("in hono");

hostRequests(test, HONO_HOSTS, 1);

test.run();
