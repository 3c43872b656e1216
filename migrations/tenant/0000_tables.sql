-- Tables, written by drizzle-kit from drizzle/tenant.ts.
CREATE TABLE "_apps" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "_apps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL,
	"modified_by" bigint,
	CONSTRAINT "_apps_slug_key" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "_claims" (
	"table_name" text PRIMARY KEY NOT NULL,
	"session" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "_datasources" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "_datasources_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
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
	CONSTRAINT "_datasources_app_id_slug_key" UNIQUE("app_id","slug")
);
--> statement-breakpoint
CREATE TABLE "_datatables" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "_datatables_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
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
	CONSTRAINT "_datatables_app_id_name_key" UNIQUE("app_id","name"),
	CONSTRAINT "_datatables_physical_table_name_key" UNIQUE("physical_table_name"),
	CONSTRAINT "_datatables_table_or_reference" CHECK (num_nulls("_datatables"."data_source_id", "_datatables"."json_schema", "_datatables"."schema_hash", "_datatables"."physical_table_name") = case when "_datatables"."source_id" is null then 0 else 4 end)
);
--> statement-breakpoint
CREATE TABLE "_deleted_datatables" (
	"id" bigint PRIMARY KEY NOT NULL,
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
	"migration_id" uuid
);
--> statement-breakpoint
CREATE TABLE "_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event" text,
	"app_slug" text,
	"datatable" text,
	"key" text[],
	"functions" bigint[] NOT NULL,
	"records" text,
	"expanded" integer DEFAULT 0 NOT NULL,
	"previous" text,
	"user_id" bigint,
	"due_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "_functions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "_functions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
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
	"uuid" uuid NOT NULL,
	"sealed" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL,
	"modified_by" bigint,
	CONSTRAINT "_functions_app_id_slug_key" UNIQUE("app_id","slug"),
	CONSTRAINT "_functions_execution_mode_check" CHECK ("_functions"."execution_mode" in ('app', 'proxy', 'system')),
	CONSTRAINT "_functions_code_check" CHECK (("_functions"."execution_mode" = 'app') = ("_functions"."code" <> '')),
	CONSTRAINT "_functions_allowed_hosts_check" CHECK ("_functions"."execution_mode" = 'app' or "_functions"."allowed_hosts" = '[]'),
	CONSTRAINT "_functions_webhook_url_check" CHECK (("_functions"."execution_mode" = 'proxy') = ("_functions"."webhook_url" <> '')),
	CONSTRAINT "_functions_headers_check" CHECK ("_functions"."execution_mode" = 'proxy' or "_functions"."headers" = '{}'),
	CONSTRAINT "_functions_system_function_check" CHECK (("_functions"."execution_mode" = 'system') = ("_functions"."system_function" <> ''))
);
--> statement-breakpoint
CREATE TABLE "_invocations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "_invocations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
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
	"due_at" timestamp with time zone NOT NULL,
	"leased_until" timestamp with time zone,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "_invocations_event_id_place_function_id_key" UNIQUE("event_id","place","function_id"),
	CONSTRAINT "_invocations_trigger_type_check" CHECK ("_invocations"."trigger_type" in ('api', 'event', 'schedule')),
	CONSTRAINT "_invocations_status_check" CHECK ("_invocations"."status" in ('PENDING', 'STARTED', 'SUCCESS', 'FAILURE', 'RETRY', 'SKIPPED'))
);
--> statement-breakpoint
CREATE TABLE "_kept_answers" (
	"key" text PRIMARY KEY NOT NULL,
	"request" text NOT NULL,
	"writer" uuid NOT NULL,
	"answer" text,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "_locks" (
	"name" text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "_migrations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"app_id" bigint NOT NULL,
	"datatable_id" bigint NOT NULL,
	"json_schema" json NOT NULL,
	"schema_hash" text NOT NULL,
	"physical_table_name" text NOT NULL,
	"is_materialized" boolean NOT NULL,
	"renames" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"is_deletion" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "_operations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "_operations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
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
	"created_by" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "_secret_history" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "_secret_history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"secret_id" uuid NOT NULL,
	"key" text NOT NULL,
	"app_id" bigint,
	"action" text NOT NULL,
	"user_id" bigint NOT NULL,
	"username" text NOT NULL,
	"timestamp" timestamp with time zone DEFAULT now() NOT NULL,
	"changes" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "_secret_history_action_check" CHECK ("_secret_history"."action" in ('+', '~', '-'))
);
--> statement-breakpoint
CREATE TABLE "_secret_reads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"secret_id" uuid NOT NULL,
	"key" text NOT NULL,
	"app_id" bigint,
	"user_id" bigint NOT NULL,
	"username" text NOT NULL,
	"request_id" text NOT NULL,
	"read_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "_secret_tags" (
	"secret_id" uuid NOT NULL,
	"tag_id" bigint NOT NULL,
	CONSTRAINT "_secret_tags_pkey" PRIMARY KEY("secret_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "_secret_types" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "_secret_types_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"sensitivity_level" text NOT NULL,
	"schema" json,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"modified_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "_secret_types_name_key" UNIQUE("name"),
	CONSTRAINT "_secret_types_slug_key" UNIQUE("slug"),
	CONSTRAINT "_secret_types_type_check" CHECK ("_secret_types"."type" in ('system', 'custom')),
	CONSTRAINT "_secret_types_sensitivity_level_check" CHECK ("_secret_types"."sensitivity_level" in ('public', 'private', 'sensitive'))
);
--> statement-breakpoint
CREATE TABLE "_secrets" (
	"id" uuid PRIMARY KEY NOT NULL,
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
	CONSTRAINT "_secrets_key_app_id_key" UNIQUE NULLS NOT DISTINCT("key","app_id"),
	CONSTRAINT "_secrets_key_check" CHECK ("_secrets"."key" not in ('', '.', '..')),
	CONSTRAINT "_secrets_one_value" CHECK (num_nonnulls("_secrets"."public_value", "_secrets"."ciphertext") = 1)
);
--> statement-breakpoint
CREATE TABLE "_social_apps" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "_social_apps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
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
	CONSTRAINT "_social_apps_handle_key" UNIQUE("handle"),
	CONSTRAINT "_social_apps_handle_check" CHECK ("_social_apps"."handle" not in ('', '.', '..'))
);
--> statement-breakpoint
CREATE TABLE "_social_attempts" (
	"state" text PRIMARY KEY NOT NULL,
	"social_app_id" bigint NOT NULL,
	"nonce" text NOT NULL,
	"code_verifier" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"next" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "_subscribers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "_subscribers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event" text NOT NULL,
	"function_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "_subscribers_event_function_id_key" UNIQUE("event","function_id")
);
--> statement-breakpoint
CREATE TABLE "_tags" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "_tags_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"color" text NOT NULL,
	CONSTRAINT "_tags_name_key" UNIQUE("name"),
	CONSTRAINT "_tags_slug_key" UNIQUE("slug")
);
--> statement-breakpoint
ALTER TABLE "_datasources" ADD CONSTRAINT "_datasources_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_datatables" ADD CONSTRAINT "_datatables_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_datatables" ADD CONSTRAINT "_datatables_data_source_id_fkey" FOREIGN KEY ("data_source_id") REFERENCES "_datasources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_datatables" ADD CONSTRAINT "_datatables_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "_datatables"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_deleted_datatables" ADD CONSTRAINT "_deleted_datatables_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_deleted_datatables" ADD CONSTRAINT "_deleted_datatables_data_source_id_fkey" FOREIGN KEY ("data_source_id") REFERENCES "_datasources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_functions" ADD CONSTRAINT "_functions_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_migrations" ADD CONSTRAINT "_migrations_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_operations" ADD CONSTRAINT "_operations_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_operations" ADD CONSTRAINT "_operations_migration_id_fkey" FOREIGN KEY ("migration_id") REFERENCES "_migrations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_secret_tags" ADD CONSTRAINT "_secret_tags_secret_id_fkey" FOREIGN KEY ("secret_id") REFERENCES "_secrets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_secret_tags" ADD CONSTRAINT "_secret_tags_tag_id_fkey" FOREIGN KEY ("tag_id") REFERENCES "_tags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_secrets" ADD CONSTRAINT "_secrets_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_secrets" ADD CONSTRAINT "_secrets_type_id_fkey" FOREIGN KEY ("type_id") REFERENCES "_secret_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_social_attempts" ADD CONSTRAINT "_social_attempts_social_app_id_fkey" FOREIGN KEY ("social_app_id") REFERENCES "_social_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_subscribers" ADD CONSTRAINT "_subscribers_function_id_fkey" FOREIGN KEY ("function_id") REFERENCES "_functions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "_datatables_data_source_id_idx" ON "_datatables" USING btree ("data_source_id");--> statement-breakpoint
CREATE INDEX "_datatables_source_id_idx" ON "_datatables" USING btree ("source_id");--> statement-breakpoint
CREATE INDEX "_deleted_datatables_app_id_name_idx" ON "_deleted_datatables" USING btree ("app_id","name","deleted_at");--> statement-breakpoint
CREATE INDEX "_deleted_datatables_drop_at_idx" ON "_deleted_datatables" USING btree ("drop_at");--> statement-breakpoint
CREATE INDEX "_invocations_open_idx" ON "_invocations" USING btree ("delivery_id","id") WHERE "_invocations"."status" in ('PENDING', 'STARTED', 'RETRY');--> statement-breakpoint
CREATE INDEX "_invocations_failed_idx" ON "_invocations" USING btree ("id") WHERE "_invocations"."status" = 'FAILURE';--> statement-breakpoint
CREATE INDEX "_invocations_function_slug_idx" ON "_invocations" USING btree ("function_slug","id");--> statement-breakpoint
CREATE INDEX "_kept_answers_expires_at_idx" ON "_kept_answers" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "_operations_app_id_datatable_name_idx" ON "_operations" USING btree ("app_id","datatable_name","id");--> statement-breakpoint
CREATE INDEX "_operations_migration_id_idx" ON "_operations" USING btree ("migration_id");--> statement-breakpoint
CREATE INDEX "_secret_history_key_app_id_idx" ON "_secret_history" USING btree ("key","app_id","id");--> statement-breakpoint
CREATE INDEX "_secret_history_secret_id_idx" ON "_secret_history" USING btree ("secret_id","id");--> statement-breakpoint
CREATE INDEX "_secret_tags_tag_id_idx" ON "_secret_tags" USING btree ("tag_id");--> statement-breakpoint
CREATE INDEX "_secrets_app_id_idx" ON "_secrets" USING btree ("app_id");--> statement-breakpoint
CREATE INDEX "_secrets_type_id_idx" ON "_secrets" USING btree ("type_id");--> statement-breakpoint
CREATE INDEX "_secrets_created_at_idx" ON "_secrets" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "_social_attempts_expires_at_idx" ON "_social_attempts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "_social_attempts_social_app_id_idx" ON "_social_attempts" USING btree ("social_app_id");--> statement-breakpoint
CREATE INDEX "_subscribers_function_id_idx" ON "_subscribers" USING btree ("function_id");