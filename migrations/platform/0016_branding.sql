-- Tables, written by drizzle-kit from drizzle/platform.ts.
CREATE TABLE "site_logos" (
	"site_id" bigint PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"type" text NOT NULL,
	"bytes" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "branding" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "site_logos" ADD CONSTRAINT "site_logos_site_id_sites_id_fk"
	FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;
