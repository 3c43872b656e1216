-- Tables, written by drizzle-kit from drizzle/, after the function that is the default of their column site_id.
create schema tessera;
create function tessera.own_site() returns bigint stable parallel safe
language sql return substr(current_user, 6)::bigint;
--> statement-breakpoint
CREATE SCHEMA "tenant";
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
	"sign_ins_ended" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"factors_are_own" boolean DEFAULT true NOT NULL,
	"preferred_language" text,
	"deletes_at" timestamp with time zone,
	CONSTRAINT "users_uuid_key" UNIQUE("uuid"),
	CONSTRAINT "users_username_check" CHECK (strpos("users"."username", '@') = 0 or lower("users"."username") = lower("users"."email")),
	CONSTRAINT "users_username_path_check" CHECK ("users"."username" not in ('', '.', '..'))
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
	"client_request_id" text,
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
CREATE TABLE "scim_keys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "scim_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
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
CREATE TABLE "account_emails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"user_id" bigint,
	"site_id" bigint,
	"organization_id" bigint,
	"token_hash" text,
	"wanted_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"expires_at" timestamp with time zone DEFAULT now() + interval '1 hour' NOT NULL,
	CONSTRAINT "account_emails_token_hash_key" UNIQUE("token_hash"),
	CONSTRAINT "account_emails_kind_check" CHECK ("account_emails"."kind" in ('reset-password', 'verify-email', 'change-email', 'sign-up', 'password-changed', 'email-changed', 'factors-changed', 'provider-linked', 'credentials-ended', 'deletion-planned', 'account-deleted', 'account-created'))
);
--> statement-breakpoint
CREATE TABLE "address_locks" (
	"id" integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "letter_stops" (
	"organization_id" bigint NOT NULL,
	"mailbox" text NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "letter_stops_pkey" PRIMARY KEY("organization_id","mailbox")
);
--> statement-breakpoint
CREATE TABLE "letters" (
	"reference" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"mailbox" text NOT NULL,
	"organization_id" bigint,
	"admitted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "letters_kind_check" CHECK ("letters"."kind" in ('caused', 'asked', 'notice'))
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
CREATE TABLE "sign_ups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"password_hash" text,
	"passkey" jsonb,
	"handle" uuid,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	CONSTRAINT "sign_ups_passkey_check" CHECK (("sign_ups"."password_hash" is null) = ("sign_ups"."passkey" is not null)),
	CONSTRAINT "sign_ups_handle_check" CHECK (("sign_ups"."passkey" is null) = ("sign_ups"."handle" is null))
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" bigint,
	"sign_in" uuid,
	"handle" uuid,
	"rp_id" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "passkeys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"rp_id" text NOT NULL,
	"organization_id" bigint,
	"transports" text[] NOT NULL,
	"name" text NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "passkeys_credential_id_key" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_challenges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"generation" integer NOT NULL,
	"organization_id" bigint,
	"host" text,
	"methods" text[] NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "totp_secrets" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"master_kid" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_step" bigint DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"blocked_until" timestamp with time zone,
	"created" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trusted_devices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "trusted_devices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"hash" text NOT NULL,
	"device" text,
	"country" text,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "trusted_devices_hash_key" UNIQUE("hash")
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
	"is_replaced" boolean DEFAULT false NOT NULL,
	"scopes" json,
	"revision" integer DEFAULT 0 NOT NULL,
	"allowed_addresses" text[],
	"last_used_at" timestamp with time zone,
	CONSTRAINT "api_keys_hash_key" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "claim_keys" (
	"id" integer PRIMARY KEY NOT NULL,
	"inner_pad" "bytea" NOT NULL,
	"outer_pad" "bytea" NOT NULL,
	CONSTRAINT "claim_keys_id_check" CHECK ("claim_keys"."id" = 1)
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
CREATE TABLE "master_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"proof" text NOT NULL
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
	"external_id" text,
	"modified" timestamp with time zone
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
	"ended" text,
	"notice_to" text,
	"notice" text,
	CONSTRAINT "invitations_uuid_key" UNIQUE("uuid"),
	CONSTRAINT "invitations_ended_check" CHECK ("invitations"."ended" in ('replaced', 'joined', 'removed', 'deactivated', 'address')),
	CONSTRAINT "invitations_mail_check" CHECK ("invitations"."mail" in ('wanted', 'sent', 'failed', 'dropped')),
	CONSTRAINT "invitations_notice_check" CHECK ("invitations"."notice" in ('wanted', 'sent', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "made_accounts" (
	"user_id" bigint PRIMARY KEY NOT NULL,
	"organization_id" bigint NOT NULL
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
	"deletes_at" timestamp with time zone,
	"requires_factor" boolean DEFAULT false NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint,
	CONSTRAINT "organizations_uuid_key" UNIQUE("uuid"),
	CONSTRAINT "organizations_slug_key" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "confirmations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"site_id" bigint NOT NULL,
	"social_app_id" bigint NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"host" text,
	"code_hash" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refresh_families" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"current" uuid NOT NULL,
	"previous" uuid,
	"rotated_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"is_session" boolean DEFAULT false NOT NULL,
	"generation" integer DEFAULT 0 NOT NULL,
	"organization_id" bigint,
	"host" text,
	"by_password" boolean DEFAULT false NOT NULL,
	"device" text,
	"country" text,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saml_assertions" (
	"site_id" bigint NOT NULL,
	"social_app_id" bigint NOT NULL,
	"id_hash" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "saml_assertions_pkey" PRIMARY KEY("site_id","social_app_id","id_hash")
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
CREATE TABLE "prepared_sites" (
	"id" bigint PRIMARY KEY NOT NULL
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
CREATE TABLE "site_guests" (
	"user_id" bigint NOT NULL,
	"site_id" bigint NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_guests_pkey" PRIMARY KEY("user_id","site_id")
);
--> statement-breakpoint
CREATE TABLE "site_logos" (
	"site_id" bigint PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"type" text NOT NULL,
	"bytes" "bytea" NOT NULL
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
	"suspended_by" text,
	"deletes_at" timestamp with time zone,
	"catalog_version" bigint DEFAULT 0 NOT NULL,
	"statement_timeout_ms" integer,
	"exceeded" jsonb,
	"sign_up" text DEFAULT 'closed' NOT NULL,
	"allowed_domains" text[] DEFAULT '{}' NOT NULL,
	"require_verified_email" boolean DEFAULT true NOT NULL,
	"sign_up_by_provider" boolean DEFAULT true NOT NULL,
	"domain_groups" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"branding" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"requires_factor" boolean DEFAULT false NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint,
	CONSTRAINT "sites_uuid_key" UNIQUE("uuid"),
	CONSTRAINT "sites_slug_key" UNIQUE("slug"),
	CONSTRAINT "sites_suspended_by_check" CHECK ("sites"."suspended_by" in ('owner', 'service')),
	CONSTRAINT "sites_statement_timeout_ms_check" CHECK ("sites"."statement_timeout_ms" > 0),
	CONSTRAINT "sites_sign_up_check" CHECK ("sites"."sign_up" in ('closed', 'invited', 'open'))
);
--> statement-breakpoint
CREATE TABLE "dead_jobs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dead_jobs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"body" jsonb NOT NULL,
	"error" text,
	"died_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dead_jobs_body_key" UNIQUE("body")
);
--> statement-breakpoint
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
	"downloads" integer,
	"created_by" bigint,
	"generation" integer NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "transfers_kind_check" CHECK ("transfers"."kind" in ('copy', 'export', 'import')),
	CONSTRAINT "transfers_state_check" CHECK ("transfers"."state" in ('uploading', 'running', 'done', 'failed', 'cancelled'))
);
--> statement-breakpoint
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
CREATE TABLE "site_limits" (
	"site_id" bigint NOT NULL,
	"measure" text NOT NULL,
	"soft" bigint,
	"hard" bigint,
	"told_for" date,
	CONSTRAINT "site_limits_pkey" PRIMARY KEY("site_id","measure"),
	CONSTRAINT "site_limits_measure_check" CHECK ("site_limits"."measure" in ('requests', 'invocations', 'emails', 'records', 'bytes'))
);
--> statement-breakpoint
CREATE TABLE "site_meters" (
	"site_id" bigint PRIMARY KEY NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"histories_swept_at" timestamp with time zone DEFAULT '-infinity' NOT NULL,
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
CREATE TABLE "tenant"."_apps" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tenant"."_apps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL,
	"modified_by" bigint,
	CONSTRAINT "_apps_pkey" PRIMARY KEY("site_id","id"),
	CONSTRAINT "_apps_slug_key" UNIQUE("site_id","slug")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_datasources" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tenant"."_datasources_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"app_id" bigint NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"provider_type" text NOT NULL,
	"provider_config" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL,
	"modified_by" bigint,
	CONSTRAINT "_datasources_pkey" PRIMARY KEY("site_id","id"),
	CONSTRAINT "_datasources_app_id_slug_key" UNIQUE("site_id","app_id","slug")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_datatables" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tenant"."_datatables_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"app_id" bigint NOT NULL,
	"data_source_id" bigint,
	"source_id" bigint,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"json_schema" json,
	"schema_hash" text,
	"physical_table_name" text,
	"is_materialized" boolean DEFAULT false NOT NULL,
	"keys_since" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL,
	"modified_by" bigint,
	"is_gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "_datatables_pkey" PRIMARY KEY("site_id","id"),
	CONSTRAINT "_datatables_app_id_name_key" UNIQUE("site_id","app_id","name"),
	CONSTRAINT "_datatables_physical_table_name_key" UNIQUE("site_id","physical_table_name"),
	CONSTRAINT "_datatables_table_or_reference" CHECK (num_nulls("tenant"."_datatables"."data_source_id", "tenant"."_datatables"."json_schema", "tenant"."_datatables"."schema_hash", "tenant"."_datatables"."physical_table_name") = case when "tenant"."_datatables"."source_id" is null then 0 else 4 end)
);
--> statement-breakpoint
CREATE TABLE "tenant"."_deleted_datatables" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint NOT NULL,
	"app_id" bigint NOT NULL,
	"data_source_id" bigint NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"json_schema" json NOT NULL,
	"schema_hash" text NOT NULL,
	"physical_table_name" text NOT NULL,
	"is_materialized" boolean NOT NULL,
	"keys_since" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"created_by" bigint NOT NULL,
	"modified_by" bigint,
	"deleted_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_by" bigint NOT NULL,
	"drop_at" timestamp with time zone NOT NULL,
	"queued_at" timestamp with time zone DEFAULT '-infinity' NOT NULL,
	"migration_id" uuid,
	"targets" jsonb NOT NULL,
	"is_gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "_deleted_datatables_pkey" PRIMARY KEY("site_id","id")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_deliveries" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tenant"."_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event" text,
	"app_slug" text,
	"datatable" text,
	"key" text[],
	"functions" bigint[] NOT NULL,
	"records" text,
	"expanded" integer DEFAULT 0 NOT NULL,
	"previous" text,
	"user_id" bigint,
	"depth" integer DEFAULT 1 NOT NULL,
	"schedule_of" bigint,
	"scheduled_at" timestamp with time zone,
	"due_at" timestamp with time zone NOT NULL,
	"stuck_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"is_gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "_deliveries_pkey" PRIMARY KEY("site_id","id"),
	CONSTRAINT "_deliveries_schedule_of_key" UNIQUE("site_id","schedule_of")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_function_versions" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"function_id" bigint NOT NULL,
	"number" integer NOT NULL,
	"settings" jsonb NOT NULL,
	"code" text NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"user_id" bigint,
	"username" text,
	CONSTRAINT "_function_versions_pkey" PRIMARY KEY("site_id","function_id","number")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_functions" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tenant"."_functions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"app_id" bigint NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"execution_mode" text NOT NULL,
	"code" text DEFAULT '' NOT NULL,
	"allowed_hosts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"webhook_url" text DEFAULT '' NOT NULL,
	"headers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"system_function" text DEFAULT '' NOT NULL,
	"timeout_seconds" integer NOT NULL,
	"is_active" boolean NOT NULL,
	"filter_conditions" text DEFAULT '' NOT NULL,
	"schedule" text DEFAULT '' NOT NULL,
	"schedule_zone" text DEFAULT 'UTC' NOT NULL,
	"secrets" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"variables" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"runs_as" text DEFAULT 'service' NOT NULL,
	"ordering" text DEFAULT 'none' NOT NULL,
	"uuid" uuid NOT NULL,
	"sealed" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL,
	"modified_by" bigint,
	"is_gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "_functions_pkey" PRIMARY KEY("site_id","id"),
	CONSTRAINT "_functions_app_id_slug_key" UNIQUE("site_id","app_id","slug"),
	CONSTRAINT "_functions_ordering_check" CHECK ("tenant"."_functions"."ordering" in ('none', 'record')),
	CONSTRAINT "_functions_execution_mode_check" CHECK ("tenant"."_functions"."execution_mode" in ('app', 'proxy', 'system')),
	CONSTRAINT "_functions_code_check" CHECK (("tenant"."_functions"."execution_mode" = 'app') = ("tenant"."_functions"."code" <> '')),
	CONSTRAINT "_functions_allowed_hosts_check" CHECK ("tenant"."_functions"."execution_mode" = 'app' or "tenant"."_functions"."allowed_hosts" = '[]'),
	CONSTRAINT "_functions_schedule_check" CHECK ("tenant"."_functions"."schedule" = '' or "tenant"."_functions"."runs_as" = 'service'),
	CONSTRAINT "_functions_secrets_check" CHECK ("tenant"."_functions"."execution_mode" = 'app' or "tenant"."_functions"."secrets" = '[]'),
	CONSTRAINT "_functions_variables_check" CHECK ("tenant"."_functions"."execution_mode" = 'app' or "tenant"."_functions"."variables" = '{}'),
	CONSTRAINT "_functions_runs_as_check" CHECK ("tenant"."_functions"."runs_as" = 'service' or "tenant"."_functions"."runs_as" = 'caller' and "tenant"."_functions"."execution_mode" = 'app'),
	CONSTRAINT "_functions_webhook_url_check" CHECK (("tenant"."_functions"."execution_mode" = 'proxy') = ("tenant"."_functions"."webhook_url" <> '')),
	CONSTRAINT "_functions_headers_check" CHECK ("tenant"."_functions"."execution_mode" = 'proxy' or "tenant"."_functions"."headers" = '{}'),
	CONSTRAINT "_functions_system_function_check" CHECK (("tenant"."_functions"."execution_mode" = 'system') = ("tenant"."_functions"."system_function" <> ''))
);
--> statement-breakpoint
CREATE TABLE "tenant"."_invocations" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tenant"."_invocations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"delivery_id" bigint NOT NULL,
	"event_id" bigint NOT NULL,
	"place" integer DEFAULT 0 NOT NULL,
	"function_id" bigint NOT NULL,
	"function_name" text NOT NULL,
	"function_slug" text NOT NULL,
	"trigger_type" text NOT NULL,
	"event" text,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"params" json NOT NULL,
	"result" json,
	"error" text,
	"logs" json DEFAULT '[]'::json NOT NULL,
	"user_id" bigint,
	"order_key" text,
	"depth" integer DEFAULT 1 NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"leased_until" timestamp with time zone,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"is_gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "_invocations_pkey" PRIMARY KEY("site_id","id"),
	CONSTRAINT "_invocations_event_id_place_function_id_key" UNIQUE("site_id","event_id","place","function_id"),
	CONSTRAINT "_invocations_trigger_type_check" CHECK ("tenant"."_invocations"."trigger_type" in ('api', 'event', 'schedule')),
	CONSTRAINT "_invocations_status_check" CHECK ("tenant"."_invocations"."status" in ('PENDING', 'STARTED', 'SUCCESS', 'FAILURE', 'RETRY', 'SKIPPED'))
);
--> statement-breakpoint
CREATE TABLE "tenant"."_skipped_runs" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"function_id" bigint NOT NULL,
	"function_name" text NOT NULL,
	"function_slug" text NOT NULL,
	"reason" text NOT NULL,
	"day" date NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "_skipped_runs_pkey" PRIMARY KEY("site_id","function_id","reason","day")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_subscribers" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tenant"."_subscribers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event" text NOT NULL,
	"function_id" bigint NOT NULL,
	"tables" bigint[],
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"is_gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "_subscribers_pkey" PRIMARY KEY("site_id","id"),
	CONSTRAINT "_subscribers_event_function_id_key" UNIQUE("site_id","event","function_id")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_social_apps" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tenant"."_social_apps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uid" uuid NOT NULL,
	"provider" text NOT NULL,
	"provider_id" text DEFAULT '' NOT NULL,
	"handle" text GENERATED ALWAYS AS (coalesce(nullif(provider_id, ''), provider)) STORED NOT NULL,
	"name" text NOT NULL,
	"client_id" text NOT NULL,
	"secret" text NOT NULL,
	"key" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"issuer" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL,
	"modified_by" bigint,
	"is_gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "_social_apps_pkey" PRIMARY KEY("site_id","id"),
	CONSTRAINT "_social_apps_handle_key" UNIQUE("site_id","handle"),
	CONSTRAINT "_social_apps_handle_check" CHECK ("tenant"."_social_apps"."handle" not in ('', '.', '..'))
);
--> statement-breakpoint
CREATE TABLE "tenant"."_social_attempts" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"state" text NOT NULL,
	"social_app_id" bigint NOT NULL,
	"nonce" text NOT NULL,
	"code_verifier" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"next" text NOT NULL,
	"link_user_id" bigint,
	"link_sign_in" uuid,
	"code_hash" text,
	"identity" jsonb,
	"is_unsolicited" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"is_gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "_social_attempts_pkey" PRIMARY KEY("site_id","state")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_dashboards" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tenant"."_dashboards_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"content" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL,
	"modified_by" bigint,
	"is_gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "_dashboards_pkey" PRIMARY KEY("site_id","id"),
	CONSTRAINT "_dashboards_name_key" UNIQUE("site_id","name")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_questions" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tenant"."_questions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"content" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL,
	"modified_by" bigint,
	"is_gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "_questions_pkey" PRIMARY KEY("site_id","id"),
	CONSTRAINT "_questions_name_key" UNIQUE("site_id","name")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_claims" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"table_name" text NOT NULL,
	"session" integer NOT NULL,
	CONSTRAINT "_claims_pkey" PRIMARY KEY("site_id","table_name")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_kept_answers" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"key" text NOT NULL,
	"request" text NOT NULL,
	"writer" uuid NOT NULL,
	"answer" text,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "_kept_answers_pkey" PRIMARY KEY("site_id","key")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_locks" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "_locks_pkey" PRIMARY KEY("site_id","name")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_erasures" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tenant"."_erasures_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"record" text NOT NULL,
	"versions" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint,
	CONSTRAINT "_erasures_pkey" PRIMARY KEY("site_id","id")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_migrations" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" uuid NOT NULL,
	"app_id" bigint NOT NULL,
	"datatable_id" bigint NOT NULL,
	"json_schema" json NOT NULL,
	"schema_hash" text NOT NULL,
	"physical_table_name" text NOT NULL,
	"is_materialized" boolean NOT NULL,
	"renames" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"is_deletion" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL,
	CONSTRAINT "_migrations_pkey" PRIMARY KEY("site_id","id")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_operations" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tenant"."_operations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"app_id" bigint NOT NULL,
	"datatable_name" text NOT NULL,
	"migration_id" uuid,
	"operation_type" text NOT NULL,
	"description" text NOT NULL,
	"sql" text NOT NULL,
	"rollback_sql" text NOT NULL,
	"status" text NOT NULL,
	"execution_time_ms" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL,
	CONSTRAINT "_operations_pkey" PRIMARY KEY("site_id","id")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_secret_history" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tenant"."_secret_history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"secret_id" uuid NOT NULL,
	"key" text NOT NULL,
	"app_id" bigint,
	"action" text NOT NULL,
	"user_id" bigint NOT NULL,
	"username" text NOT NULL,
	"timestamp" timestamp with time zone DEFAULT now() NOT NULL,
	"changes" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "_secret_history_pkey" PRIMARY KEY("site_id","id"),
	CONSTRAINT "_secret_history_action_check" CHECK ("tenant"."_secret_history"."action" in ('+', '~', '-'))
);
--> statement-breakpoint
CREATE TABLE "tenant"."_secret_reads" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" uuid NOT NULL,
	"secret_id" uuid NOT NULL,
	"key" text NOT NULL,
	"app_id" bigint,
	"user_id" bigint NOT NULL,
	"username" text NOT NULL,
	"request_id" text NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "_secret_reads_pkey" PRIMARY KEY("site_id","id")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_secret_tags" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"secret_id" uuid NOT NULL,
	"tag_id" bigint NOT NULL,
	"is_gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "_secret_tags_pkey" PRIMARY KEY("site_id","secret_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "tenant"."_secret_types" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tenant"."_secret_types_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"sensitivity_level" text NOT NULL,
	"schema" json,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"modified_at" timestamp with time zone DEFAULT now() NOT NULL,
	"is_gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "_secret_types_pkey" PRIMARY KEY("site_id","id"),
	CONSTRAINT "_secret_types_name_key" UNIQUE("site_id","name"),
	CONSTRAINT "_secret_types_slug_key" UNIQUE("site_id","slug"),
	CONSTRAINT "_secret_types_type_check" CHECK ("tenant"."_secret_types"."type" in ('system', 'custom')),
	CONSTRAINT "_secret_types_sensitivity_level_check" CHECK ("tenant"."_secret_types"."sensitivity_level" in ('public', 'private', 'sensitive'))
);
--> statement-breakpoint
CREATE TABLE "tenant"."_secrets" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" uuid NOT NULL,
	"key" text NOT NULL,
	"app_id" bigint,
	"type_id" bigint NOT NULL,
	"public_value" text,
	"ciphertext" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"modified_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL,
	"created_by_username" text NOT NULL,
	"is_gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "_secrets_pkey" PRIMARY KEY("site_id","id"),
	CONSTRAINT "_secrets_key_app_id_key" UNIQUE NULLS NOT DISTINCT("site_id","key","app_id"),
	CONSTRAINT "_secrets_key_check" CHECK ("tenant"."_secrets"."key" not in ('', '.', '..')),
	CONSTRAINT "_secrets_one_value" CHECK (num_nonnulls("tenant"."_secrets"."public_value", "tenant"."_secrets"."ciphertext") = 1)
);
--> statement-breakpoint
CREATE TABLE "tenant"."_tags" (
	"site_id" bigint DEFAULT tessera.own_site() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "tenant"."_tags_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"color" text NOT NULL,
	"is_gone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "_tags_pkey" PRIMARY KEY("site_id","id"),
	CONSTRAINT "_tags_name_key" UNIQUE("site_id","name"),
	CONSTRAINT "_tags_slug_key" UNIQUE("site_id","slug")
);
--> statement-breakpoint
ALTER TABLE "scim_keys" ADD CONSTRAINT "scim_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_keys" ADD CONSTRAINT "scim_keys_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_users" ADD CONSTRAINT "scim_users_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scim_users" ADD CONSTRAINT "scim_users_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_emails" ADD CONSTRAINT "account_emails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_emails" ADD CONSTRAINT "account_emails_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_emails" ADD CONSTRAINT "account_emails_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "letter_stops" ADD CONSTRAINT "letter_stops_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "letters" ADD CONSTRAINT "letters_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_ups" ADD CONSTRAINT "sign_ups_id_account_emails_id_fk" FOREIGN KEY ("id") REFERENCES "public"."account_emails"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_sign_in_sign_in_challenges_id_fk" FOREIGN KEY ("sign_in") REFERENCES "public"."sign_in_challenges"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_challenges" ADD CONSTRAINT "sign_in_challenges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "totp_secrets" ADD CONSTRAINT "totp_secrets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "totp_secrets" ADD CONSTRAINT "totp_secrets_master_kid_master_keys_kid_fk" FOREIGN KEY ("master_kid") REFERENCES "public"."master_keys"("kid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trusted_devices" ADD CONSTRAINT "trusted_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_keys" ADD CONSTRAINT "data_keys_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "data_keys" ADD CONSTRAINT "data_keys_master_kid_master_keys_kid_fk" FOREIGN KEY ("master_kid") REFERENCES "public"."master_keys"("kid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "groups" ADD CONSTRAINT "groups_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invitee_users_id_fk" FOREIGN KEY ("invitee") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "made_accounts" ADD CONSTRAINT "made_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "made_accounts" ADD CONSTRAINT "made_accounts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organizations" ADD CONSTRAINT "organizations_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "confirmations" ADD CONSTRAINT "confirmations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "confirmations" ADD CONSTRAINT "confirmations_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_families" ADD CONSTRAINT "refresh_families_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saml_assertions" ADD CONSTRAINT "saml_assertions_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_accounts" ADD CONSTRAINT "social_accounts_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "social_accounts" ADD CONSTRAINT "social_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_domains" ADD CONSTRAINT "site_domains_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_guests" ADD CONSTRAINT "site_guests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_guests" ADD CONSTRAINT "site_guests_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_logos" ADD CONSTRAINT "site_logos_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_permissions" ADD CONSTRAINT "site_permissions_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_permissions" ADD CONSTRAINT "site_permissions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_parts" ADD CONSTRAINT "transfer_parts_transfer_id_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."transfers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_target_id_sites_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."sites"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "limit_notices" ADD CONSTRAINT "limit_notices_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "limit_notices" ADD CONSTRAINT "limit_notices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_limits" ADD CONSTRAINT "site_limits_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_meters" ADD CONSTRAINT "site_meters_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_use" ADD CONSTRAINT "site_use_site_id_sites_id_fk" FOREIGN KEY ("site_id") REFERENCES "public"."sites"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant"."_datasources" ADD CONSTRAINT "_datasources_app_id_fkey" FOREIGN KEY ("site_id","app_id") REFERENCES "tenant"."_apps"("site_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant"."_datatables" ADD CONSTRAINT "_datatables_app_id_fkey" FOREIGN KEY ("site_id","app_id") REFERENCES "tenant"."_apps"("site_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant"."_datatables" ADD CONSTRAINT "_datatables_data_source_id_fkey" FOREIGN KEY ("site_id","data_source_id") REFERENCES "tenant"."_datasources"("site_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant"."_datatables" ADD CONSTRAINT "_datatables_source_id_fkey" FOREIGN KEY ("site_id","source_id") REFERENCES "tenant"."_datatables"("site_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant"."_deleted_datatables" ADD CONSTRAINT "_deleted_datatables_app_id_fkey" FOREIGN KEY ("site_id","app_id") REFERENCES "tenant"."_apps"("site_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant"."_deleted_datatables" ADD CONSTRAINT "_deleted_datatables_data_source_id_fkey" FOREIGN KEY ("site_id","data_source_id") REFERENCES "tenant"."_datasources"("site_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant"."_function_versions" ADD CONSTRAINT "_function_versions_function_id_fkey" FOREIGN KEY ("site_id","function_id") REFERENCES "tenant"."_functions"("site_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant"."_functions" ADD CONSTRAINT "_functions_app_id_fkey" FOREIGN KEY ("site_id","app_id") REFERENCES "tenant"."_apps"("site_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant"."_subscribers" ADD CONSTRAINT "_subscribers_function_id_fkey" FOREIGN KEY ("site_id","function_id") REFERENCES "tenant"."_functions"("site_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant"."_social_attempts" ADD CONSTRAINT "_social_attempts_social_app_id_fkey" FOREIGN KEY ("site_id","social_app_id") REFERENCES "tenant"."_social_apps"("site_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant"."_migrations" ADD CONSTRAINT "_migrations_app_id_fkey" FOREIGN KEY ("site_id","app_id") REFERENCES "tenant"."_apps"("site_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant"."_operations" ADD CONSTRAINT "_operations_app_id_fkey" FOREIGN KEY ("site_id","app_id") REFERENCES "tenant"."_apps"("site_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant"."_operations" ADD CONSTRAINT "_operations_migration_id_fkey" FOREIGN KEY ("site_id","migration_id") REFERENCES "tenant"."_migrations"("site_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant"."_secret_tags" ADD CONSTRAINT "_secret_tags_secret_id_fkey" FOREIGN KEY ("site_id","secret_id") REFERENCES "tenant"."_secrets"("site_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant"."_secret_tags" ADD CONSTRAINT "_secret_tags_tag_id_fkey" FOREIGN KEY ("site_id","tag_id") REFERENCES "tenant"."_tags"("site_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant"."_secrets" ADD CONSTRAINT "_secrets_app_id_fkey" FOREIGN KEY ("site_id","app_id") REFERENCES "tenant"."_apps"("site_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant"."_secrets" ADD CONSTRAINT "_secrets_type_id_fkey" FOREIGN KEY ("site_id","type_id") REFERENCES "tenant"."_secret_types"("site_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "users_deletes_at_idx" ON "users" USING btree ("deletes_at") WHERE "users"."deletes_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_key" ON "users" USING btree (lower("username"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "audit_entries_organization_id_idx" ON "audit_entries" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "audit_entries_site_id_idx" ON "audit_entries" USING btree ("site_id","id");--> statement-breakpoint
CREATE INDEX "audit_entries_at_idx" ON "audit_entries" USING btree ("at");--> statement-breakpoint
CREATE INDEX "scim_keys_organization_id_idx" ON "scim_keys" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "scim_keys_created_by_idx" ON "scim_keys" USING btree ("created_by");--> statement-breakpoint
CREATE UNIQUE INDEX "scim_users_user_name_key" ON "scim_users" USING btree ("organization_id",lower("user_name"));--> statement-breakpoint
CREATE INDEX "scim_users_user_id_idx" ON "scim_users" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_emails_user_id_idx" ON "account_emails" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "account_emails_site_id_idx" ON "account_emails" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "account_emails_organization_id_idx" ON "account_emails" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "account_emails_recipient_idx" ON "account_emails" USING btree (lower("recipient"));--> statement-breakpoint
CREATE INDEX "account_emails_expires_at_idx" ON "account_emails" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "account_emails_wanted_at_idx" ON "account_emails" USING btree ("wanted_at") WHERE "account_emails"."sent_at" is null;--> statement-breakpoint
CREATE INDEX "letters_mailbox_idx" ON "letters" USING btree ("mailbox","kind","admitted_at");--> statement-breakpoint
CREATE INDEX "letters_organization_id_idx" ON "letters" USING btree ("organization_id","admitted_at");--> statement-breakpoint
CREATE INDEX "letters_admitted_at_idx" ON "letters" USING btree ("admitted_at");--> statement-breakpoint
CREATE INDEX "mailbox_letters_recipient_idx" ON "mailbox_letters" USING btree ("recipient");--> statement-breakpoint
CREATE INDEX "passkey_challenges_user_id_idx" ON "passkey_challenges" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "passkey_challenges_sign_in_idx" ON "passkey_challenges" USING btree ("sign_in");--> statement-breakpoint
CREATE INDEX "passkey_challenges_expires_at_idx" ON "passkey_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "passkeys_user_id_idx" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "passkeys_organization_id_idx" ON "passkeys" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "recovery_codes_user_id_idx" ON "recovery_codes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_challenges_user_id_idx" ON "sign_in_challenges" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sign_in_challenges_expires_at_idx" ON "sign_in_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "trusted_devices_user_id_idx" ON "trusted_devices" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "trusted_devices_expires_at_idx" ON "trusted_devices" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "api_keys_user_id_site_id_idx" ON "api_keys" USING btree ("user_id","site_id");--> statement-breakpoint
CREATE INDEX "api_keys_site_id_idx" ON "api_keys" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "data_keys_master_kid_idx" ON "data_keys" USING btree ("master_kid");--> statement-breakpoint
CREATE INDEX "group_members_user_id_idx" ON "group_members" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "groups_organization_id_name_key" ON "groups" USING btree ("organization_id",lower("name"));--> statement-breakpoint
CREATE INDEX "invitations_organization_id_created_idx" ON "invitations" USING btree ("organization_id","created");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_pending_key" ON "invitations" USING btree ("organization_id",lower("invitee_identifier")) WHERE "invitations"."accepted_at" is null and "invitations"."ended" is null;--> statement-breakpoint
CREATE INDEX "invitations_invitee_idx" ON "invitations" USING btree ("invitee");--> statement-breakpoint
CREATE INDEX "invitations_invited_by_idx" ON "invitations" USING btree ("invited_by");--> statement-breakpoint
CREATE INDEX "invitations_mail_wanted_at_idx" ON "invitations" USING btree ("mail_wanted_at") WHERE "invitations"."mail" = 'wanted';--> statement-breakpoint
CREATE INDEX "made_accounts_organization_id_idx" ON "made_accounts" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "memberships_user_id_idx" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "confirmations_user_id_idx" ON "confirmations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "confirmations_expires_at_idx" ON "confirmations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "refresh_families_user_id_idx" ON "refresh_families" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "refresh_families_expires_at_idx" ON "refresh_families" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "saml_assertions_expires_at_idx" ON "saml_assertions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "social_accounts_user_id_idx" ON "social_accounts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "site_domains_site_id_idx" ON "site_domains" USING btree ("site_id");--> statement-breakpoint
CREATE UNIQUE INDEX "site_domains_verified_key" ON "site_domains" USING btree ("domain") WHERE "site_domains"."verified_at" is not null;--> statement-breakpoint
CREATE INDEX "site_domains_checked_at_idx" ON "site_domains" USING btree ("checked_at");--> statement-breakpoint
CREATE INDEX "site_guests_site_id_idx" ON "site_guests" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "site_permissions_user_id_idx" ON "site_permissions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sites_organization_id_idx" ON "sites" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "sites_deletes_at_idx" ON "sites" USING btree ("deletes_at") WHERE "sites"."deletes_at" is not null;--> statement-breakpoint
CREATE INDEX "dead_jobs_died_at_idx" ON "dead_jobs" USING btree ("died_at");--> statement-breakpoint
CREATE INDEX "transfers_organization_id_idx" ON "transfers" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "transfers_site_id_idx" ON "transfers" USING btree ("site_id");--> statement-breakpoint
CREATE INDEX "transfers_target_id_idx" ON "transfers" USING btree ("target_id");--> statement-breakpoint
CREATE INDEX "transfers_created_by_idx" ON "transfers" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "transfers_expires_at_idx" ON "transfers" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "transfers_running_idx" ON "transfers" USING btree ("leased_until") WHERE "transfers"."state" = 'running';--> statement-breakpoint
CREATE INDEX "limit_notices_user_id_idx" ON "limit_notices" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "limit_notices_due_at_idx" ON "limit_notices" USING btree ("due_at") WHERE "limit_notices"."sent_at" is null;--> statement-breakpoint
CREATE INDEX "site_meters_due_at_idx" ON "site_meters" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "_datatables_data_source_id_idx" ON "tenant"."_datatables" USING btree ("site_id","data_source_id");--> statement-breakpoint
CREATE INDEX "_datatables_source_id_idx" ON "tenant"."_datatables" USING btree ("site_id","source_id");--> statement-breakpoint
CREATE INDEX "_datatables_history_idx" ON "tenant"."_datatables" USING btree ("site_id") WHERE "tenant"."_datatables"."is_materialized" and "tenant"."_datatables"."json_schema" #> '{history,days}' is not null;--> statement-breakpoint
CREATE INDEX "_deleted_datatables_app_id_name_idx" ON "tenant"."_deleted_datatables" USING btree ("site_id","app_id","name","deleted_at");--> statement-breakpoint
CREATE INDEX "_deleted_datatables_drop_at_idx" ON "tenant"."_deleted_datatables" USING btree ("drop_at");--> statement-breakpoint
CREATE INDEX "_deliveries_due_at_idx" ON "tenant"."_deliveries" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "_invocations_open_idx" ON "tenant"."_invocations" USING btree ("site_id","delivery_id","id") WHERE "tenant"."_invocations"."status" in ('PENDING', 'STARTED', 'RETRY');--> statement-breakpoint
CREATE INDEX "_invocations_skipped_idx" ON "tenant"."_invocations" USING btree ("site_id","function_id","id") WHERE "tenant"."_invocations"."status" = 'SKIPPED';--> statement-breakpoint
CREATE INDEX "_invocations_failed_idx" ON "tenant"."_invocations" USING btree ("site_id","id") WHERE "tenant"."_invocations"."status" = 'FAILURE';--> statement-breakpoint
CREATE INDEX "_invocations_order_idx" ON "tenant"."_invocations" USING btree ("site_id","function_id","order_key","event_id","place") WHERE "tenant"."_invocations"."order_key" is not null and "tenant"."_invocations"."status" in ('PENDING', 'STARTED', 'RETRY');--> statement-breakpoint
CREATE INDEX "_invocations_created_at_idx" ON "tenant"."_invocations" USING btree ("site_id","created_at");--> statement-breakpoint
CREATE INDEX "_invocations_function_slug_idx" ON "tenant"."_invocations" USING btree ("site_id","function_slug","id");--> statement-breakpoint
CREATE INDEX "_subscribers_function_id_idx" ON "tenant"."_subscribers" USING btree ("site_id","function_id");--> statement-breakpoint
CREATE INDEX "_social_attempts_expires_at_idx" ON "tenant"."_social_attempts" USING btree ("site_id","expires_at");--> statement-breakpoint
CREATE INDEX "_social_attempts_social_app_id_idx" ON "tenant"."_social_attempts" USING btree ("site_id","social_app_id");--> statement-breakpoint
CREATE INDEX "_kept_answers_expires_at_idx" ON "tenant"."_kept_answers" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "_operations_app_id_datatable_name_idx" ON "tenant"."_operations" USING btree ("site_id","app_id","datatable_name","id");--> statement-breakpoint
CREATE INDEX "_operations_migration_id_idx" ON "tenant"."_operations" USING btree ("site_id","migration_id");--> statement-breakpoint
CREATE INDEX "_secret_history_key_app_id_idx" ON "tenant"."_secret_history" USING btree ("site_id","key","app_id","id");--> statement-breakpoint
CREATE INDEX "_secret_history_secret_id_idx" ON "tenant"."_secret_history" USING btree ("site_id","secret_id","id");--> statement-breakpoint
CREATE INDEX "_secret_tags_tag_id_idx" ON "tenant"."_secret_tags" USING btree ("site_id","tag_id");--> statement-breakpoint
CREATE INDEX "_secrets_app_id_idx" ON "tenant"."_secrets" USING btree ("site_id","app_id");--> statement-breakpoint
CREATE INDEX "_secrets_type_id_idx" ON "tenant"."_secrets" USING btree ("site_id","type_id");--> statement-breakpoint
CREATE INDEX "_secrets_created_at_idx" ON "tenant"."_secrets" USING btree ("site_id","created_at");