/** A request for each operation on apps, tables and records, in an order in which they succeed. */
import type { Recorder } from './recorder.ts'

const integer = { name: 'id', type: 'integer' }

/** Apps, datasources and datatables. The demo's own tables stay as they are. */
export async function askTables({ ask }: Recorder, token: string): Promise<void> {
  await ask('listApps', { token })
  const workshop = { app: 'workshop' }
  await ask('createApp', { token, body: { name: 'Workshop', description: 'Who repairs what.' } })
  await ask('getApp', { token })
  await ask('getAppStats', { token })
  await ask('replaceApp', { token, values: workshop, body: { name: 'Workshop', description: 'Who repairs which tool.' } })
  await ask('updateApp', { token, values: workshop, body: { description: 'Repairs.' } })

  await ask('createDatasource', { token, values: workshop, body: { name: 'Notes', slug: 'notes', provider_type: 'jsonb' } })
  const notes = { ...workshop, datasource: 'notes' }
  await ask('listDatasources', { token })
  await ask('getDatasource', { token, values: notes })
  await ask('replaceDatasource', { token, values: notes, body: { name: 'Notes', slug: 'notes', provider_type: 'jsonb', description: 'Free text.' } })
  await ask('updateDatasource', { token, values: notes, body: { description: 'Notes of the workshop.' } })

  const json_schema = { fields: [integer, { name: 'text', type: 'string', constraints: { required: true } }], primaryKey: 'id' }
  await ask('createDatatable', { token, values: notes, body: { name: 'remarks', description: 'What was noticed.', json_schema } })
  await ask('createDatatable', { token, values: notes, body: { name: 'repairs', json_schema } })
  await ask('getDatasourceStats', { token, values: notes })
  await ask('listDatasourceTables', { token, values: notes })
  await ask('listDatasourceDatatables', { token, values: notes })
  for (const [place, table] of [
    ['', 'remarks'],
    ['OfDatasource', 'repairs'],
  ]) {
    const remarks = { ...notes, table: table ?? '' }
    await ask(`getDatatable${place}`, { token, values: remarks })
    await ask(`getDatatableSchema${place}`, { token, values: remarks })
    await ask(`materializeDatatable${place}`, { token, values: remarks })
    await ask(`validateRows${place}`, { token, values: remarks, body: { data: [{ id: 1, text: 'The blade is blunt.' }, { id: 2 }] } })
    const fields = [...json_schema.fields, { name: 'noted_on', type: 'date' }]
    await ask(`updateDatatable${place}`, { token, values: remarks, body: { json_schema: { ...json_schema, fields } } })
    await ask(`replaceDatatable${place}`, { token, values: remarks, body: { description: 'What was noticed of a tool.' } })
    const { data } = await ask(`listDatatableOperations${place}`, { token, values: remarks })
    const { id } = data.find(({ operation_type }: { operation_type: string }) => operation_type === 'alter_table')
    await ask(`rollBackDatatable${place}`, { token, values: remarks, body: { revision_id: id } })
    await ask(`deleteDatatable${place}`, { token, values: remarks, query: '?cascade=true&dry_run=true' })
    await ask(`deleteDatatable${place}`, { token, values: remarks })
    await ask(`restoreDatatable${place}`, { token, values: remarks, body: { name: table } })
  }
  await ask('listDatatables', { token })
  await ask('getDatatableStats', { token })
  const reference = { source_app_slug: 'library', source_table_name: 'tools' }
  await ask('importReferences', { token, values: workshop, body: reference })
  await ask('importReferences', {
    token,
    values: workshop,
    body: [
      { ...reference, source_table_name: 'members' },
      { ...reference, source_table_name: 'none' },
    ],
  })
  await ask('createSchema', { token, query: '?materialize=true', body: { resources: [shelves] } })
  await ask('getAppOpenApiDocument', { token, values: workshop })
  await ask('deleteApp', { token, values: workshop })
  await ask('restoreApp', { token, values: workshop })
}

/** The shelves of the library, one in the other. */
const shelves = {
  name: 'shelves',
  description: 'Where tools lie.',
  schema: { fields: [integer, { name: 'label', type: 'string', constraints: { required: true } }], primaryKey: 'id', hierarchy: true },
}

/** Records of the demo's tools, and edges between shelves. */
export async function askRecords({ ask }: Recorder, token: string): Promise<void> {
  const tool = { name: 'Torque wrench', category_id: 1, daily_fee: 2.5 }
  await ask('listRecords', { token, query: '?condition=good&daily_fee__lt=5&ordering=-daily_fee&page_size=2' })
  await ask('listRecords', { token, query: '?_aggregate=count(*),avg(daily_fee)' })
  await ask('listRecords', { token, query: '?_aggregate=count(*),avg(daily_fee)&_group_by=condition&ordering=condition&page_size=2' })
  await ask('listRecords', { token, query: '?_envelope=false&page_size=2' })
  const { data } = await ask('createRecord', { token, body: tool })
  const record = { record: data.id }
  await ask('createRecord', { token, query: '?_envelope=false', body: tool })
  for (const query of ['', '?_envelope=false']) {
    await ask('getRecord', { token, values: record, query })
    await ask('updateRecord', { token, values: record, query, body: { condition: 'worn' } })
    await ask('replaceRecord', { token, values: record, query, body: { ...tool, daily_fee: 3 } })
    await ask('updateRecords', {
      token,
      query,
      body: [
        { id: data.id, condition: 'good' },
        { id: 1, condition: 'good' },
      ],
    })
  }
  for (const query of ['?unique_fields=id', '?unique_fields=id&_envelope=false']) {
    await ask('upsertRecords', { token, query, body: { id: data.id, ...tool } })
    await ask('upsertRecords', { token, query, body: { id: query.length > 20 ? 902 : 901, ...tool } })
  }
  await ask('deleteRecords', { token, query: '?ids=901,902&hard_delete=true' })
  await ask('deleteRecord', { token, values: record, headers: { accept: 'application/json;profile=array' } })
  await ask('deleteRecord', { token, values: record, query: '?hard_delete=true' })

  const values = { table: 'shelves' }
  await ask('createRecord', { token, values, body: [{ label: 'Room 1' }, { label: 'Rack A' }, { label: 'Shelf 1' }] })
  const edges = [
    { from_id: 2, to_id: 1, type: 'parent' },
    { from_id: 3, to_id: 2, type: 'parent', metadata: { since: 2026 } },
  ]
  const made = await ask('createEdges', { token, values, body: edges })
  await ask('listEdges', { token, values })
  await ask('listRecords', { token, values, query: '?format=tree' })
  await ask('listRecords', { token, values, query: '?format=graph' })
  for (const query of ['include=descendants', 'format=tree', 'format=graph'])
    await ask('getRecord', { token, values: { ...values, record: 1 }, query: `?${query}` })
  const [edge] = made.results
  await ask('updateEdge', { token, values: { ...values, edge: edge.id }, body: { ...edges[0], metadata: { since: 2025 } } })
  await ask('deleteEdges', { token, values, body: { edge_ids: [edge.id] } })
}
