-- Sets the settings that tell later statements and triggers of the transaction who the caller is, for the
-- audit and for events. Called by public.note_visitor, public.find_caller, src/kernel/db and
-- public.enter_scim.
create or replace function public.note_caller(p_caller public.caller) returns void
language plpgsql as $$
begin
  perform set_config('tessera.caller', coalesce(p_caller.id::text, ''), true),
          set_config('tessera.request', coalesce(p_caller.request_id, ''), true),
          set_config('tessera.client_request', coalesce(p_caller.client_request_id, ''), true),
          set_config('tessera.address', coalesce(p_caller.address, ''), true);
end $$;
