/**
 * The content to draw, as arrays: the records in their order, and the edges by the positions of their ends.
 */
import type { Shown } from './nodes.ts'

/** The records and edges of a picture. */
export interface Scene {
  keys: readonly string[]
  labels: readonly string[]
  isOpen: readonly boolean[]
  /** The position of each key. */
  indexes: ReadonlyMap<string, number>
  /** Two positions for each edge: those of its first and its second record. */
  ends: Uint32Array<ArrayBuffer>
  /** The ids of the edges. */
  ids: readonly string[]
  /** The type of each edge, as its position among those of the table. */
  kinds: Uint8Array
}

/** The coordinates of a scene's records: two numbers for each. */
export type Places = Float32Array<ArrayBuffer>

/** Creates the scene, without edges to hidden records. `types`: the types of edges of the table. */
export function sceneOf({ nodes, edges }: Shown, types: readonly string[]): Scene {
  const keys = [...nodes.keys()]
  const all = [...nodes.values()]
  const indexes = new Map(keys.map((key, index) => [key, index]))
  const drawn = [...edges.values()].filter(({ from, to }) => indexes.has(from) && indexes.has(to))
  return {
    keys,
    labels: all.map(({ label }) => label),
    isOpen: all.map(({ isOpen }) => isOpen),
    indexes,
    ends: Uint32Array.from(
      drawn.flatMap(({ from, to }) => [indexes.get(from) as number, indexes.get(to) as number]),
    ),
    ids: drawn.map(({ id }) => id),
    kinds: Uint8Array.from(drawn.map(({ type }) => Math.max(0, types.indexOf(type)))),
  }
}

const goldenAngle = Math.PI * (3 - Math.sqrt(5))
const spacing = 14

/**
 * Returns the initial positions of records: their previous ones, or near a placed neighbor, or in a spiral.
 */
export function firstPlaces(scene: Scene, before?: { scene: Scene; places: Places }): Places {
  const places = new Float32Array(scene.keys.length * 2).fill(Number.NaN)
  const put = (index: number, x: number, y: number) => {
    places[index * 2] = x
    places[index * 2 + 1] = y
  }
  const isPut = (index: number) => !Number.isNaN(places[index * 2])
  scene.keys.forEach((key, index) => {
    const old = before?.scene.indexes.get(key)
    if (before && old !== undefined)
      put(index, before.places[old * 2] as number, before.places[old * 2 + 1] as number)
  })
  const beside = (index: number, other: number) => {
    const angle = index * goldenAngle
    const [x = 0, y = 0] = places.subarray(other * 2, other * 2 + 2)
    put(index, x + Math.cos(angle) * spacing * 2, y + Math.sin(angle) * spacing * 2)
  }
  if (before)
    for (let edge = 0; edge < scene.ends.length; edge += 2) {
      const [from = 0, to = 0] = scene.ends.subarray(edge, edge + 2)
      if (isPut(from) && !isPut(to)) beside(to, from)
      else if (isPut(to) && !isPut(from)) beside(from, to)
    }
  scene.keys.forEach((_, index) => {
    const radius = spacing * Math.sqrt(index + 0.5)
    if (!isPut(index))
      put(index, radius * Math.cos(index * goldenAngle), radius * Math.sin(index * goldenAngle))
  })
  return places
}

/** Returns the nearest record to a point within a distance; -1 if there is none. */
export function recordAt(places: Places, x: number, y: number, within: number): number {
  let best = -1
  let distance = within ** 2
  for (let index = 0; index * 2 < places.length; index++) {
    const away = ((places[index * 2] as number) - x) ** 2 + ((places[index * 2 + 1] as number) - y) ** 2
    if (away <= distance) {
      best = index
      distance = away
    }
  }
  return best
}

/**
 * Returns the next record in a direction for an arrow key: near, and roughly in that direction; -1 if there
 * is none.
 */
export function recordBeside(places: Places, from: number, dx: number, dy: number): number {
  let best = -1
  let cost = Infinity
  const [x = 0, y = 0] = places.subarray(from * 2, from * 2 + 2)
  for (let index = 0; index * 2 < places.length; index++) {
    const ahead = ((places[index * 2] as number) - x) * dx + ((places[index * 2 + 1] as number) - y) * dy
    const aside = Math.abs(
      ((places[index * 2] as number) - x) * dy - ((places[index * 2 + 1] as number) - y) * dx,
    )
    if (index === from || ahead <= 0) continue
    if (ahead + aside * 2 < cost) {
      best = index
      cost = ahead + aside * 2
    }
  }
  return best
}
