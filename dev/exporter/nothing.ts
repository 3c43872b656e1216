/** Chooses the text that means no value in the CSV of a table: one that does not occur in the table. */
import { patiently, type Service, tablePath } from '../loader/service.ts'
import type { ExportedTable } from './app.ts'
import { textFields } from './formats.ts'

const usual = ['', '\\N', 'NULL', '<null>']
/** The fields that one request asks about. */
const fieldsPerRequest = 20

/** Returns the text. Asks the service whether one of the usual texts occurs as a value. */
export async function textForNothing(service: Service, table: ExportedTable): Promise<string> {
  for (let count = 0; ; count++) {
    const text = usual[count] ?? `<null ${count}>`
    if (!(await isValue(service, table, text))) return text
  }
}

async function isValue(service: Service, table: ExportedTable, text: string): Promise<boolean> {
  const fields = textFields(table)
  const marks = table.model.softDelete ? '&include_deleted=true' : ''
  for (let start = 0; start < fields.length; start += fieldsPerRequest) {
    const or = fields.slice(start, start + fieldsPerRequest).map((name) => ({ [`${name}__exact`]: text }))
    const filters = encodeURIComponent(JSON.stringify({ or }))
    const path = `${tablePath(service, table.name)}data/?_count=true${marks}&filters=${filters}`
    const { total } = await patiently(() => service.client.request<{ total: number }>('GET', path))
    if (total > 0) return true
  }
  return false
}
