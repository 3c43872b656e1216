-- Tables, written by drizzle-kit from drizzle/.
CREATE TABLE "tenant"."_schema_jobs" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY
		(sequence name "tenant"."_schema_jobs_id_seq"
		INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"table_name" text NOT NULL,
	"request" json NOT NULL,
	"created_by" bigint NOT NULL,
	"generation" integer NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"place" json,
	"rows" bigint DEFAULT 0 NOT NULL,
	"lost" bigint DEFAULT 0 NOT NULL,
	"is_cancelled" boolean DEFAULT false NOT NULL,
	"operation_id" bigint,
	"queued_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "_schema_jobs_pkey" PRIMARY KEY("site_id","id")
);
--> statement-breakpoint
ALTER TABLE "tenant"."_claims"
	ADD COLUMN "rows_done" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE "tenant"."_claims"
	ADD COLUMN "begins_history" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "tenant"."_schema_jobs" ADD
	CONSTRAINT "_schema_jobs_operation_id_fkey" FOREIGN KEY ("site_id","operation_id")
	REFERENCES "tenant"."_operations"("site_id","id")
	ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "_schema_jobs_table_name_idx" ON "tenant"."_schema_jobs"
	USING btree ("site_id","table_name")
	WHERE "tenant"."_schema_jobs"."ended_at" is null;
--> statement-breakpoint
CREATE INDEX "_schema_jobs_queued_at_idx" ON "tenant"."_schema_jobs"
	USING btree ("queued_at")
	WHERE "tenant"."_schema_jobs"."ended_at" is null;