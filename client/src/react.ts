/** Hooks for React: `tessera-client/react`. */
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import type { Live, LiveState } from './live/source.ts'

const nothing: LiveState<never> = { list: undefined, error: undefined }

/**
 * Follows a list while the component is shown. `follow` makes it, for example `() => db.app('shop').orders.live()`;
 * it is made again when one of `dependencies` changes.
 */
export function useLive<List>(
  follow: () => Live<List>,
  dependencies: readonly unknown[] = [],
): LiveState<List> {
  const live = useMemo(follow, dependencies)
  const subscribe = useCallback((listener: () => void) => live.subscribe(listener), [live])
  return useSyncExternalStore(subscribe, live.state, () => nothing)
}
