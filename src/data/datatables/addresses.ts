/** The two paths of a datatable: below its app, and below its datasource. */

/** The paths of a datatable, and the texts that tell their operations apart in OpenAPI. D13. */
export const tableAddresses = [
  { path: '/api/apps/:app/datatables/:table', suffix: '', of: '' },
  {
    path: '/api/apps/:app/datasources/:datasource/datatables/:table',
    /** Distinguishes the operation ids. */
    suffix: 'OfDatasource',
    /** Distinguishes the summaries. */
    of: ' of a datasource',
  },
] as const
