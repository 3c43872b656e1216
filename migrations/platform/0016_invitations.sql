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
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invitee_users_id_fk" FOREIGN KEY ("invitee") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invitations_organization_id_created_idx" ON "invitations" USING btree ("organization_id","created");--> statement-breakpoint
CREATE INDEX "invitations_invitee_idx" ON "invitations" USING btree ("invitee");--> statement-breakpoint
CREATE INDEX "invitations_invited_by_idx" ON "invitations" USING btree ("invited_by");--> statement-breakpoint
CREATE INDEX "invitations_mail_wanted_at_idx" ON "invitations" USING btree ("mail_wanted_at") WHERE "invitations"."mail" = 'wanted';--> statement-breakpoint
CREATE INDEX "mailbox_letters_recipient_idx" ON "mailbox_letters" USING btree ("recipient");