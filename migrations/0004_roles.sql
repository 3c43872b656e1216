-- Tables, written by drizzle-kit from drizzle/.
ALTER TABLE "site_permissions" ADD COLUMN "roles" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "roles" jsonb DEFAULT '[]'::jsonb NOT NULL;