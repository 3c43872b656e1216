-- Returns the schema of the site whose statements run: that of its own tables. Fails for any role but those
-- of sites. Called by tessera.drop_deleted_datatable, tessera.release_reference, tessera.restore_datatable,
-- src/data and src/operation/watching.
create or replace function tessera.own_schema() returns text stable parallel safe
language sql return 'site_' || tessera.own_site();
