/**
 * Detects changes of files below folders, no matter how an editor saves them. It watches folders instead of
 * files: an editor may save by renaming another file to the name, and a watch on the old file would not
 * notice.
 */
import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { basename, dirname, join } from 'node:path'

export interface FolderWatch {
  stop(): void
}

/**
 * Calls `act` when something below one of the folders has changed. `fail` gets the reason if a folder cannot
 * be watched.
 */
export function watchFolders(
  folders: readonly string[],
  act: () => void,
  fail: (error: Error) => void,
): FolderWatch {
  return process.platform === 'linux' ? watchEachFolder(folders, act, fail) : watchTrees(folders, act, fail)
}

/** macOS and Windows watch a folder with everything below it. */
function watchTrees(folders: readonly string[], act: () => void, fail: (error: Error) => void): FolderWatch {
  const watchers = folders.map((folder) => watch(folder, { recursive: true }, act).on('error', fail))
  return { stop: () => watchers.forEach((watcher) => void watcher.close()) }
}

/**
 * Linux watches one folder at a time. Node's own recursive watch watches each file, which has the problem
 * above.
 */
function watchEachFolder(
  folders: readonly string[],
  act: () => void,
  fail: (error: Error) => void,
): FolderWatch {
  const watchers = new Map<string, FSWatcher>()

  function drop(path: string): void {
    for (const [watched, watcher] of watchers) {
      if (watched !== path && !watched.startsWith(`${path}/`)) continue
      watcher.close()
      watchers.delete(watched)
    }
  }

  function add(path: string): void {
    const entries = readFolder(path)
    if (!entries || watchers.has(path)) return
    try {
      const watcher = watch(path, (event, name) => {
        // A folder was moved or created: another one may have its name now.
        if (event === 'rename' && name) {
          drop(join(path, name))
          add(join(path, name))
        }
        act()
      })
      watchers.set(path, watcher)
      watcher.on('error', () => drop(path))
    } catch (error) {
      fail(error as Error)
    }
    for (const entry of entries) if (entry.isDirectory()) add(join(path, entry.name))
  }

  for (const folder of folders) add(folder)
  // The folders themselves may be moved and created again, too.
  const names = new Set(folders.map((folder) => basename(folder)))
  const parents = [...new Set(folders.map((folder) => dirname(folder)))].map((parent) =>
    watch(parent, (event, name) => {
      if (event !== 'rename' || !name || !names.has(name)) return
      drop(join(parent, name))
      add(join(parent, name))
      act()
    }),
  )
  return {
    stop() {
      for (const folder of folders) drop(folder)
      for (const parent of parents) parent.close()
    },
  }
}

/** Returns undefined if it is not a folder. */
function readFolder(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch {
    return undefined
  }
}
