/**
 * Random graphs, and walks on them in plain TypeScript, which share no code with the service. Spec: Edges and
 * graph traversal; G3–G5.
 */
import fc from 'fast-check'

interface Node {
  id: number
  graph: number
  colour: 'red' | 'blue' | null
  is_deleted: boolean
}

export interface Edge {
  from_id: number
  to_id: number
  type: string
}

export interface Graph {
  nodes: Node[]
  edges: Edge[]
}

/** The inverse names of edges, which list descendants. */
const inverses = new Map([
  ['leads', 'led_by'],
  ['knows', 'knows'],
  ['owns', 'owned'],
])
const typeNames = [...inverses.keys()]

export const nodesTable = {
  name: 'nodes',
  schema: {
    fields: [
      { name: 'id', type: 'integer' },
      { name: 'graph', type: 'integer' },
      { name: 'colour', type: 'string' },
      { name: 'is_deleted', type: 'boolean' },
    ],
    graph: { enabled: true, types: [...inverses].map(([name, inverse]) => ({ name, inverse })) },
  },
}

/** Returns random trees, acyclic graphs and other graphs of 1 to 14 nodes, numbered from `number * 100`. */
export const someGraph = (number: number): fc.Arbitrary<Graph> =>
  fc
    .record({
      kind: fc.constantFrom('tree', 'dag', 'any'),
      nodes: fc.array(
        fc.record({
          colour: fc.constantFrom('red' as const, 'blue' as const, null),
          is_deleted: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
        }),
        { minLength: 1, maxLength: 14 },
      ),
      pairs: fc.array(fc.tuple(fc.nat(13), fc.nat(13), fc.constantFrom(...typeNames)), { maxLength: 40 }),
    })
    .map(({ kind, nodes, pairs }) => {
      const idOf = (position: number) => number * 100 + position
      const size = nodes.length
      const said = pairs.map(([a, b, type]): [number, number, string] => [a % size, b % size, type])
      const kept =
        kind === 'tree'
          ? nodes.slice(1).map((_, position): [number, number, string] => {
              const [a = 0, , type = 'leads'] = said[position] ?? []
              return [position + 1, a % (position + 1), type]
            })
          : said.filter(([a, b]) => kind === 'any' || a > b)
      const different = new Map(
        kept.map(([a, b, type]) => [`${a} ${b} ${type}`, { from_id: idOf(a), to_id: idOf(b), type }]),
      )
      return {
        nodes: nodes.map((node, position) => ({ id: idOf(position), graph: number, ...node })),
        edges: [...different.values()],
      }
    })

export interface Walk {
  /** Undefined: from all roots; with `include`, from each record of a list. */
  start: number | undefined
  form: 'include' | 'tree' | 'graph'
  include: 'descendants' | 'ancestors' | 'both' | undefined
  /** Undefined: the default. */
  depth: number | undefined
  types: string[]
  colour: 'red' | undefined
}

export const someWalk = (graph: Graph): fc.Arbitrary<Walk> =>
  fc
    .record({
      start: fc.option(fc.constantFrom(...graph.nodes.map(({ id }) => id)), { nil: undefined, freq: 4 }),
      form: fc.constantFrom('include' as const, 'tree' as const, 'graph' as const),
      include: fc.constantFrom('descendants' as const, 'ancestors' as const, 'both' as const),
      depth: fc.option(fc.integer({ min: 0, max: 10 }), { nil: undefined }),
      types: fc.subarray(typeNames),
      colour: fc.constantFrom(undefined, undefined, 'red' as const),
    })
    .map((walk) => {
      if (walk.start === undefined) return walk.form === 'include' ? walk : { ...walk, include: undefined }
      return walk.form === 'tree' && walk.include === 'both' ? { ...walk, include: undefined } : walk
    })

/** Returns the path below the records, with its query. */
export function asPath(graph: Graph, { start, form, include, depth, types, colour }: Walk): string {
  const query = new URLSearchParams()
  if (form !== 'include') query.set('format', form)
  if (include) query.set('include', include)
  if (depth !== undefined) query.set('depth', String(depth))
  for (const type of types) query.append('relationship_type', type)
  if (colour) query.set('colour', colour)
  if (start === undefined) {
    query.set('graph', String(graph.nodes[0]?.graph))
    if (form === 'include') query.set('page_size', '100')
  }
  return `${start === undefined ? '' : `${start}/`}?${query}`
}

interface Reached {
  node: Node
  depth: number
  type: string
  label: string
}

/**
 * Returns the whole body of a walk, or the `data` of a list. Returns undefined if the start does not exist.
 */
export function walk(graph: Graph, asked: Walk): unknown {
  if (asked.form !== 'include' || asked.start !== undefined) return walkOnce(graph, asked)
  const listed = graph.nodes.filter(
    (node) => !node.is_deleted && (asked.colour === undefined || node.colour === asked.colour),
  )
  return {
    data: listed.map((node) => {
      // Filters apply only to the list.
      const { data, ...lists } = walkOnce(graph, { ...asked, start: node.id, colour: undefined }) as {
        data: Node
      }
      return { ...data, ...lists }
    }),
  }
}

function walkOnce({ nodes, edges }: Graph, asked: Walk): unknown {
  const types = typeNames.filter((name) => asked.types.length === 0 || asked.types.includes(name))
  const depthMax = asked.depth ?? (asked.form === 'include' ? 1 : 10)
  const matches = (node: Node) => asked.colour === undefined || node.colour === asked.colour
  const isThere = (node: Node) => !node.is_deleted
  const passes = asked.form === 'tree' ? (node: Node) => isThere(node) && matches(node) : isThere
  const nodeOf = (id: number) => nodes.find((node) => node.id === id) as Node
  const looked = types.flatMap((type) => edges.filter((edge) => edge.type === type))

  const starts =
    asked.start === undefined
      ? nodes
          .filter(passes)
          .filter(({ id }) => !looked.some((edge) => edge.from_id === id && passes(nodeOf(edge.to_id))))
      : [nodeOf(asked.start)].filter(isThere)
  if (asked.start !== undefined && starts.length === 0) return undefined

  /** Returns the edges from a node in one direction, those of the first type first. */
  const steps = (id: number, down: boolean) =>
    looked
      .filter((edge) => (down ? edge.to_id : edge.from_id) === id)
      .map((edge) => ({ to: nodeOf(down ? edge.from_id : edge.to_id), type: edge.type }))
      .filter(({ to }) => passes(to))

  function breadthFirst(down: boolean): Reached[] {
    const reached: Reached[] = starts.map((node) => ({ node, depth: 0, type: '', label: '' }))
    const seen = new Set(starts)
    for (let depth = 1; depth <= depthMax; depth++) {
      const frontier = reached.filter((one) => one.depth === depth - 1)
      for (const name of types) {
        for (const { node } of frontier) {
          for (const { to, type } of steps(node.id, down)) {
            if (type !== name || seen.has(to)) continue
            seen.add(to)
            reached.push({ node: to, depth, type, label: down ? (inverses.get(type) as string) : type })
          }
        }
      }
    }
    return reached
  }

  const ways = asked.include === 'both' ? [true, false] : [asked.include !== 'ancestors']
  const found = new Map<number, Reached>()
  for (const one of ways.flatMap(breadthFirst).toSorted((a, b) => a.depth - b.depth))
    if (!found.has(one.node.id)) found.set(one.node.id, one)
  const byDepth = (a: Reached, b: Reached) => a.depth - b.depth || a.node.id - b.node.id

  if (asked.form === 'include') {
    // Each node appears once under each label, by the nearest edge that leads to it there.
    const best = new Map<string, Reached>()
    for (const down of ways) {
      const reached = breadthFirst(down)
      const isReached = (node: Node) => reached.some((one) => one.depth > 0 && one.node === node)
      const byLabel = reached
        .filter(({ depth }) => depth < depthMax)
        .flatMap(({ node, depth }) =>
          steps(node.id, down).map(({ to, type }) => ({ node: to, depth: depth + 1, type })),
        )
        .filter(({ node }) => isReached(node))
        .map((one) => ({ ...one, label: down ? (inverses.get(one.type) as string) : one.type }))
        .toSorted((a, b) => a.depth - b.depth || types.indexOf(a.type) - types.indexOf(b.type))
      for (const one of byLabel) {
        const key = `${one.node.id} ${one.label}`
        if (one.depth < (best.get(key)?.depth ?? Infinity)) best.set(key, one)
      }
    }
    const listed = [...best.values()].filter(({ node }) => matches(node)).toSorted(byDepth)
    const labels = new Set(
      ways.flatMap((down) => types.map((type) => (down ? (inverses.get(type) as string) : type))),
    )
    const lists = [...labels].map((label) => [
      label,
      listed
        .filter((one) => one.label === label)
        .map(({ node, depth, type }) => ({ ...node, _depth: depth, _relationship_type: type })),
    ])
    return { data: starts[0], ...Object.fromEntries(lists) }
  }
  if (asked.form === 'graph') {
    const isWhole = asked.start === undefined && asked.depth === undefined
    const unreached = isWhole
      ? nodes.filter((node) => isThere(node) && !found.has(node.id)).map((node) => ({ node, depth: null }))
      : []
    const listed = [...[...found.values()].toSorted(byDepth), ...unreached].filter(({ node }) =>
      matches(node),
    )
    const ids = new Set(listed.map(({ node }) => node.id))
    const between = looked.filter((edge) => ids.has(edge.from_id) && ids.has(edge.to_id))
    return {
      data: {
        nodes: listed.map(({ node, depth }) => ({ ...node, _depth: depth })),
        edges: between.map((edge) => JSON.stringify(edge)).toSorted(),
      },
      total: listed.length,
    }
  }
  const down = ways[0] as boolean
  /** The order of siblings: the nearest to a start first, then by id. */
  const placeOf = new Map([...found.values()].toSorted(byDepth).map(({ node }, place) => [node.id, place]))
  function branch(node: Node, path: readonly number[], type: string | undefined): unknown {
    const children = new Map<Node, string>()
    if (path.length < depthMax) {
      for (const step of steps(node.id, down)) {
        if (step.to !== node && !path.includes(step.to.id) && !children.has(step.to))
          children.set(step.to, step.type)
      }
    }
    const sorted = [...children].toSorted(
      ([a], [b]) => (placeOf.get(a.id) as number) - (placeOf.get(b.id) as number),
    )
    return {
      ...node,
      _depth: path.length,
      ...(type === undefined ? {} : { _relationship_type: type }),
      children: sorted.map(([child, by]) => branch(child, [...path, node.id], by)),
    }
  }
  const more =
    asked.start === undefined
      ? nodes.filter((node) => passes(node) && !found.has(node.id)).length
      : deeper(starts[0] as Node).size - found.size
  return {
    data: starts.map((node) => branch(node, [], undefined)),
    total: found.size,
    ...(more > 0 ? { omitted: more } : {}),
  }

  /** Returns all nodes that are reachable from a start, at any depth. */
  function deeper(start: Node): Set<Node> {
    const all = new Set([start])
    for (const node of all) for (const { to } of steps(node.id, down)) all.add(to)
    return all
  }
}
