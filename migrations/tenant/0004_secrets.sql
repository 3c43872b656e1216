CREATE TABLE "_secret_history" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "_secret_history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
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
	"public_value" jsonb,
	"ciphertext" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"modified_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" bigint NOT NULL,
	"created_by_username" text NOT NULL,
	CONSTRAINT "_secrets_key_app_id_key" UNIQUE NULLS NOT DISTINCT("key","app_id"),
	CONSTRAINT "_secrets_one_value" CHECK (num_nonnulls("_secrets"."public_value", "_secrets"."ciphertext") = 1)
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
ALTER TABLE "_secret_tags" ADD CONSTRAINT "_secret_tags_secret_id_fkey" FOREIGN KEY ("secret_id") REFERENCES "_secrets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_secret_tags" ADD CONSTRAINT "_secret_tags_tag_id_fkey" FOREIGN KEY ("tag_id") REFERENCES "_tags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_secrets" ADD CONSTRAINT "_secrets_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "_secrets" ADD CONSTRAINT "_secrets_type_id_fkey" FOREIGN KEY ("type_id") REFERENCES "_secret_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "_secret_history_key_app_id_idx" ON "_secret_history" USING btree ("key","app_id","id");--> statement-breakpoint
CREATE INDEX "_secret_tags_tag_id_idx" ON "_secret_tags" USING btree ("tag_id");--> statement-breakpoint
CREATE INDEX "_secrets_app_id_idx" ON "_secrets" USING btree ("app_id");--> statement-breakpoint
CREATE INDEX "_secrets_type_id_idx" ON "_secrets" USING btree ("type_id");--> statement-breakpoint
CREATE INDEX "_secrets_created_at_idx" ON "_secrets" USING btree ("created_at");