/**
 * Paints a scene. While a large scene moves, it is painted only a few times per second, and the last painting
 * is moved in between.
 */
import { drawLine, drawScene, type Line, type Painting } from './draw.ts'
import type { Size, View } from './view.ts'

/** From this number of edges on, a scene is large. */
const manyEdges = 2_000
/** The maximum age of a painting of a large scene while it moves, in milliseconds. */
export const reuseMs = 160

/** Paints. Returns whether the picture is exact. If it is not, it must be painted again after `reuseMs`. */
export type Painter = (canvas: HTMLCanvasElement, view: View, painting: Painting, line?: Line) => boolean

/** Creates a painter for a canvas, which caches its painting. */
export function makePainter(): Painter {
  const kept = document.createElement('canvas')
  let of: Painting | undefined
  let from: View = { x: 0, y: 0, scale: 1 }
  let at = 0
  return (canvas, view, painting, line) => {
    const { size, scene, colors } = painting
    const ratio = window.devicePixelRatio
    resize(canvas, size, ratio)
    const context = canvas.getContext('2d')
    const keptContext = kept.getContext('2d')
    if (!context || !keptContext) return true
    const isSame = of === painting && view.x === from.x && view.y === from.y && view.scale === from.scale
    const isNear = of === painting && scene.ids.length > manyEdges && performance.now() - at < reuseMs
    if (!isSame && !isNear) {
      resize(kept, size, ratio)
      keptContext.setTransform(ratio, 0, 0, ratio, 0, 0)
      drawScene(keptContext, view, painting)
      from = { ...view }
      of = painting
      at = performance.now()
    }
    const zoom = view.scale / from.scale
    const x = (from.x - view.x) * view.scale + (size.width / 2) * (1 - zoom)
    const y = (from.y - view.y) * view.scale + (size.height / 2) * (1 - zoom)
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.fillStyle = colors.ground
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(kept, x * ratio, y * ratio, kept.width * zoom, kept.height * zoom)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    if (line) drawLine(context, view, painting, line)
    return isSame || !isNear
  }
}

/** Gives a canvas the resolution of the screen. */
function resize(canvas: HTMLCanvasElement, { width, height }: Size, ratio: number): void {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)]
  if (canvas.width !== wide) canvas.width = wide
  if (canvas.height !== high) canvas.height = high
}
