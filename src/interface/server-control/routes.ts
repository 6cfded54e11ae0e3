/** Routes for server control: logging, cache reset and fonts. */
import { changeLogging, loggingSettings, readLogging } from '../../catalog/settings/logging-settings.ts';
import type { ListWriter } from '../../http/documents/listing.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { selectPage } from '../../lib/text/page.ts';
import { getFontRegistry } from '../../styling/fonts/font-registry.ts';
import type { Dialect } from '../common/dialects.ts';
import { act, family, get, list, put, type Services } from '../common/services.ts';
import { createSettingsDocument, getEmptySection } from '../settings/setting-document.ts';

export function serverControlRoutes(dialect: Dialect): RouteTable<Services> {
  const logging = createSettingsDocument('logging', loggingSettings, {
    title: () => 'Logging',
    empty: getEmptySection(dialect),
  });
  return family(
    'Server control',
    {
      description: 'Logging, cache reset and fonts.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
    },
    [
      get('/logging', 'Read the logging settings', { returns: logging, versioned: true }, async ({ services }) => {
        const resource = await readLogging(services.catalog, services.inForce.startLevel);
        return { resource, version: resource.version };
      }),

      put('/logging', 'Change the logging settings', { accepts: logging }, async (call) => {
        const { services, principal, body: draft, precondition } = call;
        const { startLevel } = services.inForce;
        const changed = await changeLogging(services.catalog, principal, { draft, precondition, startLevel });
        await services.inForce.applyLogging();
        return changed;
      }),

      ...(['POST', 'PUT'] as const).flatMap((method) => [
        act('/reset', 'Close the connections and files of all stores', { method }, async ({ services }) =>
          resetVectorData(services),
        ),
        act(
          '/reload',
          'Reload the configuration, and close the connections and files of all stores',
          { method },
          async ({ services }) => {
            resetVectorData(services);
            await services.inForce.applySettings();
          },
        ),
      ]),

      list('/fonts', 'List the fonts', { returns: fontList, role: WORKSPACE_ADMINISTRATOR }, async (_call, page) => ({
        entries: selectPage(listFontNames(), fontList.getName, page),
      })),
    ],
  );
}

function listFontNames(): readonly string[] {
  return [...new Set(getFontRegistry().faces.map(({ fullName }) => fullName))].sort();
}

/** Running readers keep their connections; the reset does not wait for them. */
function resetVectorData({ vectorData }: Services): void {
  void vectorData.resetAll();
}

const fontList: ListWriter<string, readonly string[]> = {
  root: 'root',
  getName: String,
  schemaName: 'fonts',
  schema: {
    type: 'object',
    properties: { fonts: { type: 'array', items: { type: 'string' } } },
    required: ['fonts'],
  },
  write: (names) => ({
    root: 'root',
    json: { root: null },
    node: {
      kind: 'object',
      members: [
        {
          name: 'fonts',
          node: {
            kind: 'sequence',
            members: names.map((name) => ({ name: 'entry', node: { kind: 'value', value: name } })),
          },
        },
      ],
    },
    title: 'Fonts',
  }),
};
