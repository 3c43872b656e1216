/** The pointer gestures in the picture: select and open records, draw edges, move and zoom. */
import { type RefObject, useEffect, useRef } from 'react'

/** The actions of the gestures. Points are in pixels from the corner of the picture. */
export interface Gestures {
  /** The record at a point. */
  keyAt(x: number, y: number): string | undefined
  pan(dx: number, dy: number): void
  zoom(factor: number, x: number, y: number): void
  choose(key: string | undefined): void
  open(key: string): void
  /** A line is drawn from a record to a point. */
  drag(key: string, x: number, y: number): void
  /** The person stops drawing the line. `to` is the record at its end; undefined if there is none. */
  drop(from: string | undefined, to: string | undefined): void
}

/** How far a pointer may move during a click, in pixels. */
const slack = 4
const wheelZoom = 1.0015

/** Listens to the pointers of a canvas. */
export function useGestures(canvas: RefObject<HTMLCanvasElement | null>, gestures: Gestures): void {
  const current = useRef(gestures)
  useEffect(() => {
    current.current = gestures
  })
  useEffect(() => {
    const element = canvas.current
    return element ? listen(element, () => current.current) : undefined
  }, [canvas])
}

interface Press {
  pointer: number
  key: string | undefined
  x: number
  y: number
  isClick: boolean
}

function listen(element: HTMLCanvasElement, gestures: () => Gestures): () => void {
  const ending = new AbortController()
  let press: Press | undefined
  const pointOf = ({ clientX, clientY }: MouseEvent) => {
    const { left, top } = element.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  const on = <
    Name extends 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel' | 'dblclick' | 'wheel',
  >(
    name: Name,
    handle: (event: HTMLElementEventMap[Name], point: { x: number; y: number }) => void,
  ) =>
    element.addEventListener(name, (event) => handle(event, pointOf(event)), {
      signal: ending.signal,
      passive: false,
    })

  on('pointerdown', (event, point) => {
    if (event.button !== 0 || press) return
    element.setPointerCapture(event.pointerId)
    press = { pointer: event.pointerId, key: gestures().keyAt(point.x, point.y), ...point, isClick: true }
  })
  on('pointermove', (event, point) => {
    if (press?.pointer !== event.pointerId) return
    if (press.isClick && Math.hypot(point.x - press.x, point.y - press.y) < slack) return
    press.isClick = false
    element.dataset.doing = press.key === undefined ? 'pan' : 'line'
    if (press.key === undefined) gestures().pan(point.x - press.x, point.y - press.y)
    else gestures().drag(press.key, point.x, point.y)
    press.x = point.x
    press.y = point.y
  })
  on('pointerup', (event, point) => {
    if (press?.pointer !== event.pointerId) return
    const { key, isClick } = press
    end()
    if (isClick) gestures().choose(key)
    else if (key !== undefined) gestures().drop(key, gestures().keyAt(point.x, point.y))
  })
  on('pointercancel', () => {
    end()
    gestures().drop(undefined, undefined)
  })
  on('dblclick', (_, point) => {
    const key = gestures().keyAt(point.x, point.y)
    if (key !== undefined) gestures().open(key)
  })
  on('wheel', (event, point) => {
    event.preventDefault()
    gestures().zoom(wheelZoom ** -event.deltaY, point.x, point.y)
  })
  function end(): void {
    press = undefined
    delete element.dataset.doing
  }
  return () => ending.abort()
}
