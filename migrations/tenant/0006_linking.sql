-- Tables, written by drizzle-kit from drizzle/tenant.ts.
ALTER TABLE "_social_attempts" ADD COLUMN "link_user_id" bigint;--> statement-breakpoint
ALTER TABLE "_social_attempts" ADD COLUMN "link_sign_in" uuid;