-- Tables, written by drizzle-kit from drizzle/platform.ts.
CREATE TABLE "sign_ups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"password_hash" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account_emails" DROP CONSTRAINT "account_emails_kind_check";--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "sign_up" text DEFAULT 'closed' NOT NULL;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "allowed_domains" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "require_verified_email" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "sign_up_by_provider" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "domain_groups" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "sign_ups" ADD CONSTRAINT "sign_ups_id_account_emails_id_fk" FOREIGN KEY ("id")
	REFERENCES "public"."account_emails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_emails" ADD CONSTRAINT "account_emails_kind_check" CHECK (
	"account_emails"."kind" in ('reset-password', 'verify-email', 'change-email', 'sign-up',
		'password-changed', 'email-changed', 'factors-changed', 'deletion-planned',
		'account-deleted'));--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_sign_up_check" CHECK (
	"sites"."sign_up" in ('closed', 'invited', 'open'));