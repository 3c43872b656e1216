-- Refuses (P0001) every change of the audit, except by public.forget_audit and public.forget_people. A
-- trigger of audit_entries.
create or replace function public.keep_audit() returns trigger
language plpgsql as $$
begin
  if tg_op <> 'TRUNCATE' and current_setting('tessera.forgets', true) = 'on' then
    return null;
  end if;
  raise exception 'the audit is append-only';
end $$;
