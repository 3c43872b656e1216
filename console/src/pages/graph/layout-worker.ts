/**
 * Computes the positions of a picture's records in a web worker: edges pull records together, and records
 * push each other away.
 */
import { forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationNodeDatum } from 'd3-force'
import type { Places } from './scene.ts'

/** The records to place. */
export interface LayoutTask {
  places: Places
  ends: Uint32Array<ArrayBuffer>
  /** Whether most records already have a good position. */
  isChange: boolean
}

/** The progress. */
export interface LayoutAnswer {
  places: Places
  isDone: boolean
}

/** How often it shows intermediate positions, in milliseconds. */
const turnMs = 80
/** From this number of records on, a coarser and faster computation is used. */
const manyRecords = 800

const distance = 46
const push = -90
const pull = 0.05

self.onmessage = ({ data: { places, ends, isChange } }: MessageEvent<LayoutTask>) => {
  const isLarge = places.length / 2 > manyRecords
  const nodes: SimulationNodeDatum[] = Array.from({ length: places.length / 2 }, (_, index) => ({
    x: places[index * 2] as number,
    y: places[index * 2 + 1] as number,
  }))
  const links = Array.from({ length: ends.length / 2 }, (_, index) => ({
    source: ends[index * 2] as number,
    target: ends[index * 2 + 1] as number,
  }))
  const simulation = forceSimulation(nodes)
    .force(
      'push',
      forceManyBody()
        .strength(push)
        .theta(isLarge ? 1.1 : 0.9),
    )
    .force('edges', forceLink(links).distance(distance))
    .force('x', forceX().strength(pull))
    .force('y', forceY().strength(pull))
    .alpha(isChange ? 0.5 : 1)
    .alphaDecay(isLarge ? 0.06 : 0.03)
    .stop()

  function work(): void {
    const began = performance.now()
    while (simulation.alpha() > simulation.alphaMin() && performance.now() - began < turnMs) simulation.tick()
    const isDone = simulation.alpha() <= simulation.alphaMin()
    const now = Float32Array.from(nodes.flatMap(({ x = 0, y = 0 }) => [x, y]))
    const answer: LayoutAnswer = { places: now, isDone }
    self.postMessage(answer, { transfer: [now.buffer] })
    if (!isDone) setTimeout(work)
  }
  work()
}
