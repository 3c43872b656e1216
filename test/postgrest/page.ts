/**
 * Reads the questions of docs/guide/from-postgrest.md: each table row that begins with the number of a
 * question.
 */
import { type Document, readDocument, tablesOf } from '../support/documents.ts'

/** A request. */
export interface Asked {
  method: string
  /** The path with the query string. */
  path: string
  headers: Record<string, string>
  body?: string
}

export interface Question {
  number: number
  theirs: Asked
  ours: Asked
  /**
   * The compared parts: the records, the keys of all matching records, one value, or also the rows after a
   * write.
   */
  kind: 'Records' | 'Query' | 'Aggregate' | 'Write'
}

export const page: Document = readDocument('docs/guide/from-postgrest.md')

/** Matches the heading of the column with the counterparts. */
const counterparts = /^(?:(Records|Query|Aggregate) of|Here, below) (\w+)$/

export function questionsOf(document: Document): Question[] {
  return tablesOf(document).flatMap(({ header, rows, line }) => {
    if (header[0] !== 'Number') return []
    const column = header.findIndex((title) => counterparts.test(title))
    const [, kind, table] = counterparts.exec(header[column] ?? '') ?? []
    if (!table) throw new Error(`line ${line}: the table does not say of what its questions are`)
    return rows.map(([number, theirs = '', ...cells]): Question => {
      const ours = cells[column - 2] ?? ''
      return kind === undefined
        ? written(
            Number(number),
            theirs,
            ours,
            `/api/apps/orchard/datatables/${table}/`,
            cells[column - 1] ?? '',
          )
        : read(Number(number), kind as 'Records', table, theirs, ours)
    })
  })
}

/** Reads a question whose cells are query strings. */
function read(
  number: number,
  kind: 'Records' | 'Query' | 'Aggregate',
  table: string,
  theirs: string,
  ours: string,
): Question {
  const parameters = { Records: ours, Query: `${ours}&limit=1000`, Aggregate: `_aggregate=${ours}` }[kind]
  const get = (path: string): Asked => ({ method: 'GET', path, headers: {} })
  return {
    ...{ number, kind },
    theirs: get(`/${table}?${encoded(theirs)}`),
    ours: get(`/api/apps/library/datatables/${table}/data/?${encoded(parameters)}`),
  }
}

/** Reads a question whose cells are requests, followed by their headers. */
function written(number: number, theirs: string, ours: string, place: string, body: string): Question {
  const asked = (cell: string, before: string): Asked => {
    const [request = '', ...lines] = cell.split(/ (?=(?:Prefer|Accept|Content-Type|Range): )/)
    const [method = '', target = ''] = splitOnce(request, ' ')
    const [path, query] = splitOnce(target, '?')
    const headers = Object.fromEntries(lines.map((text) => splitOnce(text, ': ')))
    // A body that is not JSON has line breaks, which a cell cannot contain, so it is written as a JSON
    // string.
    const isText = headers['Content-Type'] !== undefined
    return {
      method,
      path: `${before}${path}${query === '' ? '' : `?${encoded(query)}`}`,
      headers: body === '' || isText ? headers : { 'Content-Type': 'application/json', ...headers },
      ...(body === '' ? {} : { body: isText ? (JSON.parse(body) as string) : body }),
    }
  }
  return { number, kind: 'Write', theirs: asked(theirs, '/'), ours: asked(ours, place) }
}

function splitOnce(text: string, separator: string): [before: string, after: string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}

/** Encodes a query string that is written in plain text. */
const encoded = (query: string): string =>
  query
    .split('&')
    .map((pair) => splitOnce(pair, '=').map(encodeURIComponent).join('='))
    .join('&')
