-- Tables, written by drizzle-kit from drizzle/.
ALTER TABLE "letters" DROP CONSTRAINT "letters_kind_check";--> statement-breakpoint
ALTER TABLE "letters" ADD CONSTRAINT "letters_kind_check"
  CHECK ("letters"."kind" in ('caused', 'function', 'asked', 'notice'));
