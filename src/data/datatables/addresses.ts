/** The two paths of a datatable: below its app, and below its datasource. */

/** The paths of a datatable, and the texts that tell their operations apart in OpenAPI. D13. */
export const tableAddresses = [
  { path: '/api/apps/:app/datatables/:table', noun: 'Datatable', rows: 'Rows', of: '' },
  {
    path: '/api/apps/:app/datasources/:datasource/datatables/:table',
    /** These distinguish the operation ids. */
    noun: 'DatasourceTable',
    rows: 'DatasourceRows',
    /** Distinguishes the summaries. */
    of: ' of a datasource',
  },
] as const
