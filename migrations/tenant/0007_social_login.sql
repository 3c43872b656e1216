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
	CONSTRAINT "_social_apps_handle_key" UNIQUE("handle")
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
ALTER TABLE "_social_attempts" ADD CONSTRAINT "_social_attempts_social_app_id_fkey" FOREIGN KEY ("social_app_id") REFERENCES "_social_apps"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "_social_attempts_expires_at_idx" ON "_social_attempts" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "_social_attempts_social_app_id_idx" ON "_social_attempts" USING btree ("social_app_id");