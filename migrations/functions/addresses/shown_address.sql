-- Returns an e-mail address as people write it: addresses are stored with the domain in Punycode. T12. Called
-- by public.account_json, public.export_account, src/identity/accounts, src/identity/invitations,
-- src/identity/organizations, src/identity/scim and src/identity/users.
create or replace function public.shown_address(p_address text) returns text immutable
language sql as $$
  select case when strpos(lower(p_address), 'xn--') = 0 or strpos(p_address, '@') = 0 then p_address else
    split_part(p_address, '@', 1) || '@' || (
      select string_agg(public.shown_label(l.label), '.' order by l.place)
        from unnest(string_to_array(split_part(p_address, '@', 2), '.')) with ordinality l (label, place)) end
$$;
