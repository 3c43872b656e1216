-- Tables, written by drizzle-kit from drizzle/platform.ts.
CREATE TABLE "address_locks" (
	"id" integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "answer_sweeps" (
	"site_id" bigint NOT NULL,
	"due_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "api_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"site_id" bigint NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" text NOT NULL,
	"generation" integer NOT NULL,
	"is_own" boolean NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	CONSTRAINT "api_keys_hash_key" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"organization_id" bigint,
	"site_id" bigint,
	"actor_id" bigint,
	"actor" text,
	"request_id" text,
	"address" text,
	"kind" text NOT NULL,
	"action" text NOT NULL,
	"object_id" text NOT NULL,
	"object" text,
	"changed" text[] NOT NULL,
	"values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "audit_entries_action_check" CHECK ("audit_entries"."action" in ('create', 'change', 'delete'))
);
--> statement-breakpoint
CREATE TABLE "confirmations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"site_id" bigint NOT NULL,
	"social_app_id" bigint NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"code_hash" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "data_keys" (
	"site_id" bigint NOT NULL,
	"version" integer NOT NULL,
	"master_kid" text NOT NULL,
	"wrapped" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "data_keys_pkey" PRIMARY KEY("site_id","version")
);
--> statement-breakpoint
CREATE TABLE "deleted_datatables" (
	"site_id" bigint NOT NULL,
	"datatable_id" bigint NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	CONSTRAINT "deleted_datatables_pkey" PRIMARY KEY("site_id","datatable_id")
);
--> statement-breakpoint
CREATE TABLE "group_members" (
	"group_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	CONSTRAINT "group_members_pkey" PRIMARY KEY("group_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "groups" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "groups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"organization_id" bigint NOT NULL,
	"name" text NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "groups_organization_id_name_key" UNIQUE("organization_id","name")
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "invitations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid NOT NULL,
	"organization_id" bigint NOT NULL,
	"invitee_identifier" text NOT NULL,
	"invited_by" bigint,
	"invitee" bigint,
	"config" jsonb NOT NULL,
	"code_hash" text,
	"mail" text DEFAULT 'wanted' NOT NULL,
	"mail_wanted_at" timestamp with time zone DEFAULT now() NOT NULL,
	"mail_version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"accepted_at" timestamp with time zone,
	"notice_to" text,
	"notice" text,
	CONSTRAINT "invitations_uuid_key" UNIQUE("uuid"),
	CONSTRAINT "invitations_mail_check" CHECK ("invitations"."mail" in ('wanted', 'sent', 'failed')),
	CONSTRAINT "invitations_notice_check" CHECK ("invitations"."notice" in ('wanted', 'sent', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "mailbox_letters" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "mailbox_letters_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "master_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"proof" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"organization_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"role" text NOT NULL,
	"joined" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memberships_pkey" PRIMARY KEY("organization_id","user_id"),
	CONSTRAINT "memberships_role_check" CHECK ("memberships"."role" in ('owner', 'admin', 'member'))
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "organizations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint,
	CONSTRAINT "organizations_uuid_key" UNIQUE("uuid"),
	CONSTRAINT "organizations_slug_key" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"site_id" bigint NOT NULL,
	"delivery_id" bigint NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	CONSTRAINT "outbox_pkey" PRIMARY KEY("site_id","delivery_id")
);
--> statement-breakpoint
CREATE TABLE "refresh_families" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"current" uuid NOT NULL,
	"revoked_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_domains" (
	"domain" text NOT NULL,
	"site_id" bigint NOT NULL,
	"is_primary" boolean DEFAULT false NOT NULL,
	"token" text DEFAULT replace(gen_random_uuid()::text, '-', '') NOT NULL,
	"token_created" timestamp with time zone DEFAULT now() NOT NULL,
	"verified_at" timestamp with time zone,
	"checked_at" timestamp with time zone DEFAULT '-infinity' NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_domains_pkey" PRIMARY KEY("domain","site_id"),
	CONSTRAINT "site_domains_domain_check" CHECK ("site_domains"."domain" = lower("site_domains"."domain"))
);
--> statement-breakpoint
CREATE TABLE "site_permissions" (
	"site_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"permissions" text[] NOT NULL,
	CONSTRAINT "site_permissions_pkey" PRIMARY KEY("site_id","user_id"),
	CONSTRAINT "site_permissions_permissions_check" CHECK ("site_permissions"."permissions" <@ array['access_site', 'view_site', 'change_site', 'delete_site', 'manage_site', 'manage_site_users', 'admin_site'])
);
--> statement-breakpoint
CREATE TABLE "sites" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sites_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"organization_id" bigint NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"environment" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"schema_version" integer DEFAULT 0 NOT NULL,
	"sources_hash" text DEFAULT '' NOT NULL,
	"catalog_version" bigint DEFAULT 0 NOT NULL,
	"statement_timeout_ms" integer,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint,
	CONSTRAINT "sites_uuid_key" UNIQUE("uuid"),
	CONSTRAINT "sites_slug_key" UNIQUE("slug"),
	CONSTRAINT "sites_statement_timeout_ms_check" CHECK ("sites"."statement_timeout_ms" > 0)
);
--> statement-breakpoint
CREATE TABLE "social_accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "social_accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"site_id" bigint NOT NULL,
	"social_app_id" bigint NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"user_id" bigint NOT NULL,
	"is_vouched" boolean DEFAULT false NOT NULL,
	"is_own" boolean DEFAULT false NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"last_login" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "social_accounts_identity_key" UNIQUE("site_id","social_app_id","issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "tenant_migrations" (
	"version" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"sql" text NOT NULL,
	CONSTRAINT "tenant_migrations_name_key" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "tenant_sources" (
	"place" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"sql" text NOT NULL,
	CONSTRAINT "tenant_sources_name_key" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"username" text NOT NULL,
	"email" text NOT NULL,
	"email_verified_at" timestamp with time zone,
	"password_hash" text,
	"password_is_own" boolean DEFAULT false NOT NULL,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"is_superuser" boolean DEFAULT false NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL,
	"date_joined" timestamp with time zone DEFAULT now() NOT NULL,
	"last_login" timestamp with time zone,
	CONSTRAINT "users_uuid_key" UNIQUE("uuid"),
	CONSTRAINT "users_username_key" UNIQUE("username"),
	CONSTRAINT "users_username_check" CHECK (strpos("users"."username", '@') = 0 or lower("users"."username") = lower("users"."email")),
	CONSTRAINT "users_username_path_check" CHECK ("users"."username" not in ('', '.', '..'))
);
--> statement-breakpoint
ALTER TABLE "answer_sweeps" ADD CONSTRAINT "answer_sweeps_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "confirmations" ADD CONSTRAINT "confirmations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "confirmations" ADD CONSTRAINT "confirmations_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_keys" ADD CONSTRAINT "data_keys_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_keys" ADD CONSTRAINT "data_keys_master_kid_master_keys_kid_fk" FOREIGN KEY ("master_kid") REFERENCES "public"."master_keys"("kid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deleted_datatables" ADD CONSTRAINT "deleted_datatables_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "groups" ADD CONSTRAINT "groups_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invitee_users_id_fk" FOREIGN KEY ("invitee") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_families" ADD CONSTRAINT "refresh_families_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_domains" ADD CONSTRAINT "site_domains_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_permissions" ADD CONSTRAINT "site_permissions_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_permissions" ADD CONSTRAINT "site_permissions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_accounts" ADD CONSTRAINT "social_accounts_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_accounts" ADD CONSTRAINT "social_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "answer_sweeps_site_id_due_at_idx" ON "answer_sweeps" USING btree ("site_id","due_at");--> statement-breakpoint
CREATE INDEX "answer_sweeps_due_at_idx" ON "answer_sweeps" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "api_keys_user_id_site_id_idx" ON "api_keys" USING btree ("user_id","site_id");--> statement-breakpoint
CREATE INDEX "api_keys_site_id_idx" ON "api_keys" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "audit_entries_organization_id_idx" ON "audit_entries" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "audit_entries_site_id_idx" ON "audit_entries" USING btree ("site_id","id");--> statement-breakpoint
CREATE INDEX "audit_entries_at_idx" ON "audit_entries" USING btree ("at");--> statement-breakpoint
CREATE INDEX "confirmations_user_id_idx" ON "confirmations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "confirmations_expires_at_idx" ON "confirmations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "data_keys_master_kid_idx" ON "data_keys" USING btree ("master_kid");--> statement-breakpoint
CREATE INDEX "deleted_datatables_due_at_idx" ON "deleted_datatables" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "group_members_user_id_idx" ON "group_members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "invitations_organization_id_created_idx" ON "invitations" USING btree ("organization_id","created");--> statement-breakpoint
CREATE INDEX "invitations_invitee_idx" ON "invitations" USING btree ("invitee");--> statement-breakpoint
CREATE INDEX "invitations_invited_by_idx" ON "invitations" USING btree ("invited_by");--> statement-breakpoint
CREATE INDEX "invitations_mail_wanted_at_idx" ON "invitations" USING btree ("mail_wanted_at") WHERE "invitations"."mail" = 'wanted';--> statement-breakpoint
CREATE INDEX "mailbox_letters_recipient_idx" ON "mailbox_letters" USING btree ("recipient");--> statement-breakpoint
CREATE INDEX "memberships_user_id_idx" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "outbox_due_at_idx" ON "outbox" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "refresh_families_user_id_idx" ON "refresh_families" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "refresh_families_expires_at_idx" ON "refresh_families" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "site_domains_site_id_idx" ON "site_domains" USING btree ("site_id");--> statement-breakpoint
CREATE UNIQUE INDEX "site_domains_verified_key" ON "site_domains" USING btree ("domain") WHERE "site_domains"."verified_at" is not null;--> statement-breakpoint
CREATE INDEX "site_domains_checked_at_idx" ON "site_domains" USING btree ("checked_at");--> statement-breakpoint
CREATE INDEX "site_permissions_user_id_idx" ON "site_permissions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sites_organization_id_idx" ON "sites" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "social_accounts_user_id_idx" ON "social_accounts" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree (lower("email"));