// long: 600 s
import { suite } from "uvu";
import { KOA_HOSTS } from "./koa.js";
import { hostRequests } from "./requests.js";

const test = suite("in koa");

hostRequests(test, KOA_HOSTS, 0);

test.run();
