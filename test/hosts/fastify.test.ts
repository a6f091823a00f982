// long: 600 s
import { suite } from "uvu";
import { FASTIFY_HOSTS } from "./fastify.js";
import { hostRequests } from "./requests.js";

const test = suite("in fastify");

hostRequests(test, FASTIFY_HOSTS, 2);

test.run();
