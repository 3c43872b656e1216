-- Tables, written by drizzle-kit from drizzle/.
ALTER TABLE "site_guests" ADD COLUMN "joined_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "site_guests" ADD COLUMN "blocked_at" timestamp with time zone;