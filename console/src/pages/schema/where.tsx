/** The filter of an index or of an exclusion, as JSON. */
import { parseObject } from '../../shared/json-object.ts'
import { useTexts } from '../../texts/define.ts'
import { Committed } from './committed.tsx'
import { fieldsTexts } from './texts-fields.ts'

interface Filtered {
  where?: Readonly<Record<string, unknown>>
}

export function Where({ of, put }: { of: Filtered; put(part: Filtered): void }) {
  const texts = useTexts(fieldsTexts)
  return (
    <Committed
      label={texts.where}
      description={texts.whereText}
      mt="xs"
      value={of.where ? JSON.stringify(of.where) : ''}
      styles={{ input: { fontFamily: 'ui-monospace, monospace' } }}
      commit={(next) => {
        const where = parseObject(next)
        if (next.trim() === '') put({ where: undefined } as never)
        else if (where) put({ where })
      }}
    />
  )
}
