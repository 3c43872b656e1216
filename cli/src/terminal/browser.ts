/** Opens an address in the browser of the person at the terminal. */
import { spawn } from 'node:child_process'

type Environment = Readonly<Record<string, string | undefined>>

/** Returns whether the person at the terminal would see a browser. */
export function hasDisplay(
  environment: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const { SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY } = environment
  if (SSH_CONNECTION) return false
  return platform === 'darwin' || platform === 'win32' || Boolean(DISPLAY || WAYLAND_DISPLAY)
}

/**
 * The program that opens an address, by system. The address is one argument, and never goes through a shell.
 */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens an address. Returns whether a program could be started. */
export function openInBrowser(address: URL): Promise<boolean> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  return new Promise((done) => {
    const child = spawn(program, [...args, address.href], { stdio: 'ignore', detached: true })
    child.once('error', () => done(false))
    child.once('spawn', () => {
      child.unref()
      done(true)
    })
  })
}
