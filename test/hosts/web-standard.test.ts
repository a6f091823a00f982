// long: 600 s
import { suite } from "uvu";
import { hostRequests } from "./requests.js";
import { WEB_HOSTS } from "./web-standard.js";

const test = suite("in web-standard");

hostRequests(test, WEB_HOSTS, 1);

test.run();
