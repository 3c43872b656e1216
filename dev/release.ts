/**
 * `npm run release:keep`: keeps this version as the previous release, for the tests of upgrades.
 * docs/operate/upgrade.md.
 */
import { keepRelease } from './release/kept-release.ts'

const { commit, bytes } = await keepRelease()
console.log(`Kept ${commit ?? 'this version'} in test/release, ${Math.ceil(bytes / 1024)} KiB.`)
