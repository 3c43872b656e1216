/** `tessera sites export`, `import` and `copy`. docs/operate/tenants.md. */
import type { Command } from 'commander'
import { examples, lazyAction } from '../../command.ts'

/** Adds the commands to those of sites. */
export function addArchiveCommands(sites: Command): void {
  examples(
    sites
      .command('export <archive>')
      .description('write the site into one zip file: apps, rules, records, edges, functions, secrets')
      .option('--no-rows', 'leave the records and edges out')
      .option('--secrets-for <file>', 'a public key of RSA in PEM: export the secrets, encrypted with it')
      .option('--replace', 'write over an earlier archive')
      .action(lazyAction(async () => (await import('./run.ts')).save)),
    'tessera sites export shop.zip --site shop',
    'tessera sites export shop.zip --site shop --secrets-for recovery.pub',
  )
  examples(
    sites
      .command('import <archive>')
      .description('create a site of an archive, also in another database')
      .requiredOption('--organization <slug>', 'the organization that it will belong to')
      .option('--slug <slug>', 'its slug; default that of the archive')
      .option('--name <name>', 'its name; default that of the archive')
      .option('--secrets-key <file>', 'the private key in PEM that decrypts the secrets')
      .option('--resume', 'go on where an interrupted import stopped')
      .action(lazyAction(async () => (await import('./run.ts')).restore)),
    'tessera sites import shop.zip --organization tidewater',
    'tessera sites import shop.zip --organization tidewater --slug shop-2 --secrets-key recovery.key',
  )
  examples(
    sites
      .command('copy <slug>')
      .description('create a site as a copy of another one of the same organization')
      .requiredOption('--organization <slug>', 'the organization that both belong to')
      .option('--name <name>', 'its name; default that of the site')
      .option('--rows', 'copy the records and edges, too')
      .option('--secrets', 'copy the secrets, too')
      .action(lazyAction(async () => (await import('./run.ts')).copy)),
    'tessera sites copy shop-preview --site shop --organization tidewater',
    'tessera sites copy shop-preview --site shop --organization tidewater --rows --secrets',
  )
}
