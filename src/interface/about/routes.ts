/** The server about itself: versions, what it is made of, whether its parts work, and the system status. */

import { createIntegerParameter, createTextParameter } from '../../http/request/query.ts';
import type { Call, RouteTable } from '../../http/routes/route.ts';
import { selectPage } from '../../lib/text/page.ts';
import type { StatusContext } from '../../operations/identity/module-status.ts';
import type { Dialect } from '../common/dialects.ts';
import { family, get, list, type Services } from '../common/services.ts';
import { nodeListing } from './nodes-representation.ts';
import { manifestDocument, versionDocument } from './representation.ts';
import { moduleDocument, moduleListing } from './status-representation.ts';
import { systemStatusDocument } from './system-status-representation.ts';

const filters = {
  manifest: createTextParameter('Only resources whose whole name matches this regular expression.'),
  key: createTextParameter('Only resources with a property whose whole name matches this regular expression.'),
  value: createTextParameter(
    'Only resources with a property (that of `key`) whose whole value matches this regular expression.',
  ),
  from: createTextParameter('Only resources from this name on; needs `to`.'),
  to: createTextParameter('Only resources up to this name, which is included; needs `from`.'),
};

/** How often a browser loads the page again: as often as the machine is looked at. */
const REFRESH_SECONDS = 5;

export function aboutRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'About',
    {
      description: 'Which server this is, what it is made of, and whether its parts work.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'about',
    },
    [
      get(
        '/about/version',
        'Read the versions of the server and its components',
        { answers: versionDocument, query: filters, problems: ['regex-invalid'] },
        async ({ services, query }) => ({ resource: await services.operations.listVersions(query) }),
      ),

      list(
        '/about/manifest',
        'List what the server is made of',
        { answers: manifestDocument, query: filters, problems: ['regex-invalid'] },
        async ({ services, query }, page) => ({
          entries: selectPage(await services.operations.listManifest(query), manifestDocument.getName, page),
        }),
      ),

      list(
        '/about/status',
        'List the parts of the server and whether they work',
        { answers: moduleListing },
        async (call, page) => {
          const modules = await call.services.operations.modules.list(await createStatusContext(call));
          return { entries: selectPage(modules, moduleListing.getName, page) };
        },
      ),

      get(
        '/about/nodes',
        'Tell which servers work on the same storage',
        { answers: nodeListing },
        async ({ services }) => ({ resource: await services.operations.nodes.list() }),
      ),

      dialect.singleModule === 'list'
        ? get(
            '/about/status/:module',
            'Read whether one part works',
            { answers: moduleListing, problems: ['module-unknown'] },
            async (call) => ({
              resource: [
                await call.services.operations.modules.find(await createStatusContext(call), call.params.module),
              ],
            }),
          )
        : get(
            '/about/status/:module',
            'Read whether one part works',
            { answers: moduleDocument, problems: ['module-unknown'] },
            async (call) => ({
              resource: await call.services.operations.modules.find(
                await createStatusContext(call),
                call.params.module,
              ),
            }),
          ),
    ],
  );
}

/** A REST rule may let in others than administrators, who see their own workspaces only. */
async function createStatusContext({
  services: { catalog, access },
  principal,
}: Pick<Call<Services>, 'services' | 'principal'>): Promise<StatusContext> {
  const { administers } = await access.getPermissions(principal);
  return { catalog, administers };
}

export function systemStatusRoutes(): RouteTable<Services> {
  return family(
    'System status',
    {
      description: 'How the machine is, looked at every few seconds.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'systemStatus',
    },
    [
      get(
        '/about/system-status',
        'Read the metrics of the machine and of the server',
        {
          answers: systemStatusDocument,
          query: {
            refresh: createIntegerParameter('Seconds until a browser loads the page again; 0 for never.', 0, 3_600),
          },
        },
        async ({ services, query }) => ({
          resource: { ...services.operations.getSystemStatus(), refreshSeconds: query.refresh ?? REFRESH_SECONDS },
        }),
      ),
    ],
  );
}
