/** `tessera open`: opens the pages of a service in the browser. */
import { Argument, type Command } from 'commander'
import { action, examples } from '../command.ts'
import type { Context } from '../context.ts'
import { hasDisplay, openInBrowser } from '../terminal/browser.ts'

/** The pages by name. The pages of a site are below its path, unless the address is that of the site. */
const pages: Readonly<Record<string, { path: string; isOfSite: boolean }>> = {
  console: { path: '/console/', isOfSite: false },
  reference: { path: '/api/docs/', isOfSite: true },
  docs: { path: '/docs/', isOfSite: false },
  login: { path: '/accounts/login/', isOfSite: true },
}

/** Adds the command to the program. */
export function addOpenCommand(program: Command): void {
  examples(
    program
      .command('open')
      .description('open a page of the service, and print its address')
      .addArgument(new Argument('[page]', 'the page').choices(Object.keys(pages)).default('console'))
      .action(action(open)),
    'tessera open',
    'tessera open reference --site tidewater-shop',
  )
}

async function open({ output, target }: Context, _options: object, page: string): Promise<void> {
  const { path, isOfSite } = pages[page] as { path: string; isOfSite: boolean }
  const mount = isOfSite && target.site !== undefined ? `/sites/${encodeURIComponent(target.site)}` : ''
  const address = new URL(`${target.url}${mount}${path}`)
  const opened = hasDisplay() && !output.isJson && (await openInBrowser(address))
  output.result({ address: address.href, opened }, () => output.line(address.href))
}
