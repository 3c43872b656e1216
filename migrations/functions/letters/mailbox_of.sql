-- Returns a hash of the mailbox of an e-mail address: addresses that differ by case, or by what follows a
-- plus sign, have the same one. Called by public.admit_letter and src/identity/mail.
create or replace function public.mailbox_of(p_address text) returns text immutable
language sql as $$
  select encode(sha256(convert_to(lower(regexp_replace(p_address, '\+[^@]*@', '@')), 'UTF8')), 'hex')
$$;
