/** Draws a scene: edges by type, records, and the names for which there is room. */
import type { Places, Scene } from './scene.ts'
import type { Size, View } from './view.ts'

export interface Colors {
  /** One color for each type of edges. If there are more types, the colors repeat. */
  types: readonly string[]
  node: string
  /** Records whose neighbors were not all loaded. */
  unread: string
  text: string
  ground: string
  mark: string
}

/** The highlighted parts of a drawing. */
export interface Marks {
  /** The position of the chosen record; -1 for none. */
  chosen: number
  /** The ids of the edges of a path. */
  edges: ReadonlySet<string>
  /** The keys of the records of a path. */
  keys: ReadonlySet<string>
}

/** The content to paint. The same object always gives the same picture in the same view. */
export interface Painting {
  scene: Scene
  places: Places
  size: Size
  marks: Marks
  colors: Colors
}

/** A line from a record to the pointer, in pixels: the edge that the user draws. */
export interface Line {
  from: number
  x: number
  y: number
}

const arrowsMax = 1_200
const labelsMax = 160
const font = '12px system-ui, sans-serif'

/** Returns the radius of a record on the screen, in pixels. */
export const radiusOf = ({ scale }: View): number => Math.min(9, Math.max(1.6, 8 * scale))

/** Draws the scene into the whole canvas. */
export function drawScene(
  context: CanvasRenderingContext2D,
  view: View,
  { scene, places, size, marks, colors }: Painting,
): void {
  const screen = new Float32Array(places.length)
  const isSeen = new Uint8Array(places.length / 2)
  let seen = 0
  for (let index = 0; index < isSeen.length; index++) {
    const x = ((places[index * 2] as number) - view.x) * view.scale + size.width / 2
    const y = ((places[index * 2 + 1] as number) - view.y) * view.scale + size.height / 2
    screen[index * 2] = x
    screen[index * 2 + 1] = y
    isSeen[index] = x > -20 && x < size.width + 20 && y > -20 && y < size.height + 20 ? 1 : 0
    seen += isSeen[index] as number
  }
  context.fillStyle = colors.ground
  context.fillRect(0, 0, size.width, size.height)
  const drawn = drawEdges(context, size, scene, screen, marks, colors)
  if (drawn.length <= arrowsMax) drawArrows(context, scene, screen, drawn, radiusOf(view), colors)
  drawNodes(context, scene, screen, isSeen, radiusOf(view), marks, colors)
  if (seen <= labelsMax) drawLabels(context, scene, screen, isSeen, radiusOf(view), colors)
}

/** Draws the line of an edge that the user draws. */
export function drawLine(
  context: CanvasRenderingContext2D,
  view: View,
  { places, size, colors }: Painting,
  { from, x, y }: Line,
): void {
  context.strokeStyle = colors.mark
  context.lineWidth = 2
  context.setLineDash([6, 4])
  context.beginPath()
  context.moveTo(
    ((places[from * 2] as number) - view.x) * view.scale + size.width / 2,
    ((places[from * 2 + 1] as number) - view.y) * view.scale + size.height / 2,
  )
  context.lineTo(x, y)
  context.stroke()
  context.setLineDash([])
}

/** Draws the lines. Returns the edges that are on the screen. */
function drawEdges(
  context: CanvasRenderingContext2D,
  { width, height }: Size,
  { ends, kinds, ids }: Scene,
  screen: Float32Array,
  marks: Marks,
  colors: Colors,
): number[] {
  const paths = new Map<string, Path2D>()
  const marked = new Path2D()
  const drawn: number[] = []
  for (let edge = 0; edge < kinds.length; edge++) {
    const [from = 0, to = 0] = [ends[edge * 2], ends[edge * 2 + 1]]
    const x1 = screen[from * 2] as number
    const y1 = screen[from * 2 + 1] as number
    const x2 = screen[to * 2] as number
    const y2 = screen[to * 2 + 1] as number
    const isAside = (x1 < 0 && x2 < 0) || (x1 > width && x2 > width)
    if (isAside || (y1 < 0 && y2 < 0) || (y1 > height && y2 > height)) continue
    drawn.push(edge)
    const color = colors.types[(kinds[edge] as number) % colors.types.length] as string
    let path = paths.get(color)
    if (!path) {
      path = new Path2D()
      paths.set(color, path)
    }
    path.moveTo(x1, y1)
    path.lineTo(x2, y2)
    if (marks.edges.size > 0 && marks.edges.has(ids[edge] as string)) {
      marked.moveTo(x1, y1)
      marked.lineTo(x2, y2)
    }
  }
  context.lineWidth = 1
  context.globalAlpha = drawn.length > arrowsMax ? 0.35 : 0.75
  for (const [color, path] of paths) {
    context.strokeStyle = color
    context.stroke(path)
  }
  context.globalAlpha = 1
  context.lineWidth = 4
  context.strokeStyle = colors.mark
  if (marks.edges.size > 0) context.stroke(marked)
  return drawn
}

const arrowLength = 7
const arrowWidth = 3.2

function drawArrows(
  context: CanvasRenderingContext2D,
  { ends, kinds }: Scene,
  screen: Float32Array,
  edges: readonly number[],
  radius: number,
  colors: Colors,
): void {
  for (const edge of edges) {
    const [from = 0, to = 0] = [ends[edge * 2], ends[edge * 2 + 1]]
    const dx = (screen[to * 2] as number) - (screen[from * 2] as number)
    const dy = (screen[to * 2 + 1] as number) - (screen[from * 2 + 1] as number)
    const length = Math.hypot(dx, dy)
    if (length < radius * 2 + arrowLength) continue
    const [ux, uy] = [dx / length, dy / length]
    const x = (screen[to * 2] as number) - ux * (radius + 1)
    const y = (screen[to * 2 + 1] as number) - uy * (radius + 1)
    const [backX, backY] = [x - ux * arrowLength, y - uy * arrowLength]
    context.fillStyle = colors.types[(kinds[edge] as number) % colors.types.length] as string
    context.beginPath()
    context.moveTo(x, y)
    context.lineTo(backX - uy * arrowWidth, backY + ux * arrowWidth)
    context.lineTo(backX + uy * arrowWidth, backY - ux * arrowWidth)
    context.fill()
  }
}

/** From this radius on, a record is a circle; smaller ones are squares, which are drawn faster. */
const circleRadius = 2.5

function drawNodes(
  context: CanvasRenderingContext2D,
  { keys, isOpen }: Scene,
  screen: Float32Array,
  isSeen: Uint8Array,
  radius: number,
  marks: Marks,
  colors: Colors,
): void {
  const groups: [color: string, isOf: (index: number) => boolean, radius: number][] = [
    [colors.unread, (index) => !isOpen[index], radius],
    [colors.node, (index) => isOpen[index] === true, radius],
    [colors.mark, (index) => marks.keys.has(keys[index] as string), radius + 2],
    [colors.mark, (index) => index === marks.chosen, radius + 2],
  ]
  for (const [color, isOf, size] of groups) {
    context.fillStyle = color
    context.beginPath()
    for (let index = 0; index < isSeen.length; index++) {
      if (!isSeen[index] || !isOf(index)) continue
      const [x = 0, y = 0] = [screen[index * 2], screen[index * 2 + 1]]
      if (size < circleRadius) context.rect(x - size, y - size, size * 2, size * 2)
      else {
        context.moveTo(x + size, y)
        context.arc(x, y, size, 0, 2 * Math.PI)
      }
    }
    context.fill()
  }
}

const cellWidth = 40
const cellHeight = 16
const lengthMax = 28
/** The distance between a record and its name, with room for the ring of the chosen record. */
const labelGap = 6

/** Writes names below their records, as long as they do not cover each other. */
function drawLabels(
  context: CanvasRenderingContext2D,
  { labels }: Scene,
  screen: Float32Array,
  isSeen: Uint8Array,
  radius: number,
  colors: Colors,
): void {
  const taken = new Set<string>()
  context.font = font
  context.textAlign = 'center'
  context.textBaseline = 'top'
  context.lineJoin = 'round'
  context.lineWidth = 3
  for (let index = 0; index < isSeen.length; index++) {
    if (!isSeen[index]) continue
    const label = labels[index] as string
    const text = label.length > lengthMax ? `${label.slice(0, lengthMax - 1)}…` : label
    const [x = 0, y = 0] = [screen[index * 2], screen[index * 2 + 1]]
    const half = text.length * 3.3
    const row = Math.round((y + radius) / cellHeight)
    const cells: string[] = []
    for (let cell = Math.floor((x - half) / cellWidth); cell * cellWidth <= x + half; cell++)
      cells.push(`${cell} ${row}`)
    if (cells.some((cell) => taken.has(cell))) continue
    for (const cell of cells) taken.add(cell)
    context.strokeStyle = colors.ground
    context.strokeText(text, x, y + radius + labelGap)
    context.fillStyle = colors.text
    context.fillText(text, x, y + radius + labelGap)
  }
}
