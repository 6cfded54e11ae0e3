/** Routes for server control: logging, cache reset and fonts. */
import { deleteFont, postFont, putFont } from '../../catalog/resource-files/font-files.ts';
import { changeLogging, loggingSettings, readLogging } from '../../catalog/settings/logging-settings.ts';
import type { ListWriter } from '../../http/documents/listing.ts';
import { createTextParameter } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { selectPage } from '../../lib/text/page.ts';
import { listFaceNames } from '../../styling/fonts/font-file.ts';
import { listOwnFonts } from '../../styling/fonts/font-registry.ts';
import type { Dialect } from '../common/dialects.ts';
import { act, del, family, get, list, put, type Services, upload } from '../common/services.ts';
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

      list(
        '/fonts',
        'List the fonts',
        { returns: fontList, role: WORKSPACE_ADMINISTRATOR },
        async ({ services }, page) => ({
          entries: selectPage(await listFontNames(services), fontList.getName, page),
        }),
      ),

      upload(
        '/fonts',
        'Store a font for all maps, under the name of the font or a file name',
        {
          what: FONT_FILE,
          method: 'POST',
          query: { name: createTextParameter('File name, with its extension; default: the full name of the font.') },
          otherSuccesses: [200],
          problems: fontProblems,
        },
        async ({ services, principal, query, body, precondition }) => {
          const { name, isNew, warnings } = await postFont(services.catalog, services.styles, principal, {
            name: query.name,
            body,
            precondition,
          });
          return { location: ['resource', 'styles', name], text: name, warnings, status: isNew ? 201 : 200 };
        },
      ),

      upload(
        '/fonts/:font',
        'Store a font for all maps, under its file name',
        {
          what: FONT_FILE,
          otherSuccesses: [200],
          endsInFileName: true,
          problems: fontProblems,
        },
        async ({ services, principal, params, body, precondition }) => {
          const { isNew, warnings } = await putFont(services.catalog, services.styles, principal, {
            name: params.font,
            body,
            precondition,
          });
          return { location: ['resource', 'styles', params.font], text: '', warnings, status: isNew ? 201 : 200 };
        },
      ),

      del(
        '/fonts/:font',
        'Delete an uploaded font by its file name',
        { endsInFileName: true, problems: fontProblems },
        ({ services, principal, params, precondition }) =>
          deleteFont(services.catalog, principal, params.font, precondition),
      ),
    ],
  );
}

const FONT_FILE = 'A TTF, OTF, TTC, WOFF or WOFF2 file of at most 32 MB.';

async function listFontNames({ catalog, styles }: Services): Promise<readonly string[]> {
  const uploaded = (await styles.fonts.list(catalog)).flatMap(({ faces }) => faces.map(({ face }) => face));
  const own = listOwnFonts().map(({ face }) => face);
  return [...new Set([...uploaded, ...own].flatMap(listFaceNames))].sort();
}

/** The problems of a font file, which is a file of the global style folder. */
const fontProblems = [
  'resource-unknown',
  'resource-kind',
  'font-invalid',
  'resource-in-use',
  'file-name-illegal',
  'work-too-large',
  'work-too-slow',
  'work-refused',
] as const;

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
