-- Whatever changes an app, a datasource or a datatable moves the site's catalog version.
create trigger _apps_touch_catalog after insert or update or delete or truncate on _apps
  for each statement execute function public.touch_catalog();
create trigger _datasources_touch_catalog after insert or update or delete or truncate on _datasources
  for each statement execute function public.touch_catalog();
create trigger _datatables_touch_catalog after insert or update or delete or truncate on _datatables
  for each statement execute function public.touch_catalog();
