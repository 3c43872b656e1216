-- Tables, written by drizzle-kit from drizzle/platform.ts.
CREATE TABLE "scim_keys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY
		(sequence name "scim_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1
		 CACHE 1),
	"organization_id" bigint NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" text NOT NULL,
	"created_by" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "scim_keys_hash_key" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "scim_users" (
	"organization_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"user_name" text NOT NULL,
	"external_id" text,
	"given_name" text,
	"family_name" text,
	"display_name" text,
	"email" text,
	"preferred_language" text,
	"held_groups" bigint[] DEFAULT '{}' NOT NULL,
	"is_suspended" boolean DEFAULT false NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"modified" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "scim_users_pkey" PRIMARY KEY("organization_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "account_emails" DROP CONSTRAINT "account_emails_kind_check";--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "external_id" text;--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "modified" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "scim_keys" ADD CONSTRAINT "scim_keys_organization_id_organizations_id_fk"
	FOREIGN KEY ("organization_id")
	REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_keys" ADD CONSTRAINT "scim_keys_created_by_users_id_fk"
	FOREIGN KEY ("created_by")
	REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_users" ADD CONSTRAINT "scim_users_organization_id_organizations_id_fk"
	FOREIGN KEY ("organization_id")
	REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_users" ADD CONSTRAINT "scim_users_user_id_users_id_fk"
	FOREIGN KEY ("user_id")
	REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "scim_keys_organization_id_idx" ON "scim_keys"
	USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "scim_keys_created_by_idx" ON "scim_keys" USING btree ("created_by");--> statement-breakpoint
CREATE UNIQUE INDEX "scim_users_user_name_key" ON "scim_users"
	USING btree ("organization_id",lower("user_name"));--> statement-breakpoint
CREATE INDEX "scim_users_user_id_idx" ON "scim_users" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "account_emails" ADD CONSTRAINT "account_emails_kind_check"
	CHECK ("account_emails"."kind" in ('reset-password', 'verify-email', 'change-email', 'sign-up',
		'password-changed', 'email-changed', 'factors-changed', 'provider-linked', 'deletion-planned',
		'account-deleted', 'account-created'));