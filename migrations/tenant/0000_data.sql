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
	"data_source_id" bigint NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"json_schema" json NOT NULL,
	"schema_hash" text NOT NULL,
	"physical_table_name" text NOT NULL,
	"is_materialized" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL,
	"modified_by" bigint,
	CONSTRAINT "_datatables_app_id_name_key" UNIQUE("app_id","name"),
	CONSTRAINT "_datatables_physical_table_name_key" UNIQUE("physical_table_name")
);
--> statement-breakpoint
CREATE TABLE "_operations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "_operations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"app_id" bigint NOT NULL,
	"datatable_name" text NOT NULL,
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
ALTER TABLE "_datasources" ADD CONSTRAINT "_datasources_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_datatables" ADD CONSTRAINT "_datatables_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_datatables" ADD CONSTRAINT "_datatables_data_source_id_fkey" FOREIGN KEY ("data_source_id") REFERENCES "_datasources"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_operations" ADD CONSTRAINT "_operations_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "_datatables_data_source_id_idx" ON "_datatables" USING btree ("data_source_id");--> statement-breakpoint
CREATE INDEX "_operations_app_id_datatable_name_idx" ON "_operations" USING btree ("app_id","datatable_name","id");