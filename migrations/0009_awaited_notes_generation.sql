-- Tables, written by drizzle-kit from drizzle/.
ALTER TABLE "tenant"."_awaited_notes" ADD COLUMN "generation" text;