import "reflect-metadata";
import { Controller, Get, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { TrackerModule, tracker } from "./tracker.module.js";

@Controller()
class AppController {
  @Get()
  home(): string {
    return "the app's own page\n";
  }
}

@Module({ imports: [TrackerModule], controllers: [AppController] })
class AppModule {}

// Nest's own body parser would read 100 kB and refuse the rest: mount the server before it.
const app = await NestFactory.create(AppModule, { bodyParser: false });
app.use("/tracker", tracker.nodeHandler);
app.enableShutdownHooks();
await app.listen(process.env.PORT ?? 3000, "127.0.0.1");
