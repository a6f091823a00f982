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

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create(AppModule);
  // Before `listen()`, and so before Nest's own body parser.
  app.use("/tracker", tracker.nodeHandler);
  app.enableShutdownHooks();
  await app.listen(process.env.PORT ?? 3000, "127.0.0.1");
}

bootstrap();
