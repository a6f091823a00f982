// long: 600 s
import { suite } from "uvu";
import { H3_HOSTS } from "./h3.js";
import { hostRequests } from "./requests.js";

const test = suite("in h3");

hostRequests(test, H3_HOSTS, 2);

test.run();
