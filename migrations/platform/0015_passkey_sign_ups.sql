-- Tables, written by drizzle-kit from drizzle/platform.ts.
ALTER TABLE "sign_ups" ALTER COLUMN "password_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "passkey_challenges" ADD COLUMN "handle" uuid;--> statement-breakpoint
ALTER TABLE "sign_ups" ADD COLUMN "passkey" jsonb;--> statement-breakpoint
ALTER TABLE "sign_ups" ADD COLUMN "handle" uuid;--> statement-breakpoint
ALTER TABLE "sign_ups" ADD CONSTRAINT "sign_ups_passkey_check"
	CHECK (("sign_ups"."password_hash" is null) = ("sign_ups"."passkey" is not null));--> statement-breakpoint
ALTER TABLE "sign_ups" ADD CONSTRAINT "sign_ups_handle_check"
	CHECK (("sign_ups"."passkey" is null) = ("sign_ups"."handle" is null));
