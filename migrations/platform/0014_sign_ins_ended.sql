-- Tables, written by drizzle-kit from drizzle/platform.ts.
ALTER TABLE "users" ADD COLUMN "sign_ins_ended" jsonb DEFAULT '{}'::jsonb NOT NULL;