-- Tables, written by drizzle-kit from drizzle/platform.ts.
ALTER TABLE "account_emails" DROP CONSTRAINT "account_emails_kind_check";--> statement-breakpoint
ALTER TABLE "account_emails" ADD CONSTRAINT "account_emails_kind_check"
	CHECK ("account_emails"."kind" in ('reset-password', 'verify-email', 'change-email', 'sign-up',
		'password-changed', 'email-changed', 'factors-changed', 'provider-linked', 'deletion-planned',
		'account-deleted'));
