-- Tables, written by drizzle-kit from drizzle/tenant.ts.
ALTER TABLE "_social_attempts" ADD COLUMN "code_hash" text;--> statement-breakpoint
ALTER TABLE "_social_attempts" ADD COLUMN "identity" jsonb;--> statement-breakpoint
ALTER TABLE "_social_attempts" ADD COLUMN "is_unsolicited" boolean DEFAULT false NOT NULL;