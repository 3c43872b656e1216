/**
 * The positions of an app's tables in a diagram: ELK computes them in a worker, so that the page stays
 * responsive.
 */
import ELK from 'elkjs/lib/elk-api.js'
import workerUrl from 'elkjs/lib/elk-worker.min.js?url'
import type { Table } from '../../session/queries.ts'

/** The maximum number of fields that a table shows. */
export const fieldsShown = 14

/** The sizes of a table in the picture, in pixels. */
export const sizes = { width: 230, head: 34, row: 20, end: 8 } as const

/** A reference from a table to another one. */
export interface Arrow {
  id: string
  from: string
  to: string
  label: string
}

/** A position in the picture, by the name of a table. */
export type Places = ReadonlyMap<string, { x: number; y: number }>

/** Returns the references between the tables of an app, without those to tables of other apps. */
export function arrowsOf(tables: readonly Table[]): Arrow[] {
  const names = new Set(tables.map(({ name }) => name))
  return tables.flatMap(({ name, json_schema: { foreignKeys = [] } }) =>
    foreignKeys.flatMap(({ fields, reference }) => {
      const to = reference.resource === '' ? name : reference.resource
      const label = fields.join(', ')
      return names.has(to) ? [{ id: `${name} ${label}`, from: name, to, label }] : []
    }),
  )
}

export const heightOf = ({ json_schema: { fields } }: Table): number =>
  sizes.head + Math.min(fields.length, fieldsShown + 1) * sizes.row + sizes.end

/** Computes the positions of the tables, and then ends the worker. */
export async function layOut(tables: readonly Table[], arrows: readonly Arrow[]): Promise<Places> {
  const elk = new ELK({ workerUrl })
  try {
    const { children = [] } = await elk.layout({
      id: 'root',
      layoutOptions: {
        'elk.algorithm': 'layered',
        'elk.direction': 'RIGHT',
        'elk.spacing.nodeNode': '40',
        'elk.layered.spacing.nodeNodeBetweenLayers': '110',
        'elk.separateConnectedComponents': 'true',
        'elk.aspectRatio': '1.6',
      },
      children: tables.map((table) => ({ id: table.name, width: sizes.width, height: heightOf(table) })),
      edges: arrows
        .filter(({ from, to }) => from !== to)
        .map(({ id, from, to }) => ({ id, sources: [from], targets: [to] })),
    })
    return new Map(children.map(({ id, x = 0, y = 0 }) => [id, { x, y }]))
  } finally {
    elk.terminateWorker()
  }
}
