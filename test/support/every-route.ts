/** The route tables for tests that cover every route, including new families. */

import { type DocumentRoute, findAccepted } from '../../src/http/routes/route.ts';
import { type DialectName, dialects } from '../../src/interface/common/dialects.ts';
import type { Services } from '../../src/interface/common/services.ts';
import { createRouteFamilies } from '../../src/interface/route-families.ts';

export interface WalkedRoute {
  readonly route: DocumentRoute<Services>;
  readonly method: string;
  /** The path below the REST root, with this name in place of every variable. */
  path(name: string): string;
}

/** Every operation below the REST root. */
export function everyRoute(dialect: DialectName = 'graticule'): readonly WalkedRoute[] {
  return createRouteFamilies(dialects[dialect], '0')
    .flatMap((table) => table.routes)
    .map((route) => ({
      route,
      method: route.method,
      path: (name) => route.path.replace(/[:*]\w+/g, () => encodeURIComponent(name)),
    }));
}

/** The operations that read a document from the body. */
export function everyDocumentRoute(): readonly WalkedRoute[] {
  return everyRoute().filter(({ route }) => {
    const accepted = findAccepted(route);
    return accepted !== undefined && 'document' in accepted;
  });
}
