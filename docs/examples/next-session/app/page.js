export default function Page() {
  return <a href="/tracker">Activity</a>;
}
