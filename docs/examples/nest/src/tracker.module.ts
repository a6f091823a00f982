import { Module, type OnApplicationShutdown } from "@nestjs/common";
import { createActivityServer } from "activity-server";
import { leveldb } from "activity-server/leveldb";

export const tracker = createActivityServer({
  storage: leveldb({ path: "activity-data" }),
  logger: console,
  maintain: true,
});

@Module({})
export class TrackerModule implements OnApplicationShutdown {
  onApplicationShutdown(): Promise<void> {
    return tracker.close();
  }
}
