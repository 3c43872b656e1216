/** The picture, drawn on a canvas and moved by pointer and keys. */
import { ActionIcon, Stack, useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { useTexts } from '../../texts/define.ts'
import styles from './canvas.module.css'
import { colorsOf } from './colors.ts'
import { type Line, type Marks, type Painting, radiusOf } from './draw.ts'
import { useGestures } from './gestures.ts'
import { makePainter, type Painter, reuseMs } from './painter.ts'
import { recordAt, recordBeside } from './scene.ts'
import { graphTexts } from './texts.ts'
import type { Laid } from './use-layout.ts'
import { fitView, panBy, pointAt, type View, zoomAt } from './view.ts'

const zoomStep = 1.3
const panStep = 60
const reach = 8

const arrows: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

interface CanvasProps {
  label: string
  laid: Laid
  /** The key of the chosen record. */
  chosen: string | undefined
  /** The records and edges of a found path. */
  path: Pick<Marks, 'edges' | 'keys'>
  choose(key: string | undefined): void
  /** Loads the neighbors of a record. */
  open(key: string): void
  /** Opens the dialog for an edge from one record to another. */
  connect(from: string, to: string): void
}

/** Shows the picture. It is completely visible until the user moves it. */
export function Canvas({ label, laid, chosen, path, choose, open, connect }: CanvasProps) {
  const texts = useTexts(graphTexts)
  const scheme = useComputedColorScheme('light')
  const { ref: frame, width, height } = useElementSize()
  const canvas = useRef<HTMLCanvasElement>(null)
  const ring = useRef<HTMLDivElement>(null)
  const view = useRef<View>({ x: 0, y: 0, scale: 1 })
  const isMoved = useRef(false)
  const line = useRef<Line>(undefined)
  const painter = useRef<Painter>(undefined)
  const again = useRef<ReturnType<typeof setTimeout>>(undefined)
  const frameAsked = useRef(0)
  const { scene, places } = laid
  const at = chosen === undefined ? -1 : (scene.indexes.get(chosen) ?? -1)

  const painting = useMemo<Painting>(
    () => ({
      scene,
      places,
      size: { width, height },
      marks: { ...path, chosen: at },
      colors: colorsOf(scheme),
    }),
    [scene, places, width, height, path, at, scheme],
  )
  const draw = useCallback(() => {
    frameAsked.current = 0
    if (!canvas.current || width === 0) return
    painter.current ??= makePainter()
    const isExact = painter.current(canvas.current, view.current, painting, line.current)
    clearTimeout(again.current)
    if (!isExact) again.current = setTimeout(draw, reuseMs)
    if (!ring.current || at === -1) return
    const x = ((places[at * 2] as number) - view.current.x) * view.current.scale + width / 2
    const y = ((places[at * 2 + 1] as number) - view.current.y) * view.current.scale + height / 2
    ring.current.style.transform = `translate(${x}px, ${y}px)`
  }, [painting, places, at, width, height])

  const redraw = useCallback(() => {
    frameAsked.current ||= requestAnimationFrame(draw)
  }, [draw])

  useLayoutEffect(() => {
    if (!isMoved.current) view.current = fitView(places, { width, height })
    cancelAnimationFrame(frameAsked.current)
    draw()
  }, [draw, places, width, height])
  useEffect(
    () => () => {
      cancelAnimationFrame(frameAsked.current)
      clearTimeout(again.current)
    },
    [],
  )

  const move = (next: View) => {
    isMoved.current = true
    view.current = next
    redraw()
  }
  const keyAt = (x: number, y: number) => {
    const point = pointAt(view.current, { width, height }, x, y)
    const within = (radiusOf(view.current) + reach) / view.current.scale
    return scene.keys[recordAt(places, point.x, point.y, within)]
  }
  useGestures(canvas, {
    keyAt,
    pan: (dx, dy) => move(panBy(view.current, dx, dy)),
    zoom: (factor, x, y) => move(zoomAt(view.current, { width, height }, factor, x, y)),
    choose,
    open,
    drag(key, x, y) {
      line.current = { from: scene.indexes.get(key) as number, x, y }
      redraw()
    },
    drop(from, to) {
      line.current = undefined
      redraw()
      if (from !== undefined && to !== undefined && from !== to) connect(from, to)
    },
  })

  const zoom = (factor: number) =>
    move(zoomAt(view.current, { width, height }, factor, width / 2, height / 2))
  const fit = () => {
    isMoved.current = false
    view.current = fitView(places, { width, height })
    redraw()
  }
  const keys: Readonly<Record<string, () => void>> = {
    '+': () => zoom(zoomStep),
    '-': () => zoom(1 / zoomStep),
    '0': fit,
    Escape: () => choose(undefined),
    Enter: () => chosen !== undefined && open(chosen),
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const arrow = arrows[event.key]
    const action = keys[event.key]
    if (!arrow && !action) return
    event.preventDefault()
    action?.()
    if (!arrow) return
    const [dx, dy] = arrow
    if (event.shiftKey) move(panBy(view.current, -dx * panStep, -dy * panStep))
    else stepTo(dx, dy)
  }

  /** Selects the next record in a direction, and moves it onto the screen. */
  function stepTo(dx: number, dy: number): void {
    const next =
      at === -1
        ? recordAt(places, view.current.x, view.current.y, Infinity)
        : recordBeside(places, at, dx, dy)
    const key = scene.keys[next]
    if (key === undefined) return
    const x = ((places[next * 2] as number) - view.current.x) * view.current.scale
    const y = ((places[next * 2 + 1] as number) - view.current.y) * view.current.scale
    if (Math.abs(x) > width / 2 - reach || Math.abs(y) > height / 2 - reach)
      move({ ...view.current, x: places[next * 2] as number, y: places[next * 2 + 1] as number })
    choose(key)
  }

  return (
    <div ref={frame} className={styles.frame}>
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: keys move what the canvas shows */}
      <canvas
        ref={canvas}
        role="application"
        aria-label={label}
        aria-roledescription={texts.picture}
        tabIndex={0}
        className={styles.canvas}
        onKeyDown={onKeyDown}
        data-records={scene.keys.length}
        data-edges={scene.ids.length}
        data-placed={laid.isDone}
      />
      {at === -1 ? null : <div ref={ring} className={styles.ring} data-ring={chosen} />}
      <Stack gap={4} className={styles.tools}>
        <ActionIcon variant="default" size="lg" aria-label={texts.closer} onClick={() => zoom(zoomStep)}>
          +
        </ActionIcon>
        <ActionIcon variant="default" size="lg" aria-label={texts.farther} onClick={() => zoom(1 / zoomStep)}>
          −
        </ActionIcon>
        <ActionIcon variant="default" size="lg" aria-label={texts.whole} onClick={fit}>
          <svg width={14} height={14} viewBox="0 0 14 14" fill="none" stroke="currentColor" aria-hidden>
            <path d="M1 5V1h4M9 1h4v4M13 9v4H9M5 13H1V9" strokeWidth={1.6} />
          </svg>
        </ActionIcon>
      </Stack>
    </div>
  )
}
