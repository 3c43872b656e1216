/** The addresses of the console. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import type { Place } from '../pages/define-place.ts'
import { places } from '../pages/places.ts'
import { Problem } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { usePlaceTitle } from './document-title.ts'
import { Frame } from './frame.tsx'
import { NotFound } from './not-found.tsx'

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound })

/** Loads the page at a place. It sets the title of the document. */
async function loadPage(place: Place) {
  const { Page } = await place.load()
  return {
    Page() {
      usePlaceTitle(place)
      return <Page />
    },
  }
}

const pages = places.map((place) =>
  createRoute({
    getParentRoute: () => root,
    path: place.path,
    component: lazyRouteComponent(() => loadPage(place), 'Page'),
  }),
)

/** The router. Its only state is the address. */
export const router = createRouter({
  routeTree: root.addChildren(pages),
  basepath: '/console',
  trailingSlash: 'always',
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) => <Problem error={error} retry={reset} />,
  scrollRestoration: true,
})
