/** The first page of a reference: all operations by chapters, and the references of the apps. */
import { Frame } from '../../../kernel/page/frame.tsx'
import { groupsOf, type ShownChapter } from '../operations.ts'
import { anchorOf, Contents } from './contents.tsx'
import {
  documentAddress,
  operationAddress,
  type ReferencePlace,
  referenceAddress,
  signInAddress,
} from './place.ts'
import { Text } from './text.tsx'

interface OverviewProps {
  place: ReferencePlace
  description: string
  chapters: readonly ShownChapter[]
}

/** The first page of a reference. */
export const Overview = ({ place, description, chapters }: OverviewProps) => (
  <Frame title={place.title} contents={<Contents place={place} chapters={chapters} />}>
    <h1>{place.title}</h1>
    {place.app === undefined ? <Text text={description} /> : null}
    <p>
      <a href={documentAddress(place)}>The OpenAPI document</a>, for generated clients.
    </p>
    <Apps place={place} />
    {place.app === undefined ? (
      groupsOf(chapters).map((group) => (
        <>
          <h2>{group.title}</h2>
          <p>
            Guide: <a href={group.guide}>{group.title}</a>
          </p>
          {group.chapters.map((chapter) => (
            <Chapter place={place} chapter={chapter} />
          ))}
        </>
      ))
    ) : (
      <>
        <h2>Tables</h2>
        {chapters.map((chapter) => (
          <Chapter place={place} chapter={chapter} />
        ))}
      </>
    )}
  </Frame>
)

const Apps = ({ place: { mount, app, reader } }: { place: ReferencePlace }) => {
  if (app !== undefined) return null
  if (!reader)
    return (
      <p class="note">
        <a href={signInAddress(mount, referenceAddress(mount))}>Sign in</a> to try operations here, and to see
        the references of your apps: their own tables, fields and filters.
      </p>
    )
  return (
    <>
      <h2>Your apps</h2>
      {reader.apps.length === 0 ? (
        <p>
          You may see no apps at this address. <a href="/">Your sites</a> are on the start page.
        </p>
      ) : (
        <ul class="cards">
          {reader.apps.map(({ slug, name }) => (
            <li>
              <a href={referenceAddress(mount, slug)}>{name}</a>
              <p>Its tables, with their fields and filters</p>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const Chapter = ({ place, chapter }: { place: ReferencePlace; chapter: ShownChapter }) => (
  <section>
    <h3 id={anchorOf(chapter)}>{chapter.name}</h3>
    <Text text={chapter.description} />
    <ul class="operations">
      {chapter.operations.map(({ operationId, method, path, summary }) => (
        <li>
          <a href={operationAddress(place, operationId)}>{summary}</a>
          <code class="address">
            <b>{method}</b> {path}
          </code>
        </li>
      ))}
    </ul>
  </section>
)
