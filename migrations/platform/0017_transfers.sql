-- Tables, written by drizzle-kit from drizzle/platform.ts.
CREATE TABLE "transfer_parts" (
	"transfer_id" uuid NOT NULL,
	"path" text NOT NULL,
	"number" integer NOT NULL,
	"content" "bytea" NOT NULL,
	"size" integer NOT NULL,
	"crc" bigint NOT NULL,
	"digest" text NOT NULL,
	CONSTRAINT "transfer_parts_pkey" PRIMARY KEY("transfer_id","path","number")
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"organization_id" bigint NOT NULL,
	"site_id" bigint,
	"target_id" bigint,
	"slug" text NOT NULL,
	"state" text NOT NULL,
	"options" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"sealed" text,
	"tasks" json,
	"position" integer DEFAULT 0 NOT NULL,
	"place" jsonb,
	"counts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"notes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"error" text,
	"lease" uuid,
	"leased_until" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_by" bigint,
	"generation" integer NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "transfers_kind_check" CHECK ("transfers"."kind" in ('copy', 'export', 'import')),
	CONSTRAINT "transfers_state_check"
		CHECK ("transfers"."state" in ('uploading', 'running', 'done', 'failed', 'cancelled'))
);
--> statement-breakpoint
ALTER TABLE "transfer_parts" ADD CONSTRAINT "transfer_parts_transfer_id_transfers_id_fk"
	FOREIGN KEY ("transfer_id")
	REFERENCES "public"."transfers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_organization_id_organizations_id_fk"
	FOREIGN KEY ("organization_id")
	REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_site_id_sites_id_fk"
	FOREIGN KEY ("site_id")
	REFERENCES "public"."sites"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_target_id_sites_id_fk"
	FOREIGN KEY ("target_id")
	REFERENCES "public"."sites"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_created_by_users_id_fk"
	FOREIGN KEY ("created_by")
	REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "transfers_organization_id_idx" ON "transfers"
	USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "transfers_site_id_idx" ON "transfers" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "transfers_target_id_idx" ON "transfers" USING btree ("target_id");--> statement-breakpoint
CREATE INDEX "transfers_created_by_idx" ON "transfers" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "transfers_expires_at_idx" ON "transfers" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "transfers_running_idx" ON "transfers"
	USING btree ("leased_until") WHERE "transfers"."state" = 'running';--> statement-breakpoint
CREATE TABLE "limit_notices" (
	"site_id" bigint NOT NULL,
	"measure" text NOT NULL,
	"month" date NOT NULL,
	"user_id" bigint NOT NULL,
	"soft" bigint NOT NULL,
	"used" bigint NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "limit_notices_pkey" PRIMARY KEY("site_id","measure","month","user_id")
);
--> statement-breakpoint
ALTER TABLE "limit_notices" ADD CONSTRAINT "limit_notices_site_id_sites_id_fk"
	FOREIGN KEY ("site_id")
	REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "limit_notices" ADD CONSTRAINT "limit_notices_user_id_users_id_fk"
	FOREIGN KEY ("user_id")
	REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "limit_notices_user_id_idx" ON "limit_notices" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "limit_notices_due_at_idx" ON "limit_notices"
	USING btree ("due_at") WHERE "limit_notices"."sent_at" is null;
