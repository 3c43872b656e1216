/**
 * Writes a tree of nodes and edges. A node with several parents appears under each of them, but never twice
 * on one path. G3.
 */

/** The nodes and edges of a tree. */
export interface Tree {
  /** JSON objects as text, roots first. */
  nodes: readonly string[]
  /** The number of roots. */
  starts: number
  /** The position of each edge's parent, child and type, in the order of the answer. */
  edges: readonly [above: readonly number[], below: readonly number[], types: readonly number[]]
  /** The names of the types. */
  types: readonly string[]
  depth: number
}

/**
 * Returns the text of an array; undefined if it would be longer than `lengthMax`: a graph can have endless
 * paths.
 */
export function writeTree(
  { nodes, starts, edges: [above, below, edgeTypes], types, depth: depthMax }: Tree,
  lengthMax: number,
): string | undefined {
  const edgesBelow: number[][] = nodes.map(() => [])
  above.forEach((node, edge) => {
    edgesBelow[node]?.push(edge)
  })
  const path = new Set<number>()
  const parts: string[] = []
  let length = 0
  const write = (part: string): void => {
    parts.push(part)
    length += part.length
  }
  function writeNode(node: number, depth: number, type: string): void {
    const text = nodes[node] as string
    write(`${text.slice(0, -1)}${text === '{}' ? '' : ','}"_depth":${depth}${type},"children":[`)
    if (depth < depthMax) {
      path.add(node)
      let isFirst = true
      for (const edge of edgesBelow[node] as number[]) {
        const child = below[edge] as number
        if (length > lengthMax) return
        if (path.has(child)) continue
        if (!isFirst) write(',')
        isFirst = false
        writeNode(
          child,
          depth + 1,
          `,"_relationship_type":${JSON.stringify(types[edgeTypes[edge] as number])}`,
        )
      }
      path.delete(node)
    }
    write(']}')
  }
  for (let node = 0; node < starts && length <= lengthMax; node++) {
    if (node > 0) write(',')
    writeNode(node, 0, '')
  }
  return length > lengthMax ? undefined : `[${parts.join('')}]`
}
