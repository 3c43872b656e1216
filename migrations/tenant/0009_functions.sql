CREATE TABLE "_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event" text,
	"app_slug" text,
	"datatable" text,
	"key" text[],
	"functions" bigint[] NOT NULL,
	"records" text,
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
CREATE TABLE "_subscribers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "_subscribers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event" text NOT NULL,
	"function_id" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "_subscribers_event_function_id_key" UNIQUE("event","function_id")
);
--> statement-breakpoint
ALTER TABLE "_functions" ADD CONSTRAINT "_functions_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_subscribers" ADD CONSTRAINT "_subscribers_function_id_fkey" FOREIGN KEY ("function_id") REFERENCES "_functions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "_invocations_open_idx" ON "_invocations" USING btree ("delivery_id","id") WHERE "_invocations"."status" in ('PENDING', 'STARTED', 'RETRY');--> statement-breakpoint
CREATE INDEX "_invocations_failed_idx" ON "_invocations" USING btree ("id") WHERE "_invocations"."status" = 'FAILURE';--> statement-breakpoint
CREATE INDEX "_invocations_function_slug_idx" ON "_invocations" USING btree ("function_slug","id");--> statement-breakpoint
CREATE INDEX "_subscribers_function_id_idx" ON "_subscribers" USING btree ("function_id");