-- Tables, written by drizzle-kit from drizzle/.
ALTER TABLE "sites" ADD COLUMN "followed_until" timestamp with time zone;