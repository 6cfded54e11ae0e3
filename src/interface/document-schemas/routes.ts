/** Routes for the persisted schemas of the document stores behind app-schema mappings. */
import { type Maintenance, maintainSchemas } from '../../catalog/stores/maintain-schemas.ts';
import { createTextParameter, type QueryParameter, type QueryValues } from '../../http/request/query.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { WORKSPACE_ADMINISTRATOR } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { ProblemCode } from '../../lib/problems/problem-kinds.ts';
import { act, family, type Services } from '../common/services.ts';

const role = WORKSPACE_ADMINISTRATOR;
const all = '/workspaces/:workspace/appschemastores/:store';
const one = '/workspaces/:workspace/appschemastores/:store/datastores/:id';

/** The same for all four routes, so that the description is shared; data problems are described at the stores. */
const problems: readonly ProblemCode[] = [
  'maintained-store-unknown',
  'internal-store-no-documents',
  'schema-sample-missing',
  'document-unknown',
  'document-type-unknown',
  'store-not-app-schema',
  'no-document-stores',
  'document-schema-invalid',
  'document-schemas-unwritable',
  'document-schemas-fixed',
  'store-disabled',
  'store-unreachable',
];
/** Exceeds the longest id of any collection. */
const MAX_ID_CHARACTERS = 1_024;
const MAX_IDS = 1_000;

const idsParameter: QueryParameter<readonly string[]> = {
  description: 'Comma-separated ids of documents to sample.',
  schema: { type: 'string' },
  expected: `up to ${MAX_IDS} non-empty ids, separated by commas`,
  parse: (value) => {
    const ids = value.split(',').map((id) => id.trim());
    const isGood = ids.length <= MAX_IDS && ids.every((id) => id !== '' && id.length <= MAX_ID_CHARACTERS);
    return isGood && ids.every((id) => id.isWellFormed() && !/\p{Cc}/u.test(id)) ? [...new Set(ids)] : undefined;
  },
  absent: [],
};

const maxParameter: QueryParameter<number | null> = {
  description: 'Number of other documents to sample in each collection; -1 for all. Default: 1.',
  schema: { type: 'integer', minimum: -1, maximum: 2_147_483_647 },
  expected: '-1 or an integer from 1 to 2147483647',
  parse: (value) => {
    const number = /^-?\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    return number === -1 || (number >= 1 && number <= 2_147_483_647) ? number : undefined;
  },
  absent: null,
};

const sample = { ids: idsParameter, max: maxParameter };

export function documentSchemaRoutes(): RouteTable<Services> {
  return family(
    'Document schemas',
    {
      description: 'Persisted schemas of the document stores behind app-schema mappings.',
      formats: ['xml', 'json', 'html'],
      formatGroup: 'catalog',
    },
    [
      act(
        `${one}/cleanSchemas` as const,
        'Delete the persisted schemas of one internal store',
        { role, problems },
        ({ services, principal, params }) =>
          maintainSchemas(toMaintenanceServices(services), principal, readStoreParams(params), { kind: 'clean' }),
      ),
      act(
        `${all}/cleanSchemas` as const,
        'Delete the persisted schemas of all internal stores',
        { role, problems },
        ({ services, principal, params }) =>
          maintainSchemas(toMaintenanceServices(services), principal, params, { kind: 'clean' }),
      ),
      act(
        `${one}/rebuildMongoSchemas` as const,
        'Rebuild the schemas of one internal store from documents',
        {
          query: { ...sample, schema: createTextParameter('Rebuild only this type.') },
          role,
          problems,
        },
        async ({ services, principal, params, query }) =>
          maintainSchemas(
            toMaintenanceServices(services),
            principal,
            readStoreParams(params),
            createRebuild(query, query.schema),
          ),
      ),
      act(
        `${all}/rebuildMongoSchemas` as const,
        'Rebuild the schemas of all internal stores from documents',
        { query: sample, role, problems },
        async ({ services, principal, params, query }) =>
          maintainSchemas(toMaintenanceServices(services), principal, params, createRebuild(query, null)),
      ),
    ],
  );
}

function toMaintenanceServices({ catalog, vectorData }: Services) {
  return { catalog, data: vectorData };
}

function readStoreParams({ workspace, store, id }: Readonly<Record<'workspace' | 'store' | 'id', string>>) {
  return { workspace, store, internalStore: id };
}

/** Checked before any lookup: without a sample the request has no effect. */
function createRebuild({ ids, max }: QueryValues<typeof sample>, type: string | null): Maintenance {
  if (ids.length === 0 && max === null) throw problem('schema-sample-missing', { field: 'max' });
  return { kind: 'rebuild', sample: { ids, max: max ?? 1 }, ...(type === null ? {} : { type }) };
}
