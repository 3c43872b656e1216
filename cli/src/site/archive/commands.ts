/** `tessera sites export`, `import` and `copy`. docs/operate/tenants.md. */
import type { Command } from 'commander'
import { examples, lazyAction } from '../../command.ts'

const activating = 'let the site act at once, with the environment of its source, instead of a paused preview'

/** Adds these commands to the group of site commands. */
export function addArchiveCommands(sites: Command): void {
  examples(
    sites
      .command('export <archive>')
      .description('export the site to one zip file: apps, rules, records, edges, functions, secrets')
      .option('--no-rows', 'omit records and edges')
      .option('--secrets-for <file>', 'an RSA public key in PEM, to export the secrets encrypted with it')
      .option('--replace', 'overwrite an earlier archive')
      .option('--by-service', 'let the service write it, including signing secrets and headers of functions')
      .action(lazyAction(async () => (await import('./run.ts')).save)),
    'tessera sites export shop.zip --site shop',
    'tessera sites export shop.zip --site shop --secrets-for recovery.pub',
  )
  examples(
    sites
      .command('import <archive>')
      .description('create a site of an archive, also in another database')
      .requiredOption('--organization <slug>', 'the organization of the new site')
      .option('--slug <slug>', 'its slug; default that of the archive')
      .option('--name <name>', 'its name; default that of the archive')
      .option('--secrets-key <file>', 'the private key in PEM that decrypts the secrets')
      .option('--resume', 'continue an interrupted import')
      .option('--activate', activating)
      .option('--by-service', 'send the archive to the service, which creates the site')
      .action(lazyAction(async () => (await import('./run.ts')).restore)),
    'tessera sites import shop.zip --organization tidewater',
    'tessera sites import shop.zip --organization tidewater --slug shop-2 --secrets-key recovery.key',
  )
  examples(
    sites
      .command('copy <slug>')
      .description('create a site as a copy of another one of the same organization')
      .option('--name <name>', 'its name; default its slug')
      .option('--rows', 'also copy records and edges')
      .option('--secrets', 'also copy secrets')
      .option('--activate', activating)
      .action(lazyAction(async () => (await import('./run.ts')).copy)),
    'tessera sites copy shop-preview --site shop',
    'tessera sites copy shop-preview --site shop --rows --secrets',
  )
}
