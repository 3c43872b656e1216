-- Tables, written by drizzle-kit from drizzle/.
ALTER TABLE "site_meters" ADD COLUMN "generation" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "site_meters" ADD COLUMN "remake_at" timestamp with time zone DEFAULT '-infinity' NOT NULL;
--> statement-breakpoint
CREATE INDEX "site_meters_generation_idx" ON "site_meters" USING btree ("generation","remake_at");