/** Routes for the supported coordinate reference systems. */
import { parseCrsCode } from '../../crs/model/crs-code.ts';
import { listAuthorities, listCodes } from '../../crs/registry/list-codes.ts';
import { type CrsDefinition, findCrs } from '../../crs/resolve-crs.ts';
import { createIntegerParameter, createTextParameter } from '../../http/request/query.ts';
import type { Rendition, RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { selectPage } from '../../lib/text/page.ts';
import { family, get, list, type Services } from '../common/services.ts';
import { authorityList, codeList, crsDocument } from './representation.ts';

const role = WORKSPACE_ADMINISTRATOR;

/** Default and maximum number of codes on a page. */
const DEFAULT_PAGE = 50;
const MAX_PAGE = 200;
const MAX_OFFSET = 1_000_000;

const wkt: Rendition = { name: 'wkt', extension: 'wkt', mediaTypes: ['text/plain'] };

export function crsRoutes(): RouteTable<Services> {
  return family(
    'Coordinate reference systems',
    {
      description: 'The supported coordinate reference systems by code.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
    },
    [
      get(
        '/crs',
        'List the codes of coordinate reference systems, page by page',
        {
          returns: codeList,
          role,
          query: {
            authority: createTextParameter('Return only codes of this authority, such as EPSG.'),
            query: createTextParameter('Return only codes that contain this text.'),
            search: createTextParameter('Return only codes that contain this text or whose name contains it.'),
            offset: createIntegerParameter('Number of codes to skip.', 0, MAX_OFFSET),
            limit: createIntegerParameter(`Maximum number of codes; default: ${DEFAULT_PAGE}.`, 1, MAX_PAGE),
          },
        },
        async ({ query: { offset, limit, ...filters } }) => ({
          resource: await listCodes({ ...filters, offset: offset ?? 0, limit: limit ?? DEFAULT_PAGE }),
        }),
      ),

      list(
        '/crs/authorities',
        'List the authorities of the codes',
        { returns: authorityList, role },
        async ({ restUrl, format }, page) => ({
          entries: selectPage(await listAuthorities(), String, page).map((name) => ({
            name,
            href: `${restUrl}/crs.${format ?? 'json'}?authority=${name}`,
          })),
        }),
      ),

      get(
        '/crs/:crs',
        'Read a coordinate reference system',
        { returns: crsDocument, role, renditions: [wkt], problems: ['crs-unknown', 'crs-malformed'] },
        async ({ params, rendition }) => {
          const crs = await getCrs(params.crs);
          return rendition === undefined
            ? { resource: crs }
            : { file: { mediaType: 'text/plain; charset=utf-8', bytes: Buffer.from(`${crs.wkt}\n`) } };
        },
      ),
    ],
  );
}

async function getCrs(code: string): Promise<CrsDefinition> {
  if (parseCrsCode(code) === undefined) {
    throw problem('crs-malformed', { code: excerpt(code) });
  }
  const crs = await findCrs(code);
  if (crs === undefined) {
    throw problem('crs-unknown', { code: excerpt(code) });
  }
  return crs;
}
