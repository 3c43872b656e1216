-- Tables, written by drizzle-kit from drizzle/platform.ts.
ALTER TABLE "organizations" ADD COLUMN "deletes_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "suspended_by" text;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "deletes_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "sites_deletes_at_idx" ON "sites" USING btree ("deletes_at")
  WHERE "sites"."deletes_at" is not null;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_suspended_by_check"
  CHECK ("sites"."suspended_by" in ('owner', 'service'));