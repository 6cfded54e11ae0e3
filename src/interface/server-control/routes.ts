/** The server control family: how much is logged, what is let go of, and the fonts there are. */
import { changeLogging, loggingSettings, readLogging } from '../../catalog/settings/logging-settings.ts';
import type { ListWriter } from '../../http/documents/listing.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { selectPage } from '../../lib/text/page.ts';
import { fontNames } from '../../styling/legend/canvas/canvas.ts';
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
      description: 'How much the server logs, what it lets go of, and what it draws letters with.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
    },
    [
      get('/logging', 'Read how much is logged', { answers: logging, versioned: true }, async ({ services }) => {
        const resource = await readLogging(services.catalog, services.inForce.startLevel);
        return { resource, version: resource.version };
      }),

      put('/logging', 'Change how much is logged', { takes: logging }, async (call) => {
        const { services, principal, body: draft, precondition } = call;
        const { startLevel } = services.inForce;
        const told = await changeLogging(services.catalog, principal, { draft, precondition, startLevel });
        await services.inForce.applyLogging();
        return told;
      }),

      ...(['POST', 'PUT'] as const).flatMap((method) => [
        act('/reset', 'Let go of the connections and files of all stores', { method }, async ({ services }) =>
          resetVectorData(services),
        ),
        act('/reload', 'Read anew what is kept, and let go of all stores', { method }, async ({ services }) => {
          resetVectorData(services);
          await services.inForce.applySettings();
        }),
      ]),

      list('/fonts', 'List the fonts', { answers: fontList, role: WORKSPACE_ADMINISTRATOR }, async (_call, page) => ({
        entries: selectPage(fontNames, fontList.getName, page),
      })),
    ],
  );
}

/** Whoever still reads keeps what is open; nobody has to wait for that. */
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
