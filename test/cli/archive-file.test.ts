/** The file of an archive: its format, and who can decrypt the secrets in it. */
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js'
import { afterAll, describe, expect, it } from 'vitest'
import { digesting, once, unpack } from '../../cli/src/site/archive/container.ts'
import { keyOf, readPublicKey, unbox } from '../../cli/src/site/archive/secret-box.ts'
import { openSink } from '../../dev/exporter/sinks.ts'
import { temporaryFolder } from '../../dev/temporary-folder.ts'
import { LinesDigest } from '../../src/operation/transfers/archive/lines-digest.ts'
import { box } from '../../src/operation/transfers/archive/secret-box.ts'
import { hostileNames, hostilePaths } from '../support/hostile-names.ts'

const root = temporaryFolder('archive-file')
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Writes an archive with these files. `listed` is the list of files in its manifest. */
async function archiveOf(
  name: string,
  files: Readonly<Record<string, string>>,
  listed?: Readonly<Record<string, string>>,
): Promise<string> {
  const path = join(root, name)
  const sink = digesting(openSink(path, false))
  for (const [file, text] of Object.entries(files)) await sink.write(file, once(text))
  const manifest = {
    format: 'tessera-site',
    version: 1,
    site: {},
    apps: [],
    files: listed ?? { ...sink.files },
  }
  await sink.write('site.json', once(JSON.stringify(manifest)))
  await sink.finish()
  return path
}

/** Writes a zip file with these names as they are, which the manifest lists. */
async function zipOf(
  files: Readonly<Record<string, string>>,
  apps: readonly unknown[] = [],
): Promise<string> {
  const zip = new ZipWriter(new BlobWriter(), { useWebWorkers: false })
  const digests: Record<string, string> = {}
  for (const [name, text] of Object.entries(files)) {
    const digest = new LinesDigest()
    digest.add(text)
    digests[name] = digest.end()
    await zip.add(name, new TextReader(text))
  }
  const manifest = { format: 'tessera-site', version: 1, site: {}, apps, files: digests }
  await zip.add('site.json', new TextReader(JSON.stringify(manifest)))
  const path = join(root, `${Math.random()}.zip`)
  writeFileSync(path, new Uint8Array(await (await zip.close()).arrayBuffer()))
  return path
}

describe('an archive', () => {
  it('is rejected without a manifest, or with a file that was changed, is missing, or is not in the manifest', async () => {
    const folder = join(root, 'refused')
    const none = join(root, 'none.zip')
    const sink = openSink(none, false)
    await sink.write('a.txt', once('a'))
    await sink.finish()
    await expect(unpack(none, folder, false)).rejects.toThrow('it is not an archive of a site')
    const digest = `1:${'0'.repeat(64)}`
    for (const [name, listed, message] of [
      ['changed.zip', { 'a.txt': digest }, 'a.txt in changed.zip is not as it was written.'],
      ['more.zip', {}, 'has a file that site.json does not name: "a.txt".'],
    ] as const)
      await expect(unpack(await archiveOf(name, { 'a.txt': 'a' }, listed), folder, false)).rejects.toThrow(
        message,
      )
    const missing = await archiveOf('missing.zip', {}, { 'b.txt': digest })
    await expect(unpack(missing, folder, false)).rejects.toThrow('missing.zip lacks b.txt.')
  })

  it.each(hostilePaths)('writes no file outside its folder: %j', async (path) => {
    const place = join(root, 'guarded', 'inside')
    mkdirSync(place, { recursive: true })
    const archive = await zipOf({ [path]: 'x' })
    await expect(unpack(archive, place, false)).rejects.toThrow(/cannot be that of a file|Unsafe filename/)
    expect(readdirSync(place, { recursive: true })).toEqual([])
    expect(readdirSync(join(root, 'guarded'))).toEqual(['inside'])
    const sink = openSink(join(root, 'sink'), false)
    await expect(sink.write(path, once('x'))).rejects.toThrow('cannot be that of a file.')
    await sink.discard()
  })

  it.each([...hostileNames, ['shop'], null, 5])('with an app of the name %j is rejected', async (app) => {
    const archive = await zipOf({}, [app])
    await expect(unpack(archive, join(root, 'named'), false)).rejects.toThrow('cannot be that of a file.')
    expect(existsSync(join(root, 'named'))).toBe(false)
  })

  it('is unpacked as it was written', async () => {
    const archive = await archiveOf('whole.zip', { 'data/a.jsonl': '{"a":1}\n{"a":2}\n' })
    const folder = join(root, 'whole')
    await unpack(archive, folder, false)
    expect(readFileSync(join(folder, 'data/a.jsonl'), 'utf8')).toBe('{"a":1}\n{"a":2}\n')
  })

  it('has digests that depend on everything except the order of lines', () => {
    const digestOf = (...parts: string[]) => {
      const digest = new LinesDigest()
      for (const part of parts) digest.add(part)
      return digest.end()
    }
    expect(digestOf('a\nb\n')).toBe(digestOf('b\n', 'a', '\n'))
    expect(
      new Set(['a\nb\n', 'a\n', 'ab\n', 'a\na\nb\n', 'a\nb\nb\n', ''].map((one) => digestOf(one))).size,
    ).toBe(6)
  })
})

describe('a secret in an archive', () => {
  const keys = async () => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
    return {
      publicKey: await keyOf('public', pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()),
      privateKey: await keyOf('private', pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    }
  }
  const head = { key: 'PAY', app: null, secret_type: 'api-key', tags: [] }

  it('needs an RSA key with 2,048 to 8,192 bits', () => {
    const file = join(root, 'short.pub')
    for (const pem of [
      generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ type: 'spki', format: 'pem' }),
      generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }),
      'no key',
    ]) {
      writeFileSync(file, pem)
      expect(() => readPublicKey(file)).toThrow('must be a public key of RSA in PEM, with 2048 to 8192 bits.')
    }
  })

  it('can be decrypted only with the private key, and only in its own place', async () => {
    const { publicKey, privateKey } = await keys()
    const boxed = await box(publicKey, head, '{"api_key":"CANARY"}')
    expect(JSON.stringify(boxed)).not.toContain('CANARY')
    expect(await unbox(privateKey, boxed)).toBe('{"api_key":"CANARY"}')
    for (const wrong of [
      { ...boxed, key: 'OTHER' },
      { ...boxed, app: 'shop' },
      { ...boxed, iv: boxed.value.slice(0, 16) },
    ])
      await expect(unbox(privateKey, wrong)).rejects.toThrow('does not decrypt with this private key.')
    await expect(unbox((await keys()).privateKey, boxed)).rejects.toThrow('does not decrypt')
  })
})
