-- Tables, written by drizzle-kit from drizzle/platform.ts.
ALTER TABLE "api_keys" ADD COLUMN "scopes" json;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "allowed_addresses" text[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_used_at" timestamp with time zone;