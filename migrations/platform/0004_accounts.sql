-- Tables, written by drizzle-kit from drizzle/platform.ts.
CREATE TABLE "account_emails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"user_id" bigint,
	"site_id" bigint,
	"token_hash" text,
	"wanted_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"expires_at" timestamp with time zone DEFAULT now() + interval '1 hour' NOT NULL,
	CONSTRAINT "account_emails_token_hash_key" UNIQUE("token_hash"),
	CONSTRAINT "account_emails_kind_check"
	CHECK ("account_emails"."kind" in ('reset-password', 'verify-email', 'change-email',
		'password-changed', 'email-changed', 'deletion-planned', 'account-deleted'))
);
--> statement-breakpoint
ALTER TABLE "refresh_families" ADD COLUMN "is_session" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "refresh_families" ADD COLUMN "generation" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refresh_families" ADD COLUMN "organization_id" bigint;--> statement-breakpoint
ALTER TABLE "refresh_families" ADD COLUMN "device" text;--> statement-breakpoint
ALTER TABLE "refresh_families" ADD COLUMN "country" text;--> statement-breakpoint
ALTER TABLE "refresh_families" ADD COLUMN "created" timestamp with time zone
	DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "refresh_families" ADD COLUMN "last_used_at" timestamp with time zone
	DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "preferred_language" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "deletes_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "account_emails" ADD CONSTRAINT "account_emails_user_id_users_id_fk"
	FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "account_emails" ADD CONSTRAINT "account_emails_site_id_sites_id_fk"
	FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "account_emails_user_id_idx" ON "account_emails" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_emails_site_id_idx" ON "account_emails" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "account_emails_recipient_idx" ON "account_emails"
	USING btree (lower("recipient"));--> statement-breakpoint
CREATE INDEX "account_emails_expires_at_idx" ON "account_emails"
	USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "account_emails_wanted_at_idx" ON "account_emails"
	USING btree ("wanted_at") WHERE "account_emails"."sent_at" is null;--> statement-breakpoint
CREATE INDEX "users_deletes_at_idx" ON "users"
	USING btree ("deletes_at") WHERE "users"."deletes_at" is not null;