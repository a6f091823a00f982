-- A lock that somebody holds on to would keep the connections of all who wait for it: the node gives up after five
-- seconds, the server would go on waiting. As a setting of the functions that take these locks it needs no session.

alter function :"schema".locked_bucket(text, uuid) set lock_timeout = '3s';
alter function :"schema".locked_namespace(text) set lock_timeout = '3s';
