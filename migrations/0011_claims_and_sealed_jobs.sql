-- Tables, written by drizzle-kit from drizzle/.
ALTER TABLE "tenant"."_claims"
	ADD COLUMN "session_name" text DEFAULT '' NOT NULL;
--> statement-breakpoint
ALTER TABLE "tenant"."_schema_jobs"
	ADD COLUMN "is_sealed" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "tenant"."_schema_jobs"
	ADD COLUMN "plan" text;
--> statement-breakpoint
ALTER TABLE "tenant"."_schema_jobs"
	ADD CONSTRAINT "_schema_jobs_table_name_check"
	CHECK ("tenant"."_schema_jobs"."table_name"
	~ ('^"site_' || "tenant"."_schema_jobs"."site_id" || '"[.]"[^"]+"$'));
