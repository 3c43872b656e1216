-- Returns the site whose statements run. Its role owns the function that runs them, and no statement in such
-- a function can change its role. Fails for any role but those of sites. The body is parsed when the function
-- is created, so that no search path changes what it means, and the planner inlines it. It is the default of
-- `site_id` and the condition of the policies of the schema `tenant`. Called by many.
create or replace function tessera.own_site() returns bigint stable parallel safe
language sql return substr(current_user, 6)::bigint;
