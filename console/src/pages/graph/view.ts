/** The visible part of a picture. */
import type { Places } from './scene.ts'

/** The point of the picture in the middle of the screen, and the size of one unit in pixels. */
export interface View {
  x: number
  y: number
  scale: number
}

/** The size of the drawing on the screen, in CSS pixels. */
export interface Size {
  width: number
  height: number
}

const scaleMin = 0.02
const scaleMax = 6
const margin = 40
const limited = (scale: number) => Math.min(scaleMax, Math.max(scaleMin, scale))

/** Returns the view that shows everything. */
export function fitView(places: Places, { width, height }: Size): View {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let at = 0; at < places.length; at += 2) {
    const [x = 0, y = 0] = [places[at], places[at + 1]]
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  if (left > right) return { x: 0, y: 0, scale: 1 }
  const scale = Math.min(
    (width - 2 * margin) / (right - left || 1),
    (height - 2 * margin) / (bottom - top || 1),
  )
  return { x: (left + right) / 2, y: (top + bottom) / 2, scale: Math.min(limited(scale), 1.6) }
}

/** Returns the point of the picture at a point of the screen. */
export const pointAt = ({ x, y, scale }: View, { width, height }: Size, atX: number, atY: number) => ({
  x: x + (atX - width / 2) / scale,
  y: y + (atY - height / 2) / scale,
})

/** Returns the view after a zoom that does not move a point of the screen. */
export function zoomAt(view: View, size: Size, factor: number, atX: number, atY: number): View {
  const scale = limited(view.scale * factor)
  const { x, y } = pointAt(view, size, atX, atY)
  return { x: x - (atX - size.width / 2) / scale, y: y - (atY - size.height / 2) / scale, scale }
}

/** Returns the view moved by pixels of the screen. */
export const panBy = (view: View, dx: number, dy: number): View => ({
  ...view,
  x: view.x - dx / view.scale,
  y: view.y - dy / view.scale,
})
