/** Routes about the server itself: versions, manifest, module status and system status. */

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
  manifest: createTextParameter('Return only resources whose whole name matches this regular expression.'),
  key: createTextParameter('Return only resources with a property whose whole name matches this regular expression.'),
  value: createTextParameter(
    'Return only resources with a property (the one in `key`, if given) whose whole value matches this regular expression.',
  ),
  from: createTextParameter('First name of the range. Requires `to`.'),
  to: createTextParameter('Last name of the range, inclusive. Requires `from`.'),
};

/** Default reload interval of the page; equals the sampling interval of the metrics. */
const REFRESH_SECONDS = 5;

export function aboutRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'About',
    {
      description: 'Server version, components and module status.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'about',
    },
    [
      get(
        '/about/version',
        'Read the versions of the server and its components',
        { returns: versionDocument, query: filters, problems: ['regex-invalid'] },
        async ({ services, query }) => ({ resource: await services.operations.listVersions(query) }),
      ),

      list(
        '/about/manifest',
        'List the components of the server',
        { returns: manifestDocument, query: filters, problems: ['regex-invalid'] },
        async ({ services, query }, page) => ({
          entries: selectPage(await services.operations.listManifest(query), manifestDocument.getName, page),
        }),
      ),

      list(
        '/about/status',
        'List the modules of the server and their status',
        { returns: moduleListing },
        async (call, page) => {
          const modules = await call.services.operations.modules.list(await createStatusContext(call));
          return { entries: selectPage(modules, moduleListing.getName, page) };
        },
      ),

      get('/about/nodes', 'List the nodes that share this storage', { returns: nodeListing }, async ({ services }) => ({
        resource: await services.operations.nodes.list(),
      })),

      dialect.singleModule === 'list'
        ? get(
            '/about/status/:module',
            'Read the status of one module',
            { returns: moduleListing, problems: ['module-unknown'] },
            async (call) => ({
              resource: [
                await call.services.operations.modules.find(await createStatusContext(call), call.params.module),
              ],
            }),
          )
        : get(
            '/about/status/:module',
            'Read the status of one module',
            { returns: moduleDocument, problems: ['module-unknown'] },
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

/** A REST rule can admit users who are not administrators; they see only their own workspaces. */
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
      description: 'Metrics of the machine, sampled every few seconds.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'systemStatus',
    },
    [
      get(
        '/about/system-status',
        'Read the metrics of the machine and the server',
        {
          returns: systemStatusDocument,
          query: {
            refresh: createIntegerParameter(
              'Interval in seconds after which a browser reloads the page; 0 disables reloading.',
              0,
              3_600,
            ),
          },
        },
        async ({ services, query }) => ({
          resource: { ...services.operations.getSystemStatus(), refreshSeconds: query.refresh ?? REFRESH_SECONDS },
        }),
      ),
    ],
  );
}
