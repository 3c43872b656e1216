-- Tables, written by drizzle-kit from drizzle/platform.ts.
CREATE TABLE "saml_assertions" (
	"site_id" bigint NOT NULL,
	"social_app_id" bigint NOT NULL,
	"id_hash" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "saml_assertions_pkey" PRIMARY KEY("site_id","social_app_id","id_hash")
);
--> statement-breakpoint
ALTER TABLE "saml_assertions" ADD CONSTRAINT "saml_assertions_site_id_sites_id_fk" FOREIGN KEY ("site_id")
  REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "saml_assertions_expires_at_idx" ON "saml_assertions" USING btree ("expires_at");