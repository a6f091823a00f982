/** What the app does: reports that somebody edits a file. */
export async function reportEditing(url, file) {
  const bucket = `${url}/api/0/buckets/editor`;
  await post(bucket, { client: "my-editor", type: "app.editor.activity", hostname: "desk" });
  await post(`${bucket}/heartbeat?pulsetime=60`, { timestamp: new Date(), duration: 0, data: { file } });
}

function post(url, body) {
  const headers = { "content-type": "application/json" };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}
