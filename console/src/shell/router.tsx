/** The addresses of the console. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { places } from '../pages/places.ts'
import { Problem } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { Frame } from './frame.tsx'
import { NotFound } from './not-found.tsx'

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound })

const pages = places.map((place) =>
  createRoute({
    getParentRoute: () => root,
    path: place.path,
    component: lazyRouteComponent(place.load, 'Page'),
    staticData: { place },
  }),
)

/** All other addresses. Without this route, the router would match the first page of the site. */
const others = createRoute({ getParentRoute: () => root, path: '/$site/$', component: NotFound })

/** The router. Its only state is the address. */
export const router = createRouter({
  routeTree: root.addChildren([...pages, others]),
  basepath: '/console',
  trailingSlash: 'always',
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error, reset }) => <Problem error={error} retry={reset} />,
  scrollRestoration: true,
})
