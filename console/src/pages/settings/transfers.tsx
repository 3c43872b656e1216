/** Copies and archives of a site: a form to start each, with the running transfer above them. */
import { Button, Checkbox, FileInput, Paper, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, type PropsWithChildren, useState } from 'react'
import { queryClient } from '../../session/client.ts'
import { sitesQuery } from '../../session/queries.ts'
import { messagesOf, Problem } from '../../shared/problem.tsx'
import { useTexts } from '../../texts/define.ts'
import { shellTexts } from '../../texts/shell.ts'
import { transferTexts } from './texts-transfers.ts'
import { beginCopy, beginExport, beginImport, type Transfer, transferQuery } from './transfer-calls.ts'
import { Progress } from './transfer-progress.tsx'

/** Shows the forms. The started transfer is in the address, so that it can be found again. */
export function Transfers({ site }: { site: string }) {
  const navigate = useNavigate()
  const { transfer } = useSearch({ strict: false }) as { transfer?: string }
  const follow = (begun: Transfer) => {
    queryClient.setQueryData(transferQuery(begun.id).queryKey, begun)
    void navigate({ to: '.', search: { part: 'transfers', transfer: begun.id } as never })
  }
  return (
    <Stack maw={720}>
      {transfer ? <Progress key={transfer} id={transfer} /> : null}
      <Copy site={site} follow={follow} />
      <Export site={site} follow={follow} />
      <Import site={site} follow={follow} />
    </Stack>
  )
}

interface FormProps {
  site: string
  follow: (begun: Transfer) => void
}

interface PartProps {
  title: string
  hint: string
  button: string
  begin: { mutate: () => void; isPending: boolean; error: unknown }
  isReady?: boolean
}

function Part({ title, hint, button, begin, isReady = true, children }: PropsWithChildren<PartProps>) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    begin.mutate()
  }
  return (
    <Paper component="section" aria-label={title} withBorder p="md">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text size="sm" className="muted" mb="xs">
        {hint}
      </Text>
      <form onSubmit={submit}>
        <Stack gap="xs" align="start">
          {children}
          <Button type="submit" loading={begin.isPending} disabled={!isReady}>
            {button}
          </Button>
        </Stack>
      </form>
      {begin.error ? <Problem error={begin.error} except={['slug']} /> : null}
    </Paper>
  )
}

/** The field with the slug of the new site, and its error. */
function Slug({ value, change, error }: { value: string; change: (next: string) => void; error: unknown }) {
  const texts = useTexts(transferTexts)
  const { noAnswer } = useTexts(shellTexts)
  return (
    <TextInput
      label={texts.slug}
      description={texts.slugHint}
      value={value}
      onChange={(event) => change(event.currentTarget.value.trim())}
      error={error ? messagesOf(error, noAnswer).slug?.join(' ') : undefined}
      required
    />
  )
}

function Copy({ site, follow }: FormProps) {
  const texts = useTexts(transferTexts)
  const [slug, setSlug] = useState('')
  const [rows, setRows] = useState(true)
  const [secrets, setSecrets] = useState(false)
  const begin = useMutation({ mutationFn: () => beginCopy(site, { slug, rows, secrets }), onSuccess: follow })
  return (
    <Part title={texts.copy} hint={texts.copyHint} button={texts.copyNow} begin={begin}>
      <Slug value={slug} change={setSlug} error={begin.error} />
      <Checkbox
        label={texts.rows}
        checked={rows}
        onChange={(event) => setRows(event.currentTarget.checked)}
      />
      <Checkbox
        label={texts.secrets}
        checked={secrets}
        onChange={(event) => setSecrets(event.currentTarget.checked)}
      />
    </Part>
  )
}

function Export({ site, follow }: FormProps) {
  const texts = useTexts(transferTexts)
  const [rows, setRows] = useState(true)
  const [key, setKey] = useState('')
  const begin = useMutation({ mutationFn: () => beginExport(site, rows, key.trim()), onSuccess: follow })
  return (
    <Part title={texts.export} hint={texts.exportHint} button={texts.exportNow} begin={begin}>
      <Checkbox
        label={texts.rows}
        checked={rows}
        onChange={(event) => setRows(event.currentTarget.checked)}
      />
      <Pem label={texts.publicKey} value={key} change={setKey} />
    </Part>
  )
}

function Import({ site, follow }: FormProps) {
  const texts = useTexts(transferTexts)
  const sites = useQuery(sitesQuery(site))
  const organization = sites.data?.results.find(({ slug }) => slug === site)?.organization.slug
  const [archive, setArchive] = useState<File | null>(null)
  const [slug, setSlug] = useState('')
  const [privateKey, setPrivateKey] = useState('')
  const [share, setShare] = useState(0)
  const begin = useMutation({
    mutationFn: () =>
      beginImport(
        organization ?? '',
        archive ?? new Blob(),
        { slug, privateKey: privateKey.trim() },
        setShare,
      ),
    onSuccess: follow,
  })
  return (
    <Part
      title={texts.import}
      hint={texts.importHint}
      button={texts.importNow}
      begin={begin}
      isReady={archive !== null && organization !== undefined}
    >
      <FileInput label={texts.archive} accept=".zip" value={archive} onChange={setArchive} required w={300} />
      <Slug value={slug} change={setSlug} error={begin.error} />
      <Pem label={texts.privateKey} value={privateKey} change={setPrivateKey} />
      {begin.isPending ? (
        <Text size="sm" role="status">
          {texts.sent(share)}
        </Text>
      ) : null}
    </Part>
  )
}

const Pem = ({ label, value, change }: { label: string; value: string; change: (next: string) => void }) => (
  <Textarea
    label={label}
    value={value}
    onChange={(event) => change(event.currentTarget.value)}
    autosize
    minRows={2}
    maxRows={8}
    spellCheck={false}
    autoComplete="off"
    w="100%"
  />
)
