-- Tables, written by drizzle-kit from drizzle/platform.ts.
CREATE TABLE "dead_jobs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY
		(sequence name "dead_jobs_id_seq" INCREMENT BY 1 MINVALUE 1
		MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"body" jsonb NOT NULL,
	"error" text,
	"died_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dead_jobs_body_key" UNIQUE("body")
);
--> statement-breakpoint
CREATE TABLE "site_limits" (
	"site_id" bigint NOT NULL,
	"measure" text NOT NULL,
	"soft" bigint,
	"hard" bigint,
	"told_for" date,
	CONSTRAINT "site_limits_pkey" PRIMARY KEY("site_id","measure"),
	CONSTRAINT "site_limits_measure_check"
		CHECK ("site_limits"."measure" in ('requests', 'invocations', 'emails', 'records', 'bytes'))
);
--> statement-breakpoint
CREATE TABLE "site_meters" (
	"site_id" bigint PRIMARY KEY NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"measured_at" timestamp with time zone,
	"records" bigint DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"dead_letters" integer DEFAULT 0 NOT NULL,
	"waiting" integer DEFAULT 0 NOT NULL,
	"logs_until" timestamp with time zone DEFAULT '-infinity' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_use" (
	"site_id" bigint NOT NULL,
	"month" date NOT NULL,
	"requests" bigint DEFAULT 0 NOT NULL,
	"invocations" bigint DEFAULT 0 NOT NULL,
	"emails" bigint DEFAULT 0 NOT NULL,
	"records" bigint DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "site_use_pkey" PRIMARY KEY("site_id","month")
);
--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "exceeded" jsonb;--> statement-breakpoint
ALTER TABLE "site_limits" ADD CONSTRAINT "site_limits_site_id_sites_id_fk"
	FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id")
	ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_meters" ADD CONSTRAINT "site_meters_site_id_sites_id_fk"
	FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id")
	ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_use" ADD CONSTRAINT "site_use_site_id_sites_id_fk"
	FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id")
	ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dead_jobs_died_at_idx" ON "dead_jobs" USING btree ("died_at");--> statement-breakpoint
CREATE INDEX "site_meters_due_at_idx" ON "site_meters" USING btree ("due_at");--> statement-breakpoint
INSERT INTO "site_meters" ("site_id") SELECT "id" FROM "sites";
