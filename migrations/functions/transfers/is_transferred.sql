-- Returns whether a site that does not answer requests may be entered because this transaction is a step of
-- its transfer (public.note_transfer). Called by public.enter and public.site_at.
create or replace function public.is_transferred(p_site_id bigint) returns boolean stable
language sql as $$
  select p_site_id::text = any (string_to_array(current_setting('tessera.transfer', true), ','))
$$;
