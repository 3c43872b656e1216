/** The picture: tables as boxes, references as arrows, with zoom. */
import {
  Background,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  useReactFlow,
} from '@xyflow/react'
import '@xyflow/react/dist/style.css'
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useMemo } from 'react'
import type { Table } from '../../session/queries.ts'
import { addressOf } from '../../shell/address.ts'
import { TextLink } from '../../shell/link.tsx'
import { useTexts } from '../../texts/define.ts'
import styles from './canvas.module.css'
import { type Arrow, fieldsShown, heightOf, type Places, sizes } from './layout.ts'
import { pictureTexts } from './texts.ts'

type TableNode = Node<{ table: Table; site: string; app: string; isFound: boolean; search: string }, 'table'>

interface CanvasProps {
  site: string
  app: string
  tables: readonly Table[]
  arrows: readonly Arrow[]
  places: Places
  /** The found tables, which the picture shows. Empty: all. */
  found: readonly string[]
  search: string
}

const nodeTypes = { table: TableBox }
const moveMs = 300

/** Draws the picture. Boxes stay where they are. */
export function Canvas({ site, app, tables, arrows, places, found, search }: CanvasProps) {
  const texts = useTexts(pictureTexts)
  const scheme = useComputedColorScheme('light')
  const { fitView } = useReactFlow()
  const nodes = useMemo(
    () =>
      tables.map(
        (table): TableNode => ({
          id: table.name,
          type: 'table',
          position: places.get(table.name) ?? { x: 0, y: 0 },
          width: sizes.width,
          height: heightOf(table),
          ariaLabel: table.name,
          // Otherwise, boxes that cannot be moved would receive no clicks, and their links would not work.
          style: { pointerEvents: 'all' },
          data: { table, site, app, isFound: found.includes(table.name), search },
        }),
      ),
    [tables, places, site, app, found, search],
  )
  const edges = useMemo(
    () =>
      arrows.map(
        ({ id, from, to, label }): Edge => ({
          id,
          source: from,
          target: to,
          label,
          type: from === to ? 'default' : 'smoothstep',
          ariaLabel: `${from}.${label} → ${to}`,
          markerEnd: { type: MarkerType.ArrowClosed },
          focusable: false,
        }),
      ),
    [arrows],
  )
  useEffect(() => {
    const shown = found.length > 0 ? found.map((id) => ({ id })) : undefined
    void fitView({ padding: 0.15, maxZoom: 1.1, duration: moveMs, ...(shown ? { nodes: shown } : {}) })
  }, [fitView, found])
  return (
    <section className={styles.frame} aria-label={texts.picture(app)}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        colorMode={scheme}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        onlyRenderVisibleElements={tables.length > manyTables}
        minZoom={0.05}
        fitView
        fitViewOptions={{ padding: 0.15, maxZoom: 1.1 }}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  )
}

/** From this number of tables on, only visible ones are part of the page. */
const manyTables = 60

/** A table with its fields. Its name links to its schema. */
function TableBox({ data: { table, site, app, isFound, search } }: NodeProps<TableNode>) {
  const texts = useTexts(pictureTexts)
  const { fields, primaryKey, foreignKeys = [] } = table.json_schema
  const references = new Set(foreignKeys.flatMap((key) => key.fields))
  const wanted = search.trim().toLowerCase()
  const left = fields.length - fieldsShown
  const shown = left > 1 ? fields.slice(0, fieldsShown) : fields
  return (
    <div className={`${styles.table} ${isFound ? styles.found : ''}`}>
      <Handle type="target" position={Position.Left} isConnectable={false} className={styles.handle} />
      <div className={styles.head}>
        <TextLink to={addressOf(site, 'schema', app, table.name)} inherit>
          {table.name}
        </TextLink>
      </div>
      {shown.map(({ name, type }) => (
        <div
          key={name}
          className={`${styles.field} ${wanted && name.toLowerCase().includes(wanted) ? styles.hit : ''}`}
        >
          <span className={primaryKey.includes(name) ? styles.key : ''}>
            {references.has(name) ? '→ ' : ''}
            {name}
          </span>
          <span className="muted">{type}</span>
        </div>
      ))}
      {left > 1 ? <div className={`${styles.field} muted`}>{texts.more(left)}</div> : null}
      <Handle type="source" position={Position.Right} isConnectable={false} className={styles.handle} />
    </div>
  )
}
