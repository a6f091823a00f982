// long: 600 s
import { suite } from "uvu";
import { PLAIN_HOSTS } from "./plain.js";
import { hostRequests } from "./requests.js";

const test = suite("in plain");

hostRequests(test, PLAIN_HOSTS);

test.run();
