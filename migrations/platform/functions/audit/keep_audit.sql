-- Keeps the audit as it was written. Only public.forget_audit deletes of it.
create or replace function public.keep_audit() returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('tessera.forgets', true) = 'on' then
    return null;
  end if;
  raise exception 'the audit is append-only';
end $$;
