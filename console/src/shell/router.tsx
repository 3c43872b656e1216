/** The addresses of the console. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { places } from '../pages/places.ts'
import { Problem } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { Frame } from './frame.tsx'
import { NotFound } from './not-found.tsx'

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound })

const pages = places.map(({ path, load }) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(load, 'Page'),
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
