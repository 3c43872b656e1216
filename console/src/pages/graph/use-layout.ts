/** The positions of a scene's records, during and after the computation. */
import { useEffect, useRef, useState } from 'react'
import type { LayoutAnswer, LayoutTask } from './layout-worker.ts'
import { firstPlaces, type Places, type Scene } from './scene.ts'

/** A scene with the positions of its records. */
export interface Laid {
  scene: Scene
  places: Places
  /** Whether the positions are final. */
  isDone: boolean
}

/**
 * Computes the positions of a scene in a worker. Records of the previous scene start from their positions.
 */
export function useLayout(scene: Scene): Laid {
  const [laid, setLaid] = useState<Laid>(() => ({ scene, places: firstPlaces(scene), isDone: false }))
  const last = useRef<Laid | undefined>(undefined)
  useEffect(() => {
    const before = last.current
    const isChange = before !== undefined && before.scene.keys.length * 2 > scene.keys.length
    const places = firstPlaces(scene, before)
    const show = (next: Laid) => {
      last.current = next
      setLaid(next)
    }
    show({ scene, places, isDone: scene.keys.length === 0 })
    if (scene.keys.length === 0) return
    const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<LayoutAnswer>) => show({ scene, ...data })
    const task: LayoutTask = { places, ends: scene.ends, isChange }
    worker.postMessage(task)
    return () => worker.terminate()
  }, [scene])
  return laid
}
