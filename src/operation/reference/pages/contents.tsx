/**
 * The navigation of the reference: its chapters, below the pages of the documentation to which they belong.
 */
import { groupsOf, type ShownChapter, type ShownOperation } from '../operations.ts'
import { operationAddress, type ReferencePlace, referenceAddress } from './place.ts'

interface ContentsProps {
  place: ReferencePlace
  chapters: readonly ShownChapter[]
  /** The chapter whose operations are listed. */
  current?: ShownChapter | undefined
  /** The operation that is shown. */
  shown?: ShownOperation | undefined
}

/** Returns the anchor of a chapter on the first page of a reference. */
export const anchorOf = ({ name }: ShownChapter): string => name.toLowerCase().replace(/[^\w]+/g, '-')

/** Lists the chapters. Operations are listed only for the current chapter. */
export const Contents = ({ place, chapters, current, shown }: ContentsProps) => (
  <nav id="contents" aria-label="Contents">
    {place.app === undefined ? (
      groupsOf(chapters).map((group) => (
        <section>
          <h2>{group.title}</h2>
          <Chapters place={place} chapters={group.chapters} current={current} shown={shown} />
        </section>
      ))
    ) : (
      <section>
        <h2>Tables</h2>
        <Chapters place={place} chapters={chapters} current={current} shown={shown} />
      </section>
    )}
    <Apps place={place} />
  </nav>
)

const Chapters = ({ place, chapters, current, shown }: ContentsProps) => (
  <ul>
    {chapters.map((chapter) => (
      <li>
        <a href={`${referenceAddress(place.mount, place.app)}#${anchorOf(chapter)}`}>{chapter.name}</a>
        {chapter === current ? (
          <ul>
            {chapter.operations.map((operation) => (
              <li>
                <a
                  href={operationAddress(place, operation.operationId)}
                  {...(operation === shown ? { 'aria-current': 'page' } : {})}
                >
                  {operation.summary}
                </a>
              </li>
            ))}
          </ul>
        ) : null}
      </li>
    ))}
  </ul>
)

const Apps = ({ place: { mount, app, reader } }: { place: ReferencePlace }) => (
  <section>
    <h2>References</h2>
    <ul>
      {app === undefined ? null : (
        <li>
          <a href={referenceAddress(mount)}>The whole API</a>
        </li>
      )}
      {(reader?.apps ?? []).map(({ slug, name }) => (
        <li>
          <a href={referenceAddress(mount, slug)}>The app {name}</a>
        </li>
      ))}
      <li>
        <a href="/docs/guide/queries/">How to filter</a>
      </li>
    </ul>
  </section>
)
