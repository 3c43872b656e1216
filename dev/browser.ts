/**
 * `npm run test:browser`: tests the pages in a real browser, with screenshots in .tessera/screenshots.
 * CHROMIUM is the path of the browser; without it, one is searched on the machine.
 */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runVitest } from './packaged-tests.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const folders = (process.env.PATH ?? '').split(delimiter)
const places = [
  ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const chromium = [process.env.CHROMIUM || [], places].flat().find(isProgram)

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

if (chromium === undefined) {
  console.error(
    'No browser was found, so no page was tested. Install Chromium (Debian: apt-get install chromium), or name one: CHROMIUM=/path/to/chromium',
  )
  process.exitCode = 1
} else runVitest('browser', { CHROMIUM: chromium })
