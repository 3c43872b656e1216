/** The texts of copies, exports and imports of sites. */
import { defineTexts } from '../../texts/define.ts'
import type { Transfer } from './transfer-calls.ts'

type Counts = Pick<Transfer['progress'], 'records' | 'edges' | 'secrets'>

/** The texts of copies, exports and imports of sites. */
export const transferTexts = defineTexts({
  en: {
    copy: 'Copy this site',
    copyHint: 'Creates a site with the same apps, tables, rules, functions and subscriptions.',
    copyNow: 'Copy',
    slug: 'Slug of the new site',
    slugHint: 'Part of its address.',
    rows: 'With records and edges',
    secrets: 'With secrets',
    export: 'Export this site',
    exportHint: 'Writes the site to a zip file, which you can download for three days.',
    exportNow: 'Export',
    publicKey: 'Public key (PEM) for the secrets. Empty: the archive contains no secrets.',
    import: 'Create a site from an archive',
    importHint:
      'Creates another site of the same organization. The site answers requests once everything is in it.',
    importNow: 'Import',
    archive: 'Archive, a zip file',
    privateKey: 'Private key (PEM) for the secrets. Empty: secrets are not imported.',
    sent: (share: number) => `${Math.round(share * 100)} % of the archive is sent.`,
    progress: 'Progress',
    kinds: { copy: 'Copy', export: 'Export', import: 'Import' } as Record<Transfer['kind'], string>,
    states: {
      uploading: 'Waiting for the archive.',
      running: 'In progress.',
      done: 'Completed.',
      failed: 'Failed.',
      cancelled: 'Cancelled.',
    } as Record<Transfer['state'], string>,
    steps: (done: number, total: number | null) =>
      total === null ? `${done} steps.` : `${done} of ${total} steps.`,
    counts: ({ records, edges, secrets }: Counts) =>
      `Records: ${records}, edges: ${edges}, secrets: ${secrets}.`,
    cancel: 'Cancel the transfer',
    download: 'Download the archive',
    open: (site: string) => `Open ${site}`,
  },
  de: {
    copy: 'Diese Site kopieren',
    copyHint: 'Legt eine Site mit denselben Apps, Tabellen, Regeln, Funktionen und Abonnements an.',
    copyNow: 'Kopieren',
    slug: 'Slug der neuen Site',
    slugHint: 'Teil ihrer Adresse.',
    rows: 'Mit Datensätzen und Kanten',
    secrets: 'Mit Geheimnissen',
    export: 'Diese Site exportieren',
    exportHint: 'Schreibt die Site in eine Zip-Datei, die drei Tage lang geladen werden kann.',
    exportNow: 'Exportieren',
    publicKey: 'Öffentlicher Schlüssel (PEM) für die Geheimnisse. Leer: Sie bleiben weg.',
    import: 'Site aus einem Archiv anlegen',
    importHint: 'Legt eine weitere Site derselben Organisation an. Sie antwortet, wenn alles darin ist.',
    importNow: 'Importieren',
    archive: 'Archiv, eine Zip-Datei',
    privateKey: 'Privater Schlüssel (PEM) für die Geheimnisse. Leer: Sie bleiben weg.',
    sent: (share: number) => `${Math.round(share * 100)} % des Archivs sind gesendet.`,
    progress: 'Fortschritt',
    kinds: { copy: 'Kopie', export: 'Export', import: 'Import' },
    states: {
      uploading: 'Das Archiv fehlt noch.',
      running: 'Läuft.',
      done: 'Fertig.',
      failed: 'Gescheitert.',
      cancelled: 'Abgebrochen.',
    },
    steps: (done: number, total: number | null) =>
      total === null ? `${done} Schritte.` : `${done} von ${total} Schritten.`,
    counts: ({ records, edges, secrets }: Counts) =>
      `Datensätze: ${records}, Kanten: ${edges}, Geheimnisse: ${secrets}.`,
    cancel: 'Übertragung abbrechen',
    download: 'Archiv laden',
    open: (site: string) => `${site} öffnen`,
  },
})
