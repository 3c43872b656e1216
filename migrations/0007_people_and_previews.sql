-- Tables, written by drizzle-kit from drizzle/.
CREATE TABLE "tenant"."_mails" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (
		sequence name "tenant"."_mails_id_seq" INCREMENT BY 1 MINVALUE 1
		MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"invocation_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"function_id" bigint NOT NULL,
	"function_slug" text NOT NULL,
	"app_slug" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text,
	"reply_to" text,
	"state" text DEFAULT 'waiting' NOT NULL,
	"reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "_mails_pkey" PRIMARY KEY("site_id","id"),
	CONSTRAINT "_mails_invocation_id_number_key" UNIQUE("site_id","invocation_id","number"),
	CONSTRAINT "_mails_state_check"
		CHECK ("tenant"."_mails"."state" in ('waiting', 'sent', 'kept', 'dropped'))
);
--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "joined_by" text;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "paused" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tenant"."_apps" ADD COLUMN "rules" json DEFAULT '[]'::json NOT NULL;--> statement-breakpoint
CREATE INDEX "_mails_created_at_idx" ON "tenant"."_mails"
  USING btree ("site_id","created_at");--> statement-breakpoint
CREATE INDEX "_mails_due_at_idx" ON "tenant"."_mails" USING btree ("due_at")
  WHERE "tenant"."_mails"."state" = 'waiting';--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_joined_by_check"
  CHECK ("memberships"."joined_by" in ('sign_up', 'invitation', 'directory')) NOT VALID;
--> statement-breakpoint
ALTER TABLE "memberships" VALIDATE CONSTRAINT "memberships_joined_by_check";