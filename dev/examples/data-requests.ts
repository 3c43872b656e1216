/** A request for each operation on apps, tables and records, in an order in which they succeed. */
import type { Recorder } from './recorder.ts'

const integer = { name: 'id', type: 'integer' }

/** Apps, datasources and datatables. The demo's own tables stay unchanged. */
export async function askTables({ ask }: Recorder, token: string): Promise<void> {
  await ask('listApps', { token })
  const workshop = { app: 'workshop' }
  await ask('createApp', { token, body: { name: 'Workshop', description: 'Who repairs what.' } })
  await ask('getApp', { token })
  await ask('getAppStats', { token })
  await ask('replaceApp', {
    token,
    values: workshop,
    body: { name: 'Workshop', description: 'Who repairs which tool.' },
  })
  await ask('updateApp', { token, values: workshop, body: { description: 'Repairs.' } })

  await ask('createDatasource', {
    token,
    values: workshop,
    body: { name: 'Notes', slug: 'notes', provider_type: 'jsonb' },
  })
  const notes = { ...workshop, datasource: 'notes' }
  await ask('listDatasources', { token })
  await ask('getDatasource', { token, values: notes })
  await ask('checkDatasource', { token, values: notes })
  await ask('listCollections', { token, values: notes })
  await ask('replaceDatasource', {
    token,
    values: notes,
    body: { name: 'Notes', slug: 'notes', provider_type: 'jsonb', description: 'Free text.' },
  })
  await ask('updateDatasource', { token, values: notes, body: { description: 'Notes of the workshop.' } })

  const json_schema = {
    fields: [integer, { name: 'text', type: 'string', constraints: { required: true } }],
    primaryKey: 'id',
  }
  await ask('createDatatable', {
    token,
    values: notes,
    body: { name: 'remarks', description: 'What was noticed.', json_schema },
  })
  await ask('createDatatable', { token, values: notes, body: { name: 'repairs', json_schema } })
  await ask('getDatasourceStats', { token, values: notes })
  await ask('listDatasourceTables', { token, values: notes })
  await ask('listDatasourceDatatables', { token, values: notes })
  for (const [place, table] of [
    ['Datatable', 'remarks'],
    ['DatasourceTable', 'repairs'],
  ]) {
    const remarks = { ...notes, table: table ?? '' }
    await ask(`get${place}`, { token, values: remarks })
    await ask(`get${place}Schema`, { token, values: remarks })
    await ask(`materialize${place}`, { token, values: remarks })
    await ask(place === 'Datatable' ? 'validateRows' : 'validateDatasourceRows', {
      token,
      values: remarks,
      body: { data: [{ id: 1, text: 'The blade is blunt.' }, { id: 2 }] },
    })
    const fields = [...json_schema.fields, { name: 'noted_on', type: 'date' }]
    await ask(`update${place}`, {
      token,
      values: remarks,
      body: { json_schema: { ...json_schema, fields } },
    })
    await ask(`replace${place}`, {
      token,
      values: remarks,
      body: { description: 'What was noticed of a tool.' },
    })
    const { data } = await ask(`list${place}Operations`, { token, values: remarks })
    const { id } = data.find(
      ({ operation_type }: { operation_type: string }) => operation_type === 'alter_table',
    )
    await ask(`rollBack${place}`, { token, values: remarks, body: { revision_id: id } })
    await ask(`delete${place}`, { token, values: remarks, query: '?cascade=true&dry_run=true' })
    await ask(`delete${place}`, { token, values: remarks })
    await ask(`restore${place}`, { token, values: remarks, body: { name: table } })
  }
  const rules = [
    {
      name: 'shop window',
      who: 'anyone',
      can: ['read'],
      where: { is_deleted__ne: true },
      fields: ['id', 'name', 'daily_fee'],
    },
  ]
  await ask('replaceDatatableAccess', { token, body: { rules } })
  await ask('getDatatableAccess', { token })
  await ask('getDatatableAdvice', { token })
  await ask('explainDatatableAccess', { token, body: { as: { anyone: true }, action: 'read', record: 1 } })
  const ofApp = [{ name: 'members', who: 'user', can: ['read'], tables: '*' }]
  await ask('replaceAppAccess', { token, query: '?dry_run=true', body: { rules: ofApp } })
  await ask('getAppAccess', { token })
  await ask('replaceDatatableAccess', { token, body: { rules: [] } })
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
  const body = { resources: [shelves] }
  await ask('createSchema', { token, query: '?materialize=true&dry_run=true', body })
  await ask('createSchema', { token, query: '?materialize=true', body })
  await ask('getAppDocument', { token, values: workshop })
  await ask('deleteApp', { token, values: workshop })
  await ask('restoreApp', { token, values: workshop })
}

/** The nested shelves of the library. */
const shelves = {
  name: 'shelves',
  description: 'Where tools lie.',
  schema: {
    fields: [integer, { name: 'label', type: 'string', constraints: { required: true } }],
    primaryKey: 'id',
    hierarchy: true,
    history: true,
  },
}

/** Records of the demo's tools, and edges between shelves. */
export async function askRecords({ ask }: Recorder, token: string): Promise<void> {
  const tool = { name: 'Torque wrench', category_id: 1, daily_fee: 2.5 }
  await ask('listRecords', {
    token,
    query: '?condition=good&daily_fee__lt=5&ordering=-daily_fee&page_size=2',
  })
  await ask('listRecords', { token, query: '?_aggregate=count(*),avg(daily_fee)' })
  await ask('listRecords', {
    token,
    query: '?_aggregate=count(*),avg(daily_fee)&_group_by=condition&ordering=condition&page_size=2',
  })
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
  for (const query of ['', '&return=minimal']) {
    const again = { ...tool, id: data.id }
    await ask('createRecord', { token, query: `?on_conflict=ignore${query}`, body: again })
    await ask('createRecord', { token, query: `?atomic=false${query}`, body: [{ ...tool, id: 903 }, again] })
    await ask('updateRecords', {
      token,
      query: `?atomic=false${query}`,
      body: [{ id: 903, daily_fee: { $add: 0.5 } }, { id: 999_999 }],
    })
    await ask('upsertRecords', {
      token,
      query: `?unique_fields=id&atomic=false${query}`,
      body: [{ id: 903, daily_fee: 3 }, { id: 904 }],
    })
  }
  await ask('createRecord', { token, query: '?on_conflict=ignore&_envelope=false', body: [] })
  await ask('createRecord', { token, query: '?return=minimal', body: { ...tool, id: 905 } })
  await ask('updateRecords', { token, query: '?return=minimal', body: [{ id: 905, daily_fee: 3 }] })
  await ask('updateRecord', { token, values: record, query: '?return=minimal', body: { daily_fee: 3 } })
  await ask('replaceRecord', { token, values: record, query: '?return=minimal', body: tool })
  for (const id of [905, 906])
    await ask('upsertRecords', { token, query: '?unique_fields=id&return=minimal', body: { ...tool, id } })
  await ask('deleteRecord', { token, values: record, query: '?dry_run=true' })
  await ask('deleteRecord', { token, values: { record: 905 }, query: '?return=records' })
  await ask('deleteRecords', { token, query: '?ids=901,902,903,905,906&hard_delete=true' })
  await ask('deleteRecord', { token, values: record, headers: { accept: 'application/json;profile=array' } })
  await ask('deleteRecord', { token, values: record, query: '?hard_delete=true' })

  const batch = [
    { op: 'create', table: 'tools', data: { ...tool, id: 907 }, as: 'wrench' },
    { op: 'update', table: 'tools', id: { $: 'wrench.id' }, data: { daily_fee: { $add: 0.5 } } },
    { op: 'delete', table: 'tools', id: 907, hard_delete: true },
  ]
  await ask('runBatch', { token, body: batch })
  await ask('runBatch', { token, query: '?return=minimal', body: batch })
  const none = '/api/apps/library/datatables/none/data/'
  await ask('followLists', { token, body: { lists: { tools: { path: none, since: '8f2c-1' } } } })
  const headers = { accept: 'application/json, text/event-stream' }
  const call = {
    name: 'get_record',
    arguments: { app: 'library', table: 'tools', record: 3, fields: 'id,name' },
  }
  await ask('sendMcpMessage', {
    token,
    headers,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
  })

  const values = { table: 'shelves' }
  await ask('createRecord', {
    token,
    values,
    body: [{ label: 'Room 1' }, { label: 'Rack A' }, { label: 'Shelf 1' }],
  })
  const shelf = { ...values, record: 1 }
  await ask('updateRecord', { token, values: shelf, body: { label: 'Hall 1' } })
  await ask('listRecordVersions', { token, values: shelf })
  const version = { ...shelf, version: 1 }
  await ask('restoreRecordVersion', { token, values: version })
  await ask('restoreRecordVersion', {
    token,
    values: version,
    headers: { accept: 'application/json;profile=array' },
  })
  await ask('eraseRecordVersions', { token, values: shelf })
  const edges = [
    { from_id: 2, to_id: 1, type: 'parent' },
    { from_id: 3, to_id: 2, type: 'parent', metadata: { since: 2026 } },
  ]
  await ask('createEdges', { token, values, query: '?dry_run=true', body: edges })
  const made = await ask('createEdges', { token, values, body: edges })
  await ask('listEdges', { token, values })
  await ask('listRecords', { token, values, query: '?format=tree' })
  await ask('listRecords', { token, values, query: '?format=graph' })
  for (const query of ['include=descendants', 'format=tree', 'format=graph'])
    await ask('getRecord', { token, values: { ...values, record: 1 }, query: `?${query}` })
  const [edge] = made.results
  await ask('updateEdge', {
    token,
    values: { ...values, edge: edge.id },
    body: { ...edges[0], metadata: { since: 2025 } },
  })
  await ask('deleteEdges', { token, values, body: { edge_ids: [edge.id] } })
}
