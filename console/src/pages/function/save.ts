/** Changes a function, and loads the data that shows it again. */
import { useMutation } from '@tanstack/react-query'
import { queryClient, useSite } from '../../session/client.ts'
import { useTell } from '../../shared/tell.ts'
import { useTexts } from '../../texts/define.ts'
import { functionsOf } from '../functions/calls.ts'
import { functionTexts } from './texts.ts'

/** Returns the mutation that changes a function of an app. */
export function useSave(app: string, slug: string) {
  const texts = useTexts(functionTexts)
  const tell = useTell()
  const { site } = useSite()
  return useMutation({
    mutationFn: (changes: Readonly<Record<string, unknown>>) => functionsOf(site, app).update(slug, changes),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: [site, 'apps', app, 'functions'] })
      tell(texts.saved)
    },
  })
}
