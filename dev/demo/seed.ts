/** Makes the demo organization, site, app, tables and rows over the public API. What exists already is left as it is. */
import type { Client } from '../client.ts'
import { dataPackage, demo, demoRows } from './data.ts'

export async function seedDemo(client: Client): Promise<void> {
  const api = `/sites/${demo.site}/api/apps/`
  const loans = await client.find<{ total: number }>(`${api}${demo.app}/datatables/loans/data/?page_size=1`)
  if (loans && loans.total > 0) return
  const organization = await client.request<{ slug: string }>('POST', '/api/cloud/organizations/', { name: demo.organization })
  await client.request('POST', `/api/cloud/organizations/${organization.slug}/sites/`, { name: 'Demo', slug: demo.site, environment: 'development' })
  await client.request('POST', api, { name: demo.app, description: 'A tool library: what it lends, to whom, and until when.' })
  await client.request('POST', `${api}${demo.app}/datatables/create_schema/?materialize=true`, dataPackage)
  for (const [table, rows] of demoRows()) await client.request('POST', `${api}${demo.app}/datatables/${table}/data/`, rows)
}
