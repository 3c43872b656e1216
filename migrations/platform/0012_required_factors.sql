-- Tables, written by drizzle-kit from drizzle/platform.ts.
ALTER TABLE "organizations"
	ADD COLUMN "requires_factor" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "requires_factor" boolean DEFAULT false NOT NULL;
