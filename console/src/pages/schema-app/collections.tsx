/** The collections of a datasource in MongoDB, of which tables can be made. */
import { Anchor, Button, List, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem } from '../../shared/problem.tsx'
import { Waiting } from '../../shared/states.tsx'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { adoptCollection, collectionsQuery, refreshSchema } from '../schema/queries.ts'
import { schemaTexts } from '../schema/texts.ts'

interface Place {
  site: string
  app: string
  datasource: string
}

/** Lists the collections once they are asked for: the server of somebody else has to answer. */
export function Collections(place: Place) {
  const texts = useTexts(schemaTexts)
  const [isOpen, open] = useState(false)
  if (isOpen) return <OpenCollections {...place} />
  return (
    <Anchor component="button" type="button" size="sm" ml="xs" onClick={() => open(true)}>
      {texts.showCollections}
    </Anchor>
  )
}

function OpenCollections({ site, app, datasource }: Place) {
  const texts = useTexts(schemaTexts)
  const tell = useTell()
  const query = useQuery(collectionsQuery(site, app, datasource))
  const [findings, setFindings] = useState<readonly string[]>([])
  const adopt = useMutation({
    mutationFn: (collection: string) =>
      adoptCollection(site, app, { datasource, collection, name: tableNameOf(collection) }),
    async onSuccess(made) {
      await refreshSchema(site)
      setFindings(made.findings)
      tell(texts.collectionAdopted(made.name))
    },
  })
  return (
    <>
      <Waiting query={query} />
      <List size="sm">
        {query.data?.map(({ name, kind, documents, is_ours, datatable }) => (
          <List.Item key={name}>
            {name} {documents === null ? null : texts.documents(documents)}{' '}
            {datatable === null && !is_ours && kind === 'collection' ? (
              <Button
                size="compact-xs"
                variant="default"
                loading={adopt.isPending && adopt.variables === name}
                onClick={() => adopt.mutate(name)}
              >
                {texts.adoptCollection}
              </Button>
            ) : (
              datatable
            )}
          </List.Item>
        ))}
      </List>
      {adopt.error ? <Problem error={adopt.error} /> : null}
      {findings.length > 0 ? <Text size="sm">{texts.misfits}</Text> : null}
      <List size="sm">
        {findings.map((finding) => (
          <List.Item key={finding}>{finding}</List.Item>
        ))}
      </List>
    </>
  )
}

/** Returns the name of a collection in the form of names of tables. */
const tableNameOf = (collection: string): string =>
  collection
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[^a-z]+|_+$/g, '')
